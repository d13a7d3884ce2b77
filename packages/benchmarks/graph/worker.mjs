// Reading from a worker over shared memory: node packages/benchmarks/graph/worker.mjs [SIZE]
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { allocateShared, namedNode, openGraphDataset, openSharedSnapshot, parseRdfBatches } from '@cairn/rdf-graph';
import { createViewer } from '@cairn/security';
import { generate, KNOWS, person } from './data.mjs';

/** Look-ups and scans over a snapshot. */
function read(snapshot) {
  const start = performance.now();
  const knows = snapshot.idOf(namedNode(KNOWS));
  let quads = 0;
  for (let i = 0; i < 20_000; i++) quads += snapshot.count(snapshot.idOf(namedNode(person(i % 5000))), knows, 0, 1);
  snapshot.forEach(0, knows, 0, 1, () => quads++);
  return { quads, ms: Math.round(performance.now() - start) };
}

if (isMainThread) {
  const size = Number(process.argv[2] ?? 1_000_000);
  const viewer = createViewer({ attributes: { clearance: ['O'] } });
  const dataset = await openGraphDataset({ name: 'bench', allocate: allocateShared });
  const batches = parseRdfBatches(generate(size).text, { contentType: 'application/n-triples' });
  await dataset.load(batches, { label: 'clearance=O' });
  const snapshot = dataset.snapshot(viewer);
  read(snapshot);
  const here = read(snapshot);
  const start = performance.now();
  const worker = new Worker(new URL(import.meta.url), { workerData: snapshot.share() });
  const there = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  console.log(`main thread ${here.ms} ms, worker ${there.second.ms} ms (first time ${there.first.ms} ms)`);
  console.log(`started, received and read ${size} triples after ${Math.round(performance.now() - start)} ms`);
  if (here.quads !== there.second.quads) throw new Error('the worker read something else');
  await worker.terminate();
} else {
  const snapshot = openSharedSnapshot(workerData);
  parentPort.postMessage({ first: read(snapshot), second: read(snapshot) });
}
