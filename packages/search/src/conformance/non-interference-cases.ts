import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import { redactDocument, type Viewer } from '@cairn/security';
import type { SearchDocument, SearchIndex } from '../port/search-index.ts';
import { ensureEqual, NOBODY, openSample, PUBLIC, puts, SAMPLE, SECRET, type SearchIndexHarness } from './sample.ts';

type Ask = (index: SearchIndex, viewer: Viewer) => Promise<unknown>;

const QUERIES = [
  'wrecks',
  'harbour lighthouse',
  '"of the harbour"',
  'repair*',
  'lihgthouse~2',
  '*:*',
  'content:wrecks^3 survey',
];

/** Every index holds what the viewer may see; only the first one holds anything else. */
async function compare(harness: SearchIndexHarness, asks: Readonly<Record<string, Ask>>): Promise<void> {
  const full = await openSample(harness);
  for (const viewer of [PUBLIC, SECRET, NOBODY]) {
    const visible = SAMPLE.map((document) => redactDocument(document, viewer, { showSecurityLabels: true }));
    const alone = await harness.open(['search']);
    await alone.apply(puts(visible.filter((document) => document !== undefined) as SearchDocument[]));
    for (const [name, ask] of Object.entries(asks))
      ensureEqual(await ask(full, viewer), await ask(alone, viewer), name);
  }
}

function forQueries(ask: (query: string) => Ask): Record<string, Ask> {
  return Object.fromEntries(QUERIES.map((query) => [query, ask(query)]));
}

/** The law that an answer is made from visible data only, operation by operation. */
export const nonInterferenceCases: readonly ConformanceCase<SearchIndexHarness>[] = casesOf<SearchIndexHarness>(
  'non-interference',
  {
    async 'searches, scores and pages as if only visible data existed'(harness) {
      const ask = (query: string): Ask => {
        return async (index, viewer) => {
          const whole = await index.search(viewer, { query, highlight: true });
          const first = await index.search(viewer, { query, limit: 1 });
          return [whole, first, await index.search(viewer, { query, offset: 2 })];
        };
      };
      await compare(harness, forQueries(ask));
    },

    async 'suggests as if only visible data existed'(harness) {
      await compare(harness, {
        harbour: (index, viewer) => index.typeahead(viewer, { query: 'harb' }),
        repairs: (index, viewer) => index.typeahead(viewer, { query: 'lighthouse r', fields: ['*Name', 'content'] }),
      });
    },

    async 'counts facets as if only visible data existed'(harness) {
      const ask = (query: string): Ask => {
        return (index, viewer) => index.facets(viewer, { query, facet: 'types', sampleSize: 2 });
      };
      await compare(harness, forQueries(ask));
    },

    async 'gives states and documents as if only visible data existed'(harness) {
      await compare(harness, {
        states: (index, viewer) => index.states(viewer, { ids: ['d:1', 'd:2'], sort: '<start' }),
        documents: (index, viewer) =>
          index.getDocuments(viewer, ['d:1', 'd:2', 'd:3', 'd:4'], { showSecurityLabels: true }),
      });
    },

    async 'spends its budget on visible data only'(harness) {
      await compare(harness, {
        expansions: async (index, viewer) => {
          const budget = { maxExpandedTerms: 4 };
          const refused = (error: { code: string; message: string }) => [error.code, error.message];
          return index.search(viewer, { query: 're* w* h*', budget }).catch(refused);
        },
      });
    },

    async 'forgets what was deleted'(harness) {
      const index = await openSample(harness);
      const before = await index.search(PUBLIC, { query: 'wrecks harbour' });
      const extra = { ...SAMPLE[0], uri: 'd:0' };
      await index.apply(puts([extra]));
      await index.apply([{ type: 'delete', index: 'search', id: 'd:0' }]);
      ensureEqual(await index.search(PUBLIC, { query: 'wrecks harbour' }), before, 'scores');
    },
  },
);
