import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from '../testing/server.ts';
import type { Client } from './testing/client.ts';
import { createRandom } from './testing/random.ts';
import { LONG } from './testing/scale.ts';
import { type ServerProcess, startProcess } from './testing/server-process.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const CLIENTS = LONG ? 400 : 24;
const AT_ONCE = 8;
const GROWTH_BYTES = 32 * 1024 * 1024;
const CHUNK = 'x'.repeat(64 * 1024);
/** Joins everything with everything three times: minutes of work. */
const HEAVY = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d && ?c != ?i) }';

it(`keeps nothing of ${CLIENTS} clients that leave in the middle of an upload or of a query`, async () => {
  const random = createRandom(Date.now());
  const server = await startProcess(path.join(temporaryDirectory(), 'data')).ready;
  const alice = await server.as('alice');
  await fill(alice);
  const token = alice.token;
  await leave(server, AT_ONCE, () => uploadRequest(token, random), random);
  const base = await server.measure();
  const before = await documents(alice);
  for (const request of [uploadRequest, queryRequest]) {
    await leave(server, CLIENTS, () => request(token, random), random);
  }
  // Work that went on for nobody would keep the others waiting.
  const startedMs = performance.now();
  expect((await alice.send('/api/search/indices')).status).toBe(200);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await eventually(async () => {
    const { handles, heapUsed, external, timers } = await server.measure();
    const isBack = handles <= base.handles + 2 && timers <= base.timers + 2 && server.leftovers().length === 0;
    return isBack && heapUsed + external < base.heapUsed + base.external + GROWTH_BYTES ? true : undefined;
  }).catch(async () => {
    expect({ ...(await server.measure()), leftovers: server.leftovers() }).toEqual({ ...base, leftovers: [] });
  });
  expect(await documents(alice)).toBe(before);
  expect(await server.stop()).toBe(0);
}, 600_000);

async function fill(client: Client): Promise<void> {
  const triples = Array.from({ length: 600 }, (_, i) => `<urn:s:${i}> <urn:p:${i % 7}> ${i} .`).join('\n');
  expect(await client.update('*', `INSERT DATA { ${triples} }`)).toBe(200);
}

async function documents(client: Client): Promise<number> {
  return (await client.json('/api/search/documents?query=*&indices=doc-content')).results.length;
}

/** The pieces of a request; a client leaves after some of them. */
type Pieces = readonly string[];

function uploadRequest(token: string, random: (bound: number) => number): Pieces {
  const chunks = Array.from({ length: 1 + random(40) }, () => CHUNK);
  return [
    'POST /api/ingest/documents/local/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nSecurity-Label: *\r\n',
    `Authorization: Bearer ${token}\r\nContent-Length: 99999999\r\n`,
    'Content-Type: multipart/form-data; boundary=b\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
    ...chunks,
  ];
}

function queryRequest(token: string): Pieces {
  const target = `/api/graph/knowledge/query?query=${encodeURIComponent(HEAVY)}`;
  return [`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`];
}

async function leave(
  { url }: ServerProcess,
  clients: number,
  request: () => Pieces,
  random: (bound: number) => number,
): Promise<void> {
  let left = clients;
  const one = async (): Promise<void> => {
    while (left-- > 0) await sendAndLeave(Number(new URL(url).port), request(), random(30));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function sendAndLeave(port: number, pieces: Pieces, afterMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await pause(afterMs);
  socket.destroy();
}
