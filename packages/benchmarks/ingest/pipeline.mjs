// Documents per second from the upload to the search index, in one process, on memory adapters.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHeaders, createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { createIngest, parseRoute } from '@cairn/ingest';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { createViewer } from '@cairn/security';
import { createNames, createRandom, createTexts } from './documents.mjs';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The clock of this machine. */
export const clock = {
  nowMs: () => Date.now(),
  sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal }).catch(() => {}),
};

/** Reads plain text: extraction has a benchmark of its own. */
export const textExtractor = {
  extract: async ({ bytes, filename }) => ({
    contentType: 'text/plain',
    text: decoder.decode(bytes),
    title: filename,
    metadata: {},
  }),
  close: async () => {},
};

async function* oneFile(name, text) {
  const content = (async function* () {
    yield encoder.encode(text);
  })();
  yield { filename: name, declaredType: 'text/plain', content };
}

/** Runs every document through the pipeline and tells how long each part took. */
export async function runPipeline(documents, nameCount) {
  const random = createRandom(42);
  const { names, ntriples } = createNames(nameCount, random);
  const texts = createTexts(documents, names, random);
  const dataset = await openGraphDataset({ name: 'knowledge' });
  const ingest = createIngest({
    log: createMemoryEventLog({ now: Date.now }),
    blobs: createMemoryBlobStore(),
    search: await openSearchIndex({ indices: ['search', 'doc-content'] }),
    datasets: [{ dataset }],
    extractor: textExtractor,
    routes: [
      parseRoute(
        { name: 'bench', topic: 'document.extractrequest', namespace: 'https://example.org/d/' },
        { file: 'bench' },
      ),
    ],
    clock,
    nextId: randomUUID,
  });
  await ingest.start();
  const viewer = createViewer({ attributes: {} });
  const timings = {};
  const timed = async (what, task) => {
    const start = performance.now();
    await task();
    timings[what] = (performance.now() - start) / 1000;
  };
  await timed('names', () =>
    ingest.load({
      dataset: 'knowledge',
      contentType: 'application/n-triples',
      value: encoder.encode(ntriples),
      label: '*',
      timeoutMs: 600_000,
    }),
  );
  await timed('all', async () => {
    await timed('accepted', async () => {
      for (const [at, text] of texts.entries()) {
        const headers = createHeaders({ 'Security-Label': '*' });
        await ingest.upload({ route: 'bench', headers, parts: oneFile(`${at}.txt`, text), viewer });
      }
    });
    await ingest.settle({ timeoutMs: 600_000 });
  });
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const figures = await ingest.figures();
  await ingest.stop();
  return { documents, names: names.length, bytes, timings, figures };
}
