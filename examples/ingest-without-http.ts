/**
 * From an uploaded file to a search result, everything in memory: the whole pipeline in one program.
 */
import { createHeaders, createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { type Clock, createIngest, type Extractor, parseRoute, type UploadPart } from '@cairn/ingest';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { createViewer } from '@cairn/security';

// The engine reads no clock and draws no random number: both are handed in.
const clock: Clock = {
  nowMs: () => 0,
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
let ids = 0;

// Reads plain text. `createExtractionPool` of @cairn/node-runtime reads PDF, Office files, mail and more.
const extractor: Extractor = {
  extract: async ({ bytes, filename }) => ({
    contentType: 'text/plain',
    text: new TextDecoder().decode(bytes),
    title: filename,
    metadata: {},
  }),
  close: async () => {},
};

const ingest = createIngest({
  log: createMemoryEventLog({ nowMs: () => 0 }),
  blobs: createMemoryBlobStore(),
  search: await openSearchIndex({ indices: ['search', 'doc-content'] }),
  datasets: [{ dataset: await openGraphDataset({ name: 'knowledge' }), defaultLabel: '!' }],
  extractor,
  routes: [
    parseRoute(
      { name: 'local', topic: 'document.extractrequest', namespace: 'https://example.org/documents/' },
      { file: 'this program' },
    ),
  ],
  clock,
  nextId: () => `id-${ids++}`,
});
await ingest.start();

// The graph first: its entities are what the pipeline looks for in texts.
const turtle = `
  @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
  <https://example.org/id/skerry> a <https://example.org/Lighthouse> ; skos:prefLabel "Skerry Light" .
`;
await ingest.load({
  dataset: 'knowledge',
  contentType: 'text/turtle',
  value: new TextEncoder().encode(turtle),
  label: '*',
});

async function* parts(files: Record<string, string>): AsyncIterable<UploadPart> {
  for (const [filename, text] of Object.entries(files)) {
    yield { filename, declaredType: 'text/plain', content: chunks(text) };
  }
}
async function* chunks(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const keeper = createViewer({ attributes: { staff: ['true'] } });
const outcome = await ingest.upload({
  route: 'local',
  headers: createHeaders({ 'Security-Label': 'staff' }),
  parts: parts({ 'log.txt': 'Storm in the night. At Skerry Light the lamp went out.' }),
  viewer: keeper,
});
console.log(outcome.successful, outcome.documents[0]?.status);

// The upload is durable by now; the caches follow. `settle` waits for them.
await ingest.settle();

for (const [name, viewer] of Object.entries({ keeper, visitor: createViewer({ attributes: {} }) })) {
  const { results } = await ingest.search.search(viewer, { query: 'lamp', indices: ['doc-content'] });
  console.log(name, results.length, JSON.stringify(results[0]?.document['entities'] ?? []));
}
await ingest.stop();

/* Prints:
true Accepted by route local
keeper 1 [{"text":"Skerry Light","category":"https://example.org/Lighthouse","uri":"https://example.org/id/skerry","mentions":[{"field":"content","start":23,"end":35}]}]
visitor 0 []
*/
