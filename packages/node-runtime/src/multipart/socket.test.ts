import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCodedError } from '@cairn/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMultipart } from './reader.ts';

const ABORTS = process.env['CAIRN_LONG'] ? 2000 : 60;
const FILE_BYTES = 120_000;

const outcomes: string[] = [];
const requests: IncomingMessage[] = [];
let working = 0;
let server: Server;

async function drain(request: IncomingMessage): Promise<string> {
  let files = 0;
  for await (const { content } of readMultipart(request, { maxFiles: 3 })) {
    for await (const _chunk of content) await sleep(0);
    files++;
  }
  return `${files} files`;
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push(request);
    working++;
    const outcome = await drain(request).catch((error) =>
      isCodedError(error) ? `${error.code} ${error.kind}` : String(error),
    );
    working--;
    outcomes.push(outcome);
    response.writeHead(outcome.endsWith('files') ? 202 : 400, { connection: 'close' }).end(outcome);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function encodeRequest(files: number): Buffer {
  const part = (name: string): Buffer[] => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n`),
    Buffer.alloc(FILE_BYTES, 'x'),
    Buffer.from('\r\n'),
  ];
  const names = Array.from({ length: files }, (_, index) => `${index}.txt`);
  const body = Buffer.concat([...names.flatMap(part), Buffer.from('--b--\r\n')]);
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

async function send(bytes: Buffer, { abort }: { abort: boolean }): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (abort) socket.write(bytes, () => socket.destroy());
  else socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

async function settle(): Promise<void> {
  for (let waited = 0; working > 0 && waited < 10_000; waited += 5) await sleep(5);
}

describe('readMultipart behind a socket', { timeout: 600_000 }, () => {
  it('answers a whole upload', async () => {
    expect(await send(encodeRequest(3), { abort: false })).toContain('3 files');
  });

  it('lets the server answer an upload that it refuses before its end', async () => {
    const answer = await send(encodeRequest(5), { abort: false });
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*ERR_MULTIPART too-large/);
  });

  it('ends with an error and leaves nothing behind when the sender leaves at any byte', async () => {
    const whole = encodeRequest(3);
    const headEnd = whole.indexOf('\r\n\r\n') + 4;
    outcomes.length = 0;
    requests.length = 0;
    for (let round = 0; round < ABORTS; round++) {
      const cut = headEnd + ((round * 7919) % (whole.length - headEnd));
      await send(whole.subarray(0, cut), { abort: true });
    }
    await settle();
    expect(working).toBe(0);
    expect(outcomes.length).toBeGreaterThan(ABORTS * 0.9);
    expect(new Set(outcomes)).toEqual(new Set(['ERR_MULTIPART cancelled']));
    expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')).toEqual([]);
    for (const request of requests) {
      expect(request.destroyed).toBe(true);
      expect(['data', 'end'].map((event) => request.listenerCount(event))).toEqual([0, 0]);
    }
  });
});
