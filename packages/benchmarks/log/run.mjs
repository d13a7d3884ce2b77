// A million 70-byte events in batches of 1,000, durable before the next batch, and read back; against lmdb.
// node packages/benchmarks/log/run.mjs [EVENTS] [ROUNDS]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

const [events = '1000000', rounds = '3'] = process.argv.slice(2);
const here = import.meta.dirname;
const CONTENDERS = {
  'cairn log': ['cairn.mjs', 'plain'],
  'cairn log, id, type and version in headers': ['cairn.mjs', 'headers'],
  lmdb: ['lmdb.mjs'],
};

const results = new Map(Object.keys(CONTENDERS).map((name) => [name, []]));
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, [script, ...options]] of Object.entries(CONTENDERS)) {
    results.get(name).push(measure(name, script, options));
  }
}
report();

/** One contender in a process and a folder of its own, on the disk of the project. */
function measure(name, script, options) {
  const directory = mkdtempSync(path.join(process.env['CAIRN_BENCH_DIR'] ?? process.cwd(), '.bench-log-'));
  try {
    const child = spawnSync(process.execPath, [path.join(here, script), directory, events, ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.status !== 0) throw new Error(`${name} ended with ${child.status}`);
    return JSON.parse(child.stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function report() {
  const count = Number(events);
  const sums = new Set([...results.values()].flat().map(({ sum }) => sum));
  if (sums.size !== 1) throw new Error(`the contenders read different bytes: ${[...sums].join(', ')}`);
  const peer = results.get('lmdb');
  const rows = [...results].map(([name, runs]) => ({
    contender: name,
    'write s': best(runs, 'writeMs') / 1000,
    'events/s': Math.round((count / best(runs, 'writeMs')) * 1000),
    'speed / lmdb': round(best(peer, 'writeMs') / best(runs, 'writeMs')),
    'read s': best(runs, 'readMs') / 1000,
    'reads/s': Math.round((count / best(runs, 'readMs')) * 1000),
    'read speed / lmdb': round(best(peer, 'readMs') / best(runs, 'readMs')),
    'MB on disk': Math.round(best(runs, 'diskBytes') / 1e6),
  }));
  console.log(
    `${count} events of 70 bytes in batches of 1000, each batch durable; best of ${rounds} alternating rounds`,
  );
  console.table(rows);
  for (const [name, runs] of results) console.log(`${name}: write ms ${runs.map(({ writeMs }) => writeMs).join(', ')}`);
}

function best(runs, key) {
  return Math.min(...runs.map((run) => run[key]));
}

function round(number) {
  return Math.round(number * 100) / 100;
}
