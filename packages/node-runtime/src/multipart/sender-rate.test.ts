import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readMultipart } from './reader.ts';
import { SenderRate } from './sender-rate.ts';

const RATE = { minBytesPerSecond: 100, rateGraceMs: 1000, rateWindowMs: 2000 };

describe('a sender', () => {
  it('owes nothing during the grace, and its bytes in every window after it', () => {
    const rate = new SenderRate(RATE);
    expect([rate.leftMs, rate.waited(1000), rate.leftMs]).toEqual([1000, undefined, 2000]);
    rate.received(200);
    expect([rate.waited(1500), rate.leftMs, rate.waited(500)]).toEqual([undefined, 500, undefined]);
    rate.received(199);
    expect(rate.waited(2000)).toBe(199);
  });

  it('owes nothing without a rate', () => {
    const rate = new SenderRate({ ...RATE, minBytesPerSecond: 0 });
    expect([rate.leftMs, rate.waited(1e9)]).toEqual([Number.POSITIVE_INFINITY, undefined]);
  });
});

describe('an upload', () => {
  const limits = { minBytesPerSecond: 1_000_000, rateGraceMs: 20, rateWindowMs: 30 };
  const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';

  function open(): PassThrough & { headers: Record<string, string> } {
    return Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=b' } });
  }

  it('that drips is ended with a time-out although it is never silent for long', async () => {
    const request = open();
    request.write(head);
    const drip = setInterval(() => request.write('x'), 5);
    const read = async (): Promise<void> => {
      for await (const { content } of readMultipart(request, limits)) for await (const _ of content);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'ERR_MULTIPART',
      kind: 'timeout',
      message: expect.stringMatching(
        /^the sender must send at least 1000000 bytes a second over 30 ms; got \d+ bytes$/,
      ),
    });
    clearInterval(drip);
    expect(request.destroyed).toBe(false);
  });

  it('is not accused of what its reader and a busy event loop take', async () => {
    const pieces = [head, ...Array.from({ length: 5 }, () => 'x'.repeat(6_000)), '\r\n--b--\r\n'];
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const request = Object.assign(Readable.from(pieces.map((piece) => Buffer.from(piece))), { headers });
    let bytes = 0;
    for await (const { content } of readMultipart(request, limits)) {
      for await (const chunk of content) {
        bytes += chunk.length;
        // Longer in all than grace and window, in which the sender would owe more than all that it sends.
        const until = performance.now() + 15;
        while (performance.now() < until);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    }
    expect(bytes).toBe(30_000);
  });
});
