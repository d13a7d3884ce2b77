import { isCodedError } from '@cairn/errors';
import { createMemoryBlobStore } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import type { DocumentChange, SearchResults } from '../port/search-index.ts';
import { Random } from '../testing/random.ts';
import { randomDocument, SYNONYMS, VIEWERS, VOCABULARY } from '../testing/random-corpus.ts';
import { randomSearch } from '../testing/random-query.ts';
import { ReferenceIndex } from '../testing/reference-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const WALKS = Number(process.env['CAIRN_DIFFERENTIAL'] ?? (process.env['CAIRN_LONG'] === '1' ? 6000 : 560));
const QUERIES_PER_STEP = 3;

function randomBatch(random: Random): DocumentChange[] {
  return random.list(1, 6, (): DocumentChange => {
    if (random.chance(0.2)) return { type: 'delete', index: 'search', id: random.pick(VOCABULARY.IDS) };
    return { type: 'put', index: 'search', document: randomDocument(random) };
  });
}

async function walk(seed: number): Promise<number> {
  const random = new Random(seed);
  const blobs = createMemoryBlobStore();
  const synonyms = random.chance(0.5) ? SYNONYMS : [];
  const indices = [{ name: 'search', synonyms }];
  const reference = new ReferenceIndex(synonyms);
  let index = await openSearchIndex({ indices, blobs });
  let compared = 0;
  for (let step = 0; step < 6; step++) {
    const batch = randomBatch(random);
    await index.apply(batch);
    reference.apply(batch);
    if (random.chance(0.2)) await index.compact();
    if (random.chance(0.2)) {
      await index.flush();
      await index.close();
      index = await openSearchIndex({ indices, blobs });
    }
    for (let i = 0; i < QUERIES_PER_STEP; i++) {
      const viewer = random.pick(VIEWERS);
      const request = randomSearch(random);
      const found = await outcomeOf(() => index.search(viewer, request));
      expect(found, `seed ${seed}: ${JSON.stringify(request)}`).toEqual(
        await outcomeOf(() => reference.search(viewer, request)),
      );
      compared++;
    }
  }
  return compared;
}

/** Ids, scores and whether there is more; or the code of an error. */
async function outcomeOf(search: () => Found | Promise<Found>): Promise<unknown> {
  try {
    const { results, maybeMore } = await search();
    return { results: results.map(({ id, score }) => ({ id, score })), maybeMore };
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

type Found = Pick<ReturnType<ReferenceIndex['search']>, 'results' | 'maybeMore'> | SearchResults;

describe('search against the naive reference', () => {
  it(`gives the same ids, order and exact scores in ${WALKS} random walks`, async () => {
    let compared = 0;
    for (let seed = 1; seed <= WALKS; seed++) compared += await walk(seed);
    expect(compared).toBe(WALKS * 6 * QUERIES_PER_STEP);
  }, 3_600_000);
});
