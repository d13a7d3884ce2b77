// Reading JSON-LD beside jsonld-streaming-parser: npm run bench -- json-ld [MEGABYTES]
import { parseRdfBatches } from '@cairn/rdf-graph';
import { JsonLdParser } from 'jsonld-streaming-parser';

const megabytes = Number(process.argv[2] ?? 4);
/** The other reader gets this part: its time grows with the square of some shapes. */
const PEER_SHARE = 1 / 16;

const compact = (i) =>
  `{"@id":"http://e/node/${i}","@type":"http://e/T","name":"The name of node ${i}","age":${i},"knows":{"@id":"http://e/node/${i + 1}"}}`;
const expanded = (i) =>
  `{"@id":"http://e/node/${i}","@type":["http://e/T"],"http://e/name":[{"@value":"The name of node ${i}"}],"http://e/knows":[{"@id":"http://e/node/${i + 1}"}]}`;
const context = '"@context":{"@vocab":"http://e/"}';

const SHAPES = {
  'array, expanded': (nodes) => `[${nodes(expanded)}]`,
  'context, graph': (nodes) => `{${context},"@graph":[${nodes(compact)}]}`,
  'context, name, graph': (nodes) => `{${context},"@id":"http://e/g","@graph":[${nodes(compact)}]}`,
  'graph, context': (nodes) => `{"@graph":[${nodes(compact)}],${context}}`,
  'one node of many values': (nodes) => `{${context},"@id":"http://e/s","p":[${nodes(compact)}]}`,
};

function textOf(shape, size) {
  return shape((write) =>
    Array.from({ length: Math.ceil((size * 1e6) / write(0).length) }, (_, i) => write(i)).join(','),
  );
}

async function* readByLibrary(text) {
  const parser = new JsonLdParser();
  parser.end(text);
  for await (const quad of parser) yield [quad];
}

const readByCairn = (text) => parseRdfBatches(text, { contentType: 'application/ld+json' });

/** Reads all; gives megabytes a second and the longest wait of another event. */
async function measure(read, text) {
  let longestMs = 0;
  let lastMs = performance.now();
  let isReading = true;
  const watch = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (isReading) setImmediate(watch);
  };
  setImmediate(watch);
  const startMs = performance.now();
  let quads = 0;
  for await (const batch of read(text)) quads += batch.length;
  isReading = false;
  const tookMs = performance.now() - startMs;
  return { 'MB/s': Number((text.length / 1e3 / tookMs).toFixed(2)), 'longest wait, ms': Math.round(longestMs), quads };
}

const rows = {};
for (const [name, shape] of Object.entries(SHAPES)) {
  await measure(readByCairn, textOf(shape, 1));
  globalThis.gc?.();
  rows[`${name}: cairn`] = await measure(readByCairn, textOf(shape, megabytes));
  globalThis.gc?.();
  rows[`${name}: library`] = await measure(readByLibrary, textOf(shape, megabytes * PEER_SHARE));
}
console.table(rows);
