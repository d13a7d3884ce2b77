// Measures one engine at one size and prints the figures as JSON: node --expose-gc measure.mjs ENGINE DOCUMENTS
import { createHash } from 'node:crypto';
import { makeDocuments, makeQueries } from './corpus.mjs';
import { ENGINES } from './engines.mjs';

const [name, size] = process.argv.slice(2);
const documentCount = Number(size);
const QUERY_CLASSES = [...Object.keys(makeQueries()), 'documents', 'highlighted'];
/** How long one class is measured at most, its warm-up included. */
const MAX_CLASS_MS = Number(process.env.SEARCH_CLASS_MS ?? 1500);
/** Queries of each class whose whole answers are compared among engines. */
const COMPARED = 8;
const WRITES = 300;
const MAX_WRITES_MS = 20_000;

/** Tells of the progress where whoever started this listens. */
const report = (text) => console.error(`  ${name} ${documentCount}: ${text}`);

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
  const started = performance.now();
  const share = () => (performance.now() - started) / MAX_CLASS_MS;
  for (let i = 0; i < 600 && share() < 0.5; i++) await run(queries[i % queries.length]);
  const times = [];
  for (let i = 0; i < 1200 && (i < 8 || share() < 1); i++) {
    times.push(await timeIt(() => run(queries[i % queries.length])));
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function measureWrites(engine, documents) {
  if (engine.update === undefined) return {};
  const deadline = performance.now() + MAX_WRITES_MS;
  const many = async (write) => {
    const times = [];
    for (let i = 0; i < WRITES && (i < 8 || performance.now() < deadline); i++)
      times.push(await timeIt(() => write(i)));
    times.sort((a, b) => a - b);
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  };
  const update = await many((i) => {
    return engine.update({ ...documents[(i * 97) % documents.length], primaryName: `changed ${i}` });
  });
  const remove = await many((i) => engine.remove(documents[(i * 89 + 1) % documents.length].uri));
  return { update, remove };
}

/** How many documents match, and a hash of their ids: equal for engines that find the same. */
async function describeMatches(engine, queries) {
  const described = {};
  for (const [kind, find] of Object.entries(engine.matches ?? {})) {
    described[kind] = [];
    for (const query of queries[kind].slice(0, COMPARED)) {
      const ids = [...(await find(query))].sort();
      described[kind].push(`${ids.length}:${createHash('sha256').update(ids.join()).digest('hex')}`);
    }
  }
  return described;
}

const engine = await ENGINES[name]();
const queries = makeQueries();
let documents = [...makeDocuments(documentCount)];
const baseline = memoryMb();
report('indexing');
const before = process.cpuUsage();
const indexing = await timeIt(() => engine.add(documents));
const { user, system } = process.cpuUsage(before);
const settling = engine.settle === undefined ? 0 : await timeIt(() => engine.settle());
const memory = memoryMb() - baseline;
const stored = (engine.storedBytes?.() ?? 0) / 1e6;
const indexingCpu = (user + system) / 1000;
const result = { name, documentCount, indexing, indexingCpu, settling, memory: memory - stored, stored, classes: {} };
for (const kind of QUERY_CLASSES) {
  report(kind);
  result.classes[kind] = await measureClass(engine, kind, queries[kind] ?? queries.common);
}
result.matches = await describeMatches(engine, queries);
if (engine.save !== undefined) {
  report('reopen');
  try {
    await engine.save();
    result.reopen = await timeIt(() => engine.reopen());
  } catch (error) {
    // lunr's index as one text outgrows the longest string there can be.
    console.error(`${name} cannot be saved at ${documentCount} documents: ${error.message}`);
  }
}
report('writes');
Object.assign(result, await measureWrites(engine, documents));
documents = [];
console.log(JSON.stringify(result));
process.exit(0);
