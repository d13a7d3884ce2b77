// One engine in one process: node --expose-gc measure.mjs ENGINE SIZE; prints JSON.
import { createHash } from 'node:crypto';
import { namedNode, quad } from '@cairn/rdf-graph';
import { generate, KNOWS, person, QUERIES, queryText } from './data.mjs';

const [engineName, sizeText] = process.argv.slice(2);
const size = Number(sizeText);
const { open } = await import(`./engine-${engineName}.mjs`);
const { text, persons, organisations } = generate(size);
const only = process.env['BENCH_ONLY']?.split(',');
const budgetMs = Number(process.env['BENCH_MS'] ?? 1500);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Numbers are compared as numbers: engines differ in how many decimals they write. */
function fingerprint(rows) {
  const toText = (term) => {
    if (term === undefined) return '-';
    const isNumber = term.termType === 'Literal' && /#(integer|decimal|double)$/.test(term.datatype.value);
    return isNumber ? Number(term.value).toPrecision(9) : term.value;
  };
  const lines = rows
    .map((row) =>
      row
        .filter((term) => term !== undefined)
        .map(toText)
        .sort()
        .join('\t'),
    )
    .sort();
  return `${rows.length} ${createHash('sha1').update(lines.join('\n')).digest('hex').slice(0, 12)}`;
}

globalThis.gc();
const before = process.memoryUsage().rss;
const loadStart = cpuMs();
const engine = await open(text);
const loadMs = cpuMs() - loadStart;
globalThis.gc();
const memory = process.memoryUsage();
const report = {
  loadPerSecond: Math.round(size / (loadMs / 1000)),
  rssMB: Math.round(memory.rss / 1e6),
  addedMB: Math.round((memory.rss - before) / 1e6),
  queries: {},
};

/** Code that runs often is compiled first: quick queries are run for a while before they are measured. */
const WARM_MS = 300;
const QUICK_MS = 20;

async function warmUp(run) {
  const from = performance.now();
  await run(-1);
  if (performance.now() - from > QUICK_MS) return;
  for (let i = -2; performance.now() - from < WARM_MS; i--) await run(i);
}

async function timed(name, run) {
  await warmUp(run);
  const wall = [];
  let first;
  const cpuStart = cpuMs();
  const start = performance.now();
  for (let i = 0; i < 3000 && (i < 2 || performance.now() - start < budgetMs); i++) {
    const from = performance.now();
    const result = await run(i);
    wall.push(performance.now() - from);
    first ??= result;
    if (performance.now() - start > 20_000) break;
  }
  const cpu = (cpuMs() - cpuStart) / wall.length;
  const middle = median(wall);
  report.queries[name] = { ms: middle > 3 ? cpu : middle, wallMs: middle, runs: wall.length, answer: first };
}

for (const name of Object.keys(QUERIES)) {
  if (only !== undefined && !only.includes(name)) continue;
  await timed(name, async (i) => {
    const rows = await engine.query(queryText(name, i, { persons, organisations }));
    return i === 0 ? fingerprint(rows) : undefined;
  });
}
// Before anything is inserted: how much that will be depends on how fast it goes.
if (only === undefined && engine.reopen !== undefined) report.reopenMs = await engine.reopen();
if (only === undefined) {
  // As long as the queries are measured: the first walks warm the code up.
  let quads = 0;
  let spent = 0;
  const hops = Math.min(persons, 2000);
  for (let from = 0; spent < 2 * budgetMs; from += 50) {
    const start = cpuMs();
    const walked = engine.twoHop(from % hops, (from % hops) + 50);
    const took = cpuMs() - start;
    spent += took;
    if (spent > budgetMs) quads += walked;
  }
  report.twoHopPerSecond = Math.round(quads / (Math.max(1, spent - budgetMs) / 1000));
  const toQuad = engine.toQuad ?? (([s, p, o]) => quad(namedNode(s), namedNode(p), namedNode(o)));
  let next = 0;
  const fresh = () => toQuad([person(`new${next++}`), KNOWS, person(next % persons)]);
  await timed('insert of one', () => engine.insert([fresh()]));
  await timed('insert of 1,000', () => engine.insert(Array.from({ length: 1000 }, fresh)));
  await timed('update of one', () =>
    engine.update(`INSERT DATA { <${person(`upd${next++}`)}> <${KNOWS}> <${person(1)}> }`),
  );
}
process.stdout.write(JSON.stringify(report));
process.exit(0);
