// GraphQL over a node with 100,000 relations, and expansions of two and three hops, in requests per second; against
// naive resolvers over an N3 Store. node packages/benchmarks/graphql/run.mjs [RELATIONS]
// The contenders take turns, so that what else the machine does slows both; the median of the rounds counts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTriples, OPERATIONS } from './data.mjs';

const ROUNDS = 9;
const ROUND_MS = 300;

const relations = Number(process.argv[2] ?? 100_000);
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-bench-graphql-'));
const contenders = [];
try {
  const file = path.join(directory, 'data.nt');
  writeFileSync(file, createTriples(relations));
  for (const script of ['cairn.mjs', 'naive.mjs']) contenders.push(await start(script, file));
  console.log(`a hub with ${relations} relations; answers are the same`);
  const rows = [];
  for (const operation of Object.keys(OPERATIONS)) rows.push(await compare(operation));
  console.table(rows);
  for (const { script, loadMs, memoryMb } of contenders) {
    console.log(`${script}: loaded in ${round(loadMs)} ms, ${round(memoryMb)} MB of heap and buffers at the end`);
  }
} finally {
  for (const { child } of contenders) child.kill();
  rmSync(directory, { recursive: true, force: true });
}

/** One contender in a process of its own. */
async function start(script, file) {
  const execArgv = ['--max-old-space-size=4096'];
  const child = fork(path.join(import.meta.dirname, script), [file], { execArgv });
  child.on('exit', (code) => {
    if (code) throw new Error(`${script} ended with ${code}`);
  });
  const [{ loadMs }] = await once(child, 'message');
  return { script, child, loadMs, memoryMb: 0 };
}

async function ask({ child }, message) {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
}

async function compare(operation) {
  const [own, other] = [await ask(contenders[0], { operation }), await ask(contenders[1], { operation })];
  if (own.answers !== other.answers) throw new Error(`${operation}: the answers differ`);
  const rates = contenders.map(() => []);
  const ratios = [];
  for (let i = 0; i < ROUNDS; i++) {
    const [ours, theirs] = [await repeat(0, operation), await repeat(1, operation)];
    rates[0].push(ours);
    rates[1].push(theirs);
    ratios.push(ours / theirs);
  }
  return {
    operation,
    'first ms': round(own.firstMs),
    'requests/s': round(median(rates[0])),
    'naive first ms': round(other.firstMs),
    'naive requests/s': round(median(rates[1])),
    'times naive': round(median(ratios)),
  };
}

async function repeat(index, operation) {
  const { perSecond, memoryMb } = await ask(contenders[index], { operation, ms: ROUND_MS });
  contenders[index].memoryMb = memoryMb;
  return perSecond;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function round(value) {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
