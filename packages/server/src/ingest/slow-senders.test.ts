import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const SENDERS = 20;
const PLACES = 16;
const SHARE = 12;

let server: TestServer;
let token: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = await startTestServer({
    ...TEST_CONFIGURATION,
    server: {
      ...TEST_CONFIGURATION.server,
      limits: { maxConcurrentUploads: PLACES, uploadGraceMs: 4_000, uploadWindowMs: 500 },
    },
  });
  token = await server.server.issueToken('alice');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.server.close();
});

/** An upload that begins and goes on with a byte every now and then. Resolves with all that is answered. */
async function sendSlowly(contentLength: number | undefined, authorization = `Bearer ${token}`): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const size = contentLength === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${contentLength}`;
  socket.write(
    `POST /api/ingest/documents/local/upload HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\n` +
      `Security-Label: *\r\nContent-Type: multipart/form-data; boundary=b\r\n${size}\r\n\r\n`,
  );
  const send = (text: string): boolean =>
    socket.write(contentLength === undefined ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
  send('--b\r\nContent-Disposition: form-data; name="f"; filename="slow.txt"\r\n\r\n');
  const drip = setInterval(() => send('x'), 100);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  await once(socket, 'close');
  clearInterval(drip);
  sockets.delete(socket);
  return received;
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const codeOf = (answer: string): string | undefined => /"code":"(\w+)"/.exec(answer)?.[1];

describe(`${SENDERS} slow senders of one user`, () => {
  it('leave places for others, get 429 over their share, and end with 408', async () => {
    const slow = Array.from({ length: SENDERS }, (_, n) => sendSlowly(n % 2 === 0 ? undefined : 50_000_000));
    const over = slow.map((answer) => answer.then((text) => (statusOf(text) === 429 ? text : new Promise(() => {}))));
    expect(codeOf((await Promise.any(over)) as string)).toBe('ERR_UPLOAD_SHARE');
    let ended = 0;
    for (const answer of slow) void answer.then((text) => (ended += statusOf(text) === 408 ? 1 : 0));
    const response = await server.upload('dieter', '*', { 'quick.txt': 'a heron' });
    // Another's upload goes through while the slow ones still hold their places.
    expect([response.status, ended]).toEqual([202, 0]);
    const answers = await Promise.all(slow);
    expect(answers.map(statusOf).sort()).toEqual([
      ...Array.from({ length: SHARE }, () => 408),
      ...Array.from({ length: SENDERS - SHARE }, () => 429),
    ]);
    expect(new Set(answers.filter((text) => statusOf(text) === 408).map(codeOf))).toEqual(
      new Set(['ERR_BODY_TIMEOUT']),
    );
    expect((await server.upload('alice', '*', { 'again.txt': 'a stork' })).status).toBe(202);
  });
});

it('does not wait for the rest of a body whose request was answered', async () => {
  const answer = await sendSlowly(900_000, 'Bearer nonsense');
  expect([statusOf(answer), codeOf(answer)]).toEqual([400, 'ERR_TOKEN_UNUSABLE']);
});
