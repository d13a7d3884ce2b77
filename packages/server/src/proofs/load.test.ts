import path from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../testing/server.ts';
import type { Client } from './testing/client.ts';
import { load, missing, type Written } from './testing/client-load.ts';
import type { Reading } from './testing/probe.mjs';
import { LONG } from './testing/scale.ts';
import { type ServerProcess, startProcess } from './testing/server-process.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const CLIENTS = 64;
const SECONDS = LONG ? 300 : 20;
/** Fills caches of compiled code, queries and tokens, and makes every document, before memory counts. */
const WARM_UP_SECONDS = LONG ? 20 : 2;
const GROWTH_BYTES = 24 * 1024 * 1024;
const MAX_KEPT_HANDLES = 8;

it(`serves ${CLIENTS} clients that read and write for ${SECONDS} s, keeps what it acknowledged, and no memory`, async () => {
  const data = path.join(temporaryDirectory(), 'data');
  const server = await startProcess(data).ready;
  const alice = await server.as('alice', 60_000);
  // A client counts on from the last value that it wrote, so the same clients go on after the warm-up.
  const before = await run(alice, WARM_UP_SECONDS);
  expect(faultsOf(before)).toEqual([]);
  const base = await atRest(server, alice);
  const all = await run(alice, SECONDS);
  expect(faultsOf(all)).toEqual([]);
  const written = all.map((one, i) => ({
    ...one,
    documents: new Set([...one.documents, ...(before[i]?.documents ?? [])]),
  }));
  await eventually(async () => ((await missing(alice, written)).length === 0 ? true : undefined)).catch(async () => {
    expect(await missing(alice, written)).toEqual([]);
  });
  const after = await atRest(server, alice, base.handles + MAX_KEPT_HANDLES);
  expect(held(after) - held(base), `bytes kept: ${JSON.stringify([base, after])}`).toBeLessThan(GROWTH_BYTES);
  expect(after.handles - base.handles).toBeLessThan(MAX_KEPT_HANDLES);
  if (LONG)
    console.info(
      all.reduce((sum, { requests }) => sum + requests, 0),
      'requests',
      base,
      after,
    );
  expect(await server.stop()).toBe(0);
}, 3_600_000);

function run(client: Client, seconds: number): Promise<Written[]> {
  const untilMs = performance.now() + seconds * 1000;
  return Promise.all(Array.from({ length: CLIENTS }, (_, number) => load(client, number, untilMs)));
}

function faultsOf(all: readonly Written[]): string[] {
  return all.flatMap(({ faults }) => faults).slice(0, 5);
}

function held({ heapUsed, external }: Reading): number {
  return heapUsed + external;
}

/**
 * Measures when what was accepted is applied and idle connections are closed: the server closes them after ten seconds,
 * so fewer handles than a bound are waited for a little longer than that.
 */
async function atRest(server: ServerProcess, client: Client, fewerHandlesThan = Infinity): Promise<Reading> {
  expect(await client.update('*', 'INSERT DATA { <urn:rest> <urn:p> "o" }')).toBe(200);
  await sleep(1500);
  const untilMs = performance.now() + 15_000;
  let reading = await server.measure();
  while (reading.handles >= fewerHandlesThan && performance.now() < untilMs) {
    await sleep(500);
    reading = await server.measure();
  }
  return reading;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
