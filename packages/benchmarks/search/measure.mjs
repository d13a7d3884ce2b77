// Measures one engine at one size and prints the figures as JSON: node --expose-gc measure.mjs ENGINE DOCUMENTS
import { makeDocuments, makeQueries } from './corpus.mjs';
import { ENGINES } from './engines.mjs';

const [name, size] = process.argv.slice(2);
const documentCount = Number(size);
const QUERY_CLASSES = [...Object.keys(makeQueries()), 'documents', 'highlighted'];
const MAX_CLASS_MS = 4000;

function memoryMb() {
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

async function timeIt(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Runs the queries of a class over and over, after a warm-up, and gives median and p99 in ms. */
async function measureClass(engine, kind, queries) {
  const run = engine[kind];
  if (run === undefined) return undefined;
  const deadline = performance.now() + MAX_CLASS_MS;
  for (let round = 0; round < 20 && performance.now() < deadline - MAX_CLASS_MS / 2; round++) {
    for (const query of queries) await run(query);
  }
  const times = [];
  for (let round = 0; round < 40 && (times.length < 30 || performance.now() < deadline); round++) {
    for (const query of queries) times.push(await timeIt(() => run(query)));
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function measureWrites(engine, documents) {
  if (engine.update === undefined) return {};
  const updates = [];
  const removals = [];
  const one = 300;
  for (let i = 0; i < one; i++) {
    const document = { ...documents[(i * 97) % documents.length], primaryName: `changed ${i}` };
    updates.push(await timeIt(() => engine.update(document)));
  }
  for (let i = 0; i < one; i++) {
    const { uri } = documents[(i * 89 + 1) % documents.length];
    removals.push(await timeIt(() => engine.remove(uri)));
  }
  const median = (times) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    );
  return { update: median(updates), remove: median(removals) };
}

const engine = await ENGINES[name]();
const queries = makeQueries();
let documents = [...makeDocuments(documentCount)];
const baseline = memoryMb();
const indexing = await timeIt(() => engine.add(documents));
const settling = engine.settle === undefined ? 0 : await timeIt(() => engine.settle());
const memory = memoryMb() - baseline;
const stored = (engine.storedBytes?.() ?? 0) / 1e6;
const result = { name, documentCount, indexing, settling, memory: memory - stored, stored, classes: {} };
for (const kind of QUERY_CLASSES) {
  result.classes[kind] = await measureClass(engine, kind, queries[kind] ?? queries.common);
}
result.found = [];
for (const query of queries.and.slice(0, 10)) result.found.push((await engine.and(query)).length);
if (engine.save !== undefined) {
  await engine.save();
  result.reopen = await timeIt(() => engine.reopen());
}
Object.assign(result, await measureWrites(engine, documents));
documents = [];
console.log(JSON.stringify(result));
process.exit(0);
