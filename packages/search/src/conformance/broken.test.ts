import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { TopicPositions } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type { SearchIndex, SearchResults } from '../port/search-index.ts';

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

async function failures(
  level: ConformanceLevel,
  open: (indices: readonly string[]) => Promise<SearchIndex>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const one of searchIndexConformance.filter((candidate) => candidate.level === level)) {
    await one.run(async () => ({ open })).catch(() => failed.push(one.name));
  }
  return failed;
}

describe('an index that is broken on purpose', () => {
  for (const [name, [level, change]] of Object.entries(BROKEN)) {
    it(`fails a ${level} case when it ${name}`, async () => {
      const open = async (indices: readonly string[]): Promise<SearchIndex> => {
        const index = await openSearchIndex({ indices });
        return altered(index, change(index));
      };
      expect(await failures(level, open)).not.toEqual([]);
    });
  }
});
