import { runAtOnce } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VALUE_STRIDE } from '../postings/positions.ts';
import { Occurrences } from './occurrences.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 500;
const TERMS = 5;
const STOP = -1;

/** Slots of values of terms, as numbers; -1 for a stop word. */
type Slots = readonly (readonly (readonly number[])[])[];

function collect(slots: Slots): Occurrences {
  const occurrences = new Occurrences(true);
  for (const values of slots) {
    occurrences.startSlot();
    for (const terms of values) {
      occurrences.startValue();
      for (const term of terms) {
        if (term === STOP) occurrences.skip();
        else occurrences.add(term);
      }
    }
  }
  occurrences.end();
  return occurrences;
}

function sort(occurrences: Occurrences, rankOf: Uint32Array): [slot: number, position: number][][] {
  const work = occurrences.sortByRank(rankOf);
  let step = work.next();
  while (!step.done) step = work.next();
  const { offset, slot, position } = step.value;
  return Array.from({ length: rankOf.length }, (_, rank) => {
    const places = Array.from(slot.subarray(offset[rank], offset[rank + 1]));
    return places.map((place, i) => [place, position[offset[rank] + i]]);
  });
}

function sortNaively(slots: Slots, rankOf: Uint32Array): [slot: number, position: number][][] {
  const byRank: [number, number][][] = Array.from({ length: rankOf.length }, () => []);
  slots.forEach((values, slot) => {
    values.forEach((terms, value) => {
      terms.forEach((term, offset) => {
        if (term !== STOP) byRank[rankOf[term]].push([slot, value * VALUE_STRIDE + offset]);
      });
    });
  });
  return byRank;
}

describe('occurrences', () => {
  it('are sorted by term as a list of lists would be, and count the lengths of slots', () => {
    const terms = fc.array(fc.integer({ min: STOP, max: TERMS - 1 }), { maxLength: 8 });
    const slots = fc.array(fc.array(terms, { minLength: 1, maxLength: 3 }), { maxLength: 8 });
    const ranks = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: TERMS });
    fc.assert(
      fc.property(slots, ranks, (all, rankList) => {
        const rankOf = Uint32Array.from(rankList);
        const occurrences = collect(all);
        expect(sort(occurrences, rankOf)).toEqual(sortNaively(all, rankOf));
        const lengths = all.map((values) => values.flat().filter((term) => term !== STOP).length);
        expect([...runAtOnce(occurrences.toLengths())]).toEqual(lengths);
      }),
      { numRuns: RUNS },
    );
  });

  it('keep the positions of more values than 32 bits can number', () => {
    const values = Array.from({ length: 5000 }, () => [0]);
    const [places] = sort(collect([values]), Uint32Array.of(0));
    expect(places.at(-1)).toEqual([0, 4999 * VALUE_STRIDE]);
  });

  it('keep the values of slots in their order', () => {
    const exact = collect([[[2, 0]], [[1]]]);
    const { offset, term } = runAtOnce(exact.toRanks(Uint32Array.of(7, 8, 9)));
    expect([[...offset], [...term]]).toEqual([
      [0, 2, 3],
      [9, 7, 8],
    ]);
  });
});
