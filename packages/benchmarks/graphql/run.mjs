// GraphQL over a node with 100,000 relations, and expansions of two and three hops, in requests per second; against
// naive resolvers over an N3 Store. node packages/benchmarks/graphql/run.mjs [RELATIONS]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTriples, OPERATIONS } from './data.mjs';

const relations = Number(process.argv[2] ?? 100_000);
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-bench-graphql-'));
try {
  const file = path.join(directory, 'data.nt');
  writeFileSync(file, createTriples(relations));
  report(run('cairn.mjs', file), run('naive.mjs', file));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** One contender in a process of its own. */
function run(script, file) {
  const child = spawnSync(
    process.execPath,
    ['--max-old-space-size=4096', path.join(import.meta.dirname, script), file],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.status !== 0) throw new Error(`${script} ended with ${child.status}`);
  return JSON.parse(child.stdout);
}

function report(ours, theirs) {
  const rows = Object.keys(OPERATIONS).map((operation) => {
    const [own, other] = [ours.results[operation], theirs.results[operation]];
    if (own.answers !== other.answers) throw new Error(`${operation}: the answers differ`);
    return {
      operation,
      'first ms': round(own.firstMs),
      'requests/s': round(own.perSecond),
      'naive first ms': round(other.firstMs),
      'naive requests/s': round(other.perSecond),
      'times naive': round(own.perSecond / other.perSecond),
    };
  });
  console.log(`a hub with ${relations} relations; answers are the same`);
  console.table(rows);
  for (const [name, { loadMs, memoryMb }] of Object.entries({ cairn: ours, naive: theirs })) {
    console.log(`${name}: loaded in ${round(loadMs)} ms, ${round(memoryMb)} MB of heap and buffers at the end`);
  }
}

function round(value) {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
