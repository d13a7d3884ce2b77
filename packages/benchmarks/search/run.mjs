// Search against the peers a user would pick instead, each in a process of its own, on the same documents: npm run
// bench -- search [DOCUMENTS...] default 10000 100000 SEARCH_ENGINES=cairn,minisearch which engines; default all
// SEARCH_CLASS_MS=4000 how long each class is measured at most; default 1500 Each engine takes about 20 s beside
// indexing; progress goes to the standard error output.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ENGINES } from './engines.mjs';

const sizes = process.argv.slice(2).map(Number);
const engines = process.env.SEARCH_ENGINES?.split(',') ?? Object.keys(ENGINES);

function measure(engine, size) {
  const script = path.join(import.meta.dirname, 'measure.mjs');
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=8192', script, engine, String(size)],
    { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) {
    console.error(`${engine} at ${size} documents failed: it is left out`);
    return undefined;
  }
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

const digits = (value) => (value === undefined ? '-' : value >= 100 ? value.toFixed(0) : value.toPrecision(2));

function row(label, values) {
  const [own, ...others] = values;
  const ratios = others.map((value) => (value === undefined || own === undefined ? '' : ` (${digits(value / own)}x)`));
  return [label, digits(own), ...others.map((value, i) => digits(value) + ratios[i])];
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  for (const cells of rows) console.log(cells.map((cell, column) => cell.padEnd(widths[column])).join('  '));
}

/** Says for how many queries each peer finds the same documents, when the viewer may see all of them. */
function printAgreement([own, ...others]) {
  for (const { name, matches } of others) {
    for (const [kind, answers] of Object.entries(matches)) {
      const equal = answers.filter((answer, i) => answer === own.matches[kind]?.[i]).length;
      console.log(`the same documents as ${name}, ${kind}: ${equal} of ${answers.length} queries`);
    }
  }
}

for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
  const results = engines.map((engine) => measure(engine, size)).filter((result) => result !== undefined);
  console.log(`\n${size} documents; ms, in parentheses how many times ${results[0]?.name}\n`);
  const rows = [['', ...results.map(({ name }) => name)]];
  for (const kind of Object.keys(results[0].classes)) {
    rows.push(
      row(
        `${kind} p50`,
        results.map(({ classes }) => classes[kind]?.p50),
      ),
    );
    rows.push(
      row(
        `${kind} p99`,
        results.map(({ classes }) => classes[kind]?.p99),
      ),
    );
  }
  rows.push(
    row(
      'documents/s indexed',
      results.map(({ indexing }) => size / (indexing / 1000)),
    ),
  );
  rows.push(
    row(
      'documents/CPU s indexed',
      results.map(({ indexingCpu }) => size / (indexingCpu / 1000)),
    ),
  );
  rows.push(
    row(
      'settling, ms',
      results.map(({ settling }) => settling || undefined),
    ),
  );
  rows.push(
    row(
      'index memory, MB',
      results.map(({ memory }) => memory),
    ),
  );
  rows.push(
    row(
      'stored documents, MB',
      results.map(({ stored }) => stored || undefined),
    ),
  );
  rows.push(
    row(
      'reopen, ms',
      results.map(({ reopen }) => reopen),
    ),
  );
  for (const share of ['p50', 'p99']) {
    rows.push(
      row(
        `update one ${share}, ms`,
        results.map(({ update }) => update?.[share]),
      ),
    );
  }
  for (const share of ['p50', 'p99']) {
    rows.push(
      row(
        `delete one ${share}, ms`,
        results.map(({ remove }) => remove?.[share]),
      ),
    );
  }
  print(rows);
  printAgreement(results);
}
