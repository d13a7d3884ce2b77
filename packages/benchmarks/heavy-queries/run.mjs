// How long small requests wait while heavy queries run: npm run bench -- heavy-queries [CLIENTS...]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HEAVY, POINT } from './data.mjs';

const TRIPLES = Number(process.env.BENCH_TRIPLES ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const CLIENTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0, 1, 4, 16];
const PROBE_EVERY_MS = 25;

const toQuery = (text) => `/api/graph/catalog/query?query=${encodeURIComponent(text)}`;
const PROBES = {
  livez: '/livez',
  'by id': `/api/search/documents/${encodeURIComponent('urn:e:7')}`,
  point: toQuery(POINT),
};
const texts = Object.values(HEAVY);

async function start(...workers) {
  const child = fork(path.join(import.meta.dirname, 'cairn.mjs'), [TRIPLES, ...workers].map(String));
  const [{ url, token }] = await once(child, 'message');
  const ask = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  return { url, headers: { Authorization: `Bearer ${token}` }, ask, end: () => child.kill() };
}

/** Runs one query after the other until the signal; what they were answered. */
async function keepBusy({ url, headers }, client, queries, signal) {
  for (let i = client; !signal.aborted; i++) {
    const target = toQuery(`${queries[i % queries.length]} # ${client} ${i}`);
    const response = await fetch(`${url}${target}`, { headers, signal }).catch(() => undefined);
    for await (const _ of response?.body ?? []) if (signal.aborted) break;
  }
}

async function probe({ url, headers }, target, latencies, until) {
  while (performance.now() < until) {
    const start = performance.now();
    const response = await fetch(`${url}${target}`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${target}: ${response.status}`);
    latencies.push(performance.now() - start);
    await pause(PROBE_EVERY_MS);
  }
}

/** Latencies of the probes and waits of the event loop while some clients ask heavy queries. */
async function measure(server, clients, queries, seconds) {
  const stop = new AbortController();
  const busy = Array.from({ length: clients }, (_, client) =>
    keepBusy(server, client, queries, stop.signal).catch(() => {}),
  );
  await pause(300);
  await server.ask('reset');
  const until = performance.now() + seconds * 1000;
  const latencies = Object.fromEntries(Object.keys(PROBES).map((name) => [name, []]));
  await Promise.all(Object.entries(PROBES).map(([name, target]) => probe(server, target, latencies[name], until)));
  const loop = await server.ask('read');
  stop.abort();
  await Promise.all(busy);
  return { loop, latencies };
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return [at(0.5), at(0.99), sorted.at(-1)].map((ms) => ms.toFixed(1)).join(' / ');
}

function print(name, { loop, latencies }) {
  const waits = [loop.p50, loop.p99, loop.max].map((ms) => ms.toFixed(1)).join(' / ');
  console.log([name, waits, ...Object.values(latencies).map(summary)].join(' | '));
}

async function compare(title, ...workers) {
  const server = await start(...workers);
  await measure(server, 0, [], 1);
  console.log(`${title} | event loop | ${Object.keys(PROBES).join(' | ')}`);
  for (const clients of CLIENTS) print(`${clients} at once`, await measure(server, clients, texts, SECONDS));
  for (const [name, text] of Object.entries(HEAVY)) print(name, await measure(server, 1, [text], SECONDS / 2));
  server.end();
}

console.log(`${TRIPLES} triples, node ${process.version}; milliseconds: median / 99 % / longest`);
await compare('on the main thread', 0);
await compare('in workers');
