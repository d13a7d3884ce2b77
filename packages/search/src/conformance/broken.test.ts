import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { TopicPositions } from '@cairn/events';
import { createViewerOfEverything, type Viewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type {
  ExplainRequest,
  FacetRequest,
  SearchIndex,
  SearchRequest,
  SearchResults,
  StatesRequest,
  TypeaheadRequest,
} from '../port/search-index.ts';

const EVERYTHING = createViewerOfEverything();

/** Deliberate defects, and the level whose cases must find each. */
const BROKEN: Readonly<Record<string, readonly [ConformanceLevel, (index: SearchIndex) => Partial<SearchIndex>]>> = {
  'ignores the viewer': ['core', (index) => ({ search: (_, request) => index.search(EVERYTHING, request) })],
  'suggests what is hidden': ['core', (index) => ({ typeahead: (_, request) => index.typeahead(EVERYTHING, request) })],
  'counts hidden facets': ['core', (index) => ({ facets: (_, request) => index.facets(EVERYTHING, request) })],
  'shows whole documents by id': [
    'core',
    (index) => ({ getDocuments: (_, ids, request) => index.getDocuments(EVERYTHING, ids, request) }),
  ],
  'corrects hidden entities': [
    'core',
    (index) => ({ correctEntity: (_, request) => index.correctEntity(EVERYTHING, request) }),
  ],
  'always expects more': ['core', (index) => onSearch(index, (results) => ({ ...results, maybeMore: true }))],
  'turns ties around': [
    'core',
    (index) => onSearch(index, (results) => ({ ...results, results: [...results.results].reverse() })),
  ],
  'forgets deletes': [
    'core',
    (index) => ({
      apply: (changes, positions) =>
        index.apply(
          changes.filter(({ type }) => type === 'put'),
          positions,
        ),
    }),
  ],
  'applies half a batch': [
    'core',
    (index) => ({
      async apply(changes, positions) {
        for (const change of changes) await index.apply([change], positions);
      },
    }),
  ],
  'gives its own positions away': ['core', (index) => ({ positions: ownedBy({}, () => index.positions()) })],
  'loses positions': ['core', (index) => ({ apply: (changes) => index.apply(changes) })],
  'does not look at the signal': [
    'core',
    (index) => ({ search: (viewer, { signal: _signal, ...request }) => index.search(viewer, request) }),
  ],
  'shows everything where types are filtered': [
    'core',
    onlyFor('search', ({ typeFilter }) => typeFilter !== undefined),
  ],
  'shows everything where a range is filtered': ['core', onlyFor('search', ({ range }) => range !== undefined)],
  'shows everything to a phrase': ['core', onlyFor('search', ({ type }) => type === 'phrase')],
  'shows everything to a term': ['core', onlyFor('search', ({ type }) => type === 'term')],
  'shows everything where labels and highlights are asked for': [
    'core',
    onlyFor('search', ({ highlight, showSecurityLabels }) => Boolean(highlight && showSecurityLabels)),
  ],
  'shows everything where a type filter meets a phrase': [
    'core',
    onlyFor('search', ({ type, typeFilter }) => type === 'phrase' && typeFilter !== undefined),
  ],
  'shows everything in some indices': ['core', onlyFor('search', ({ indices }) => indices !== undefined)],
  'shows everything on later pages': ['core', onlyFor('search', ({ offset }) => offset !== undefined)],
  'shows everything where a budget is given': ['core', onlyFor('search', ({ budget }) => budget !== undefined)],
  'shows everything to a regular expression': ['core', onlyFor('search', ({ query }) => query.startsWith('/'))],
  'counts hidden facets where types are filtered': [
    'core',
    onlyFor('facets', ({ typeFilter }) => typeFilter !== undefined),
  ],
  'counts hidden facets where a range is filtered': ['core', onlyFor('facets', ({ range }) => range !== undefined)],
  'suggests what is hidden where a filter is': [
    'core',
    onlyFor('typeahead', ({ typeFilter, range }) => typeFilter !== undefined || range !== undefined),
  ],
  'shows states that are hidden where they are sorted': ['core', onlyFor('states', ({ sort }) => sort !== undefined)],
  'explains what is hidden where types are filtered': [
    'core',
    onlyFor('explain', ({ typeFilter }) => typeFilter !== undefined),
  ],
  'shows whole documents with their labels': [
    'core',
    (index) => ({
      getDocument: (viewer, id, request) =>
        index.getDocument(request?.showSecurityLabels ? EVERYTHING : viewer, id, request),
    }),
  ],
  'keeps what comes before a bad change': [
    'core',
    (index) => ({
      async apply(changes, positions) {
        for (const change of changes) await index.apply([change]);
        await index.apply([], positions);
      },
    }),
  ],
  'does not sort states': [
    'core',
    (index) => ({ states: (viewer, { sort: _, ...request }) => index.states(viewer, request) }),
  ],
  'does not narrow states': [
    'core',
    (index) => ({ states: (viewer, { range: _, ...request }) => index.states(viewer, request) }),
  ],
  'never shows labels of states': [
    'core',
    (index) => ({ states: (viewer, { showSecurityLabels: _, ...request }) => index.states(viewer, request) }),
  ],
  'counts facets without a look at the signal': [
    'core',
    (index) => ({ facets: (viewer, { signal: _, ...request }) => index.facets(viewer, request) }),
  ],
  'gives a document without a look at the signal': [
    'core',
    (index) => ({
      getDocument: (viewer, id, request) => index.getDocument(viewer, id, { ...request, signal: undefined }),
    }),
  ],
  'goes on after it was closed': ['core', () => ({ close: async () => {} })],
  'tells in its errors how much there is': [
    'non-interference',
    (index) => ({
      search: (viewer, request) =>
        index.search(viewer, request).catch(async (error: Error) => {
          const { results } = await index.search(EVERYTHING, { query: '*:*' });
          error.message += ` (of ${results.length} documents)`;
          throw error;
        }),
    }),
  ],
  'scores by everything stored where types are filtered': [
    'non-interference',
    (index) => ({
      async search(viewer, request) {
        const own = await index.search(viewer, request);
        if (request.typeFilter === undefined) return own;
        const all = await index.search(EVERYTHING, { ...request, offset: 1, limit: 1000 });
        const score = all.results[0]?.score ?? 0;
        return { ...own, results: own.results.map((result) => ({ ...result, score })) };
      },
    }),
  ],
  'scores by everything stored': [
    'non-interference',
    (index) => ({
      async search(viewer, request) {
        const [own, all] = [
          await index.search(viewer, request),
          await index.search(EVERYTHING, { ...request, limit: 1000 }),
        ];
        const scores = new Map(all.results.map(({ id, score }) => [id, score]));
        return {
          ...own,
          results: own.results.map((result) => ({ ...result, score: scores.get(result.id) ?? result.score })),
        };
      },
    }),
  ],
  'samples facets before it hides': [
    'non-interference',
    (index) => ({
      async facets(viewer, request) {
        const all = await index.facets(EVERYTHING, request);
        return { ...(await index.facets(viewer, request)), sampleSize: all.sampleSize };
      },
    }),
  ],
};

/** Positions in one object, which every caller is given. */
function ownedBy(own: TopicPositions, positions: () => TopicPositions): () => TopicPositions {
  return () => Object.assign(own, { ...positions(), ...own });
}

type Requests = {
  search: SearchRequest;
  facets: FacetRequest;
  typeahead: TypeaheadRequest;
  states: StatesRequest;
  explain: ExplainRequest;
};

/** Answers one operation over everything that is stored, for some of its requests. */
function onlyFor<Operation extends keyof Requests>(
  operation: Operation,
  isLeaking: (request: Requests[Operation]) => boolean,
): (index: SearchIndex) => Partial<SearchIndex> {
  return (index) => {
    const read = index[operation].bind(index) as (viewer: Viewer, request: Requests[Operation]) => unknown;
    const leaking: typeof read = (viewer, request) => read(isLeaking(request) ? EVERYTHING : viewer, request);
    return { [operation]: leaking };
  };
}

function onSearch(index: SearchIndex, change: (results: SearchResults) => SearchResults): Partial<SearchIndex> {
  return { search: async (viewer, request) => change(await index.search(viewer, request)) };
}

function altered(index: SearchIndex, changes: Partial<SearchIndex>): SearchIndex {
  return new Proxy(index, {
    get(target, key) {
      const source = key in changes ? changes : target;
      const member = Reflect.get(source, key, source) as unknown;
      return typeof member === 'function' ? member.bind(source) : member;
    },
  });
}

/** The name of the first case that an index fails; cases named after what is broken are tried first. */
async function firstFailure(
  level: ConformanceLevel,
  open: (indices: readonly string[]) => Promise<SearchIndex>,
  broken: readonly string[],
): Promise<string | undefined> {
  const isNear = ({ name }: { readonly name: string }): boolean => broken.some((one) => name.startsWith(`${one} `));
  const cases = searchIndexConformance.filter((candidate) => candidate.level === level);
  for (const { name, run } of cases.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)))) {
    const isPassed = await run(async () => ({ open })).then(
      () => true,
      () => false,
    );
    if (!isPassed) return name;
  }
  return undefined;
}

describe('an index that is broken on purpose', () => {
  for (const [name, [level, change]] of Object.entries(BROKEN)) {
    it(`fails a ${level} case when it ${name}`, async () => {
      const open = async (indices: readonly string[]): Promise<SearchIndex> => {
        const index = await openSearchIndex({ indices });
        return altered(index, change(index));
      };
      const broken = Object.keys(change(await openSearchIndex({ indices: ['search'] })));
      expect(await firstFailure(level, open, broken)).toBeTypeOf('string');
    });
  }
});
