// npm run bench -- graph [SIZE...] [--engines=cairn,oxigraph,comunica]
// Each engine in its own process on the same data; answers are compared.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const args = process.argv.slice(2);
const sizes = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
const engines = (args.find((arg) => arg.startsWith('--engines='))?.slice(10) ?? 'cairn,oxigraph,comunica').split(',');

function measure(engine, size) {
  const file = path.join(import.meta.dirname, 'measure.mjs');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=8192', file, engine, String(size)],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`${engine} failed: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout);
}

const format = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3));

for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
  const reports = engines.map((engine) => measure(engine, size));
  const [ours] = reports;
  console.log(`\n${size} triples; ms per run, CPU above 3 ms (in parentheses: times ${engines[0]})`);
  const row = (name, values, ratio) => {
    const cells = values.map((value, i) => {
      if (value === undefined || value === null) return '-';
      return i === 0 ? format(value) : `${format(value)} (${format(ratio(value))})`;
    });
    console.log([name.padEnd(22), ...cells.map((cell) => cell.padStart(20))].join(''));
  };
  console.log([''.padEnd(22), ...engines.map((engine) => engine.padStart(20))].join(''));
  const plain = (key) =>
    row(
      key,
      reports.map((report) => report[key]),
      (value) => value / ours[key],
    );
  for (const key of ['loadPerSecond', 'rssMB', 'addedMB', 'twoHopPerSecond', 'reopenMs']) plain(key);
  for (const name of Object.keys(ours.queries)) {
    const values = reports.map(({ queries }) => queries[name]?.ms);
    row(name, values, (value) => value / values[0]);
    const answers = new Set(
      reports.map(({ queries }) => queries[name]?.answer).filter((answer) => answer !== undefined),
    );
    if (answers.size > 1) {
      console.log(`  ANSWERS DIFFER: ${[...answers].join(' | ')}`);
      process.exitCode = 1;
    }
  }
}
