import { redactDocument, type Viewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { DocumentChange, SearchDocument, SearchIndex } from '../port/search-index.ts';
import { Random } from '../testing/random.ts';
import { randomDocument, randomText, SYNONYMS, VIEWERS, VOCABULARY } from '../testing/random-corpus.ts';
import { randomFilters, randomQuery, randomRelevance, randomSearch, randomShape } from '../testing/random-query.ts';
import { openSearchIndex } from './open-search-index.ts';

const CORPORA = Number(process.env['CAIRN_NON_INTERFERENCE'] ?? (process.env['CAIRN_LONG'] === '1' ? 1200 : 112));
const INDICES = ['search', 'other'];
const CONFIGURED = [
  { name: 'search', synonyms: SYNONYMS },
  { name: 'other', languages: ['en', 'fr', 'ru'], languageField: 'language' },
];

/** Each operation with random arguments; errors count as answers. */
const OPERATIONS: Readonly<
  Record<string, (random: Random) => (index: SearchIndex, viewer: Viewer) => Promise<unknown>>
> = {
  search: (random) => {
    const indices = random.pick([undefined, INDICES, ['other']]);
    const request = { ...randomSearch(random), ...randomShape(random), indices };
    return (index, viewer) => index.search(viewer, request);
  },
  budget: (random) => {
    const budget = { maxExpandedTerms: random.below(6), maxPostings: random.below(20) };
    const request = { ...randomSearch(random), budget };
    return (index, viewer) => index.search(viewer, request);
  },
  typeahead: (random) => {
    const fields = random.pick([undefined, ['*'], ['primaryName', 'parts.name'], ['notes', 'types']]);
    const request = { query: randomText(random, 2), fields, limit: random.pick([1, 2, 100]), ...randomFilters(random) };
    return (index, viewer) => index.typeahead(viewer, request);
  },
  facets: (random) => {
    const facet = random.pick([
      'types',
      'notes',
      'primaryName',
      'number',
      'parts/types',
      'parts/title',
      'start',
      'nothing',
    ]);
    const request = {
      query: random.pick(['*:*', randomQuery(random)]),
      facet,
      sampleSize: random.pick([1, 3, 1000]),
      ...randomRelevance(random),
    };
    return (index, viewer) => index.facets(viewer, request);
  },
  states: (random) => {
    const sort = random.pick([undefined, '<start', '>start', 'number,score', '<primaryName']);
    const request = {
      ids: random.list(1, 3, () => random.pick(VOCABULARY.IDS)),
      sort,
      showSecurityLabels: random.chance(0.5),
    };
    return (index, viewer) => index.states(viewer, request);
  },
  getDocument: (random) => {
    const id = random.pick(VOCABULARY.IDS);
    const showSecurityLabels = random.chance(0.5);
    return async (index, viewer) => (await index.getDocument(viewer, id, { showSecurityLabels })) ?? 'none';
  },
  getDocuments: (random) => {
    const ids = random.list(1, 4, () => random.pick(VOCABULARY.IDS));
    return (index, viewer) => index.getDocuments(viewer, ids);
  },
  correctEntity: (random) => {
    const request = {
      documentUri: random.pick(VOCABULARY.IDS),
      entityText: random.pick(['Anna', 'Bob']),
      entityCategory: random.pick(VOCABULARY.TYPES),
      resolvedEntityUri: 'http://e.org/resolved',
      resolvedCategory: random.pick(VOCABULARY.TYPES),
    };
    return async (index, viewer) => (await index.correctEntity(viewer, request))?.document ?? 'none';
  },
  explain: (random) => {
    const request = { ...randomSearch(random), id: random.pick(VOCABULARY.IDS) };
    return async (index, viewer) => (await index.explain(viewer, request)) ?? 'none';
  },
};

async function openFull(random: Random): Promise<{ index: SearchIndex; documents: Map<string, DocumentChange> }> {
  const index = await openSearchIndex({ indices: CONFIGURED });
  const documents = new Map<string, DocumentChange>();
  for (let batch = 0; batch < 4; batch++) {
    const changes = random.list(1, 8, (): DocumentChange => {
      const name = random.pick(INDICES);
      if (random.chance(0.15)) return { type: 'delete', index: name, id: random.pick(VOCABULARY.IDS) };
      return { type: 'put', index: name, document: randomDocument(random) };
    });
    await index.apply(changes);
    for (const change of changes) {
      if (change.type === 'put') documents.set(`${change.index} ${change.document.uri}`, change);
      else documents.delete(`${change.index} ${change.id}`);
    }
  }
  if (random.chance(0.3)) await index.compact();
  return { index, documents };
}

/** An index that only ever held what the viewer may see. */
async function openVisible(changes: Iterable<DocumentChange>, viewer: Viewer): Promise<SearchIndex> {
  const index = await openSearchIndex({ indices: CONFIGURED });
  const visible: DocumentChange[] = [];
  for (const change of changes) {
    if (change.type !== 'put') continue;
    const document = redactDocument(change.document, viewer, { showSecurityLabels: true });
    if (document?.['uri'] !== undefined) visible.push({ ...change, document: document as SearchDocument });
  }
  await index.apply(visible);
  return index;
}

async function answer(ask: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

describe('non-interference', () => {
  it(`answers byte for byte as if only visible data existed: ${CORPORA * VIEWERS.length * 9 * 2} cases`, async () => {
    for (let seed = 1; seed <= CORPORA; seed++) {
      const random = new Random(seed * 7919);
      const { index, documents } = await openFull(random);
      for (const viewer of VIEWERS) {
        const visible = await openVisible(documents.values(), viewer);
        for (const [name, prepare] of Object.entries(OPERATIONS)) {
          for (let i = 0; i < 2; i++) {
            const ask = prepare(random);
            const full = await answer(() => ask(index, viewer));
            const alone = await answer(() => ask(visible, viewer));
            expect(full, `${name}, seed ${seed}, viewer ${viewer.key}`).toBe(alone);
          }
        }
      }
    }
  }, 3_600_000);
});
