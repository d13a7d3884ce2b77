import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delayedSource, type Random, seededRandom } from '@cairn/events/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportError } from '../commands/outcome.ts';
import type { HttpListener } from '../http/message.ts';
import { listen } from '../http/node-http.ts';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import { callServer } from './client.ts';

const RUNS = process.env['CAIRN_LONG'] ? 300 : 12;

let home = '';
let listener: HttpListener;
/** The next answer, and where it is cut. */
let next: { readonly lines: readonly object[]; readonly random: Random; readonly cut?: (bytes: number) => number };

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'cairn-control-'));
  const answer = async (): Promise<{ status: number; body: AsyncIterable<Uint8Array> }> => {
    const { lines, random, cut } = next;
    const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const options = { random, sizes: [1, 2, 3, 40, 300] };
    const sent = cut === undefined ? bytes : bytes.slice(0, cut(bytes.length));
    return { status: 200, body: kept(delayedSource(sent, options)) };
  };
  listener = await listen({ socketPath: path.join(home, 'socket') }, answer, TEST_HTTP_LIMITS);
});
afterAll(async () => {
  await listener.close(0);
  rmSync(home, { recursive: true });
});

/** Pieces that stay as they are: an answer holds them until they are sent. */
async function* kept(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield new Uint8Array(piece);
}

async function callAndCollect(): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of (await callServer(path.join(home, 'socket'), 'rebuild', {})) ?? []) texts.push(text);
  return texts;
}

function randomTexts(random: Random): string[] {
  const kinds = ['done 7 of 9', 'ä漢😀', '', 'a\nb', 'x'.repeat(700)];
  return Array.from({ length: 1 + Math.floor(random() * 20) }, () => kinds[Math.floor(random() * kinds.length)]);
}

describe('the lines of an operation that come late and in pieces of every size', () => {
  it('are those that were sent', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const texts = randomTexts(random);
      next = { random, lines: [...texts.map((text) => ({ type: 'progress', text })), { type: 'done' }] };
      expect(await callAndCollect(), `seed ${seed}`).toEqual(texts);
    }
  });

  it('are no success when they are cut anywhere', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const lines = [...randomTexts(random).map((text) => ({ type: 'progress', text })), { type: 'done' }];
      next = { random, lines, cut: (bytes) => Math.floor(random() * (bytes - 1)) };
      await expect(callAndCollect(), `seed ${seed}`).rejects.toMatchObject({ code: 'ERR_CONTROL' });
    }
  });

  it('are no success when the server goes away, and say that in words and not with a stack', async () => {
    const socketPath = path.join(home, 'cut');
    const cut = await listen({ socketPath }, async () => ({ status: 200, body: endless() }), TEST_HTTP_LIMITS);
    const lines = (await callServer(socketPath, 'load', {}))![Symbol.asyncIterator]();
    await lines.next();
    const rest = lines.next();
    await cut.close(0);
    await expect(rest).rejects.toMatchObject({
      code: 'ERR_CONTROL',
      message: expect.stringMatching(
        /^the server went away before the operation was done; what was written by then is kept, and whether all was is not known: files that it named above are loaded; [^\n]+$/,
      ),
    });
  });
});

/** One line, and then none. */
async function* endless(): AsyncGenerator<string> {
  yield '{"type":"progress","text":"begun"}\n';
  await new Promise(() => {});
}

describe('a server that dies while a command waits for it', () => {
  /** Bytes of an answer whose operation never ends. */
  const ANSWER = Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n${[1, 2, 3]
      .map((done) => `${JSON.stringify({ type: 'progress', text: `${done}/9` })}\n`)
      .map((line) => `${line.length.toString(16)}\r\n${line}\r\n`)
      .join('')}`,
  );

  it('is told in one line, wherever its answer ends: that nobody knows, and how to find out', async () => {
    const socketPath = path.join(home, 'dying');
    let sent = 0;
    const server = createNetServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(ANSWER.subarray(0, sent), () => socket.destroy()));
    });
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    const random = seededRandom(5);
    const cuts = Array.from({ length: RUNS }, () => Math.floor(random() * ANSWER.length));
    for (const cut of [0, 1, ANSWER.length - 1, ANSWER.length, ...cuts]) {
      sent = cut;
      for (const name of ['load', 'forget', 'rebuild', 'backup', 'dead-letters-retry']) {
        const said: string[] = [];
        const command = (async () => {
          for await (const _ of (await callServer(socketPath, name, {})) ?? []);
        })();
        const error: unknown = await command.catch((failure: unknown) => failure);
        expect(error, `${name} after ${cut} bytes`).toMatchObject({ code: 'ERR_CONTROL' });
        expect(reportError(error, { out: () => undefined, err: (line) => void said.push(line) })).toBe(1);
        expect(said).toEqual([
          expect.stringMatching(
            /^cairn: the server went away before the operation was done; what was written by then is kept, and whether all was is not known: \S/,
          ),
        ]);
      }
    }
    await new Promise((resolve) => server.close(resolve));
  });
});
