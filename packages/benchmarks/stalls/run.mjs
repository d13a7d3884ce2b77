// The longest stretches on the main thread of the built server: npm run bench -- stalls [TRIPLES] [DOCUMENTS]
// BENCH_STACKS=1 tells what ran in the turns of 50 ms of CPU, or BENCH_LONG_MS; BENCH_ONLY=load,answer,... runs some phases.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ANSWERS, createDocuments, generateTriples, UPDATES } from './data.mjs';

const TRIPLES = Number(process.argv[2] ?? 2_000_000);
const DOCUMENTS = Number(process.argv[3] ?? 100_000);
const STACKS = process.env.BENCH_STACKS === '1';
const FILES_PER_UPLOAD = 50;
const CLI = path.join(import.meta.dirname, '../../server/dist/cli.js');
const CONFIGURATION = {
  server: { port: 0, logLevel: 'silent', limits: { maxRdfBytes: 1_073_741_824 } },
  auth: { users: { alice: { attributes: { clearance: 'TS' } } } },
  datasets: { knowledge: { defaultLabel: '*' } },
  graph: { applyTimeoutMs: 3_600_000 },
  snapshots: { intervalSeconds: 15 },
};

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-stalls-'));
const data = path.join(directory, 'data');
const config = path.join(directory, 'cairn.yaml');
writeFileSync(config, JSON.stringify(CONFIGURATION));
const settings = ['--data', data, '--config', config];

async function cairn(...args) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`cairn ${args[0]} ended with ${status}`);
  return out.trim();
}

async function startServer() {
  const watch = path.join(import.meta.dirname, 'watch.mjs');
  const child = spawn(process.execPath, ['--import', watch, CLI, 'serve', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      if (said.includes('listening on ') && said.includes('metrics at ')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', (status) => reject(new Error(`the server ended with ${status}: ${said}`)));
  });
  return { child, url: /listening on (\S+)/.exec(said)[1], metricsUrl: /metrics at (\S+)/.exec(said)[1] };
}

async function ask(child, message) {
  const answer = once(child, 'message');
  child.send(message);
  return (await answer)[0];
}

let server = await startServer();
// An error must leave neither a process nor files behind.
process.once('exit', () => {
  server.child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});
const token = await cairn('token', '--user', 'alice', ...settings);
const headers = { Authorization: `Bearer ${token}`, 'Security-Label': '*' };
const probe = fork(path.join(import.meta.dirname, 'probe.mjs'), [server.url]);

/** Sends a request and reads its answer, of which it gives the first piece. @throws when it is not a success. */
async function send(target, init = {}) {
  const response = await fetch(`${server.url}${target}`, { ...init, headers: { ...headers, ...init.headers } });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  let start = '';
  for await (const chunk of response.body ?? []) if (start === '') start = Buffer.from(chunk).toString();
  return start;
}

const show = (ms) => ms.toFixed(1).padStart(8);

/** Prints what was seen since the phase began. */
async function report(name, startedMs, sinceStart = false) {
  // A turn that still runs is seen when it ends.
  await pause(100);
  const seconds = (performance.now() - startedMs) / 1000;
  const turns = await ask(server.child, { command: 'read' });
  const livez = await ask(probe, {});
  const row = [show(turns.max), show(turns.p99), show(turns.cpuMax), String(turns.long).padStart(5)];
  const probed = sinceStart ? [] : [show(livez.max), show(livez.p99)];
  console.log([name.padEnd(16), `${seconds.toFixed(1)} s`.padStart(8), ...row, ...probed].join(' | '));
  for (const { wallMs, cpuMs, frames } of turns.turns ?? []) {
    console.log(`  ${wallMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU`);
    for (const [frame, ms] of frames) console.log(`    ${ms.toFixed(0).padStart(6)} ${frame}`);
  }
}

async function phase(name, run) {
  if (process.env.BENCH_ONLY !== undefined && !process.env.BENCH_ONLY.split(',').includes(name)) return;
  await ask(server.child, { command: 'reset', stacks: STACKS });
  await ask(probe, {});
  const startedMs = performance.now();
  await run();
  await report(name, startedMs);
}

/** Resolves when no projector has events before it. */
async function settled() {
  for (;;) {
    const { status } = await fetch(`${server.url}/readyz`);
    const text = await (await fetch(server.metricsUrl)).text();
    const lags = [...text.matchAll(/^cairn_projector_lag_events\{.*\} (\d+)/gm)].map(([, lag]) => Number(lag));
    if (status === 200 && lags.length > 0 && lags.every((lag) => lag === 0)) return;
    await pause(500);
  }
}

async function upload(texts, from) {
  const form = new FormData();
  texts.forEach((text, i) => void form.append('file', new Blob([text]), `document-${from + i}.txt`));
  return send('/api/ingest/documents/local/upload', { method: 'POST', body: form });
}

const post = (target, type, body) =>
  send(target, { method: 'POST', body, headers: { 'Content-Type': type }, duplex: 'half' });
const settle = async (name, run) =>
  phase(name, async () => {
    await run();
    await settled();
  });

console.log(`${TRIPLES} triples, ${DOCUMENTS} documents, node ${process.version}; milliseconds`);
console.log(
  'phase | took | longest turn | 99 % | longest by own CPU | turns that took 50 ms of CPU | /livez longest | 99 %',
);

let someDocument;
await settle('load', () =>
  post('/api/graph/knowledge/upload', 'application/n-triples', Readable.toWeb(Readable.from(generateTriples(TRIPLES)))),
);
await settle('extract', async () => {
  const texts = createDocuments(DOCUMENTS, TRIPLES);
  // Connections that were closed meanwhile are noticed now.
  await pause(100);
  for (let at = 0; at < texts.length; at += FILES_PER_UPLOAD) {
    const answer = await upload(texts.slice(at, at + FILES_PER_UPLOAD), at);
    someDocument ??= /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(answer)?.[0];
  }
});
await phase('answer', async () => {
  for (const target of ANSWERS) await send(target);
});
await settle('update', async () => {
  for (const text of UPDATES) await post('/api/graph/knowledge/update', 'application/sparql-update', text);
});
await phase('rebuild graph', () => cairn('rebuild', 'knowledge', ...settings));
await phase('rebuild search', () => cairn('rebuild', 'search', ...settings));
await settle('forget', () => cairn('forget', someDocument, ...settings));

// What was stored is read again; of the probes only those after the start count.
server.child.kill('SIGTERM');
await once(server.child, 'close');
const startedMs = performance.now();
server = await startServer();
await report('start', startedMs, true);

probe.kill();
server.child.kill('SIGTERM');
await once(server.child, 'close');
