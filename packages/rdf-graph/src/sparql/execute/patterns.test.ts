import { createViewer, createViewerOfNothing } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Permutation } from '../../graph/store/permutation.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { aloneRows, anyCuts, numberedRows, type Row, rowsOf, sorted, stepsOf } from '../testing/rows.ts';
import { executionOver, type Fact, idsOf, namesOf, toTerm } from '../testing/small-store.ts';
import { BATCH_ROWS } from './batch.ts';
import type { Execution } from './execution.ts';
import { intersectJoin } from './intersect-join.ts';
import { lookupJoin } from './lookup-join.ts';
import { type GraphPlace, type PatternPlaces, type Place, patternJoin } from './pattern-join.ts';
import { runScan } from './run-scan.ts';

const NAMES = ['a', 'b', 'c'];
const anyName = fc.constantFrom(...NAMES);
const anyFacts = fc.array(
  fc.record({
    s: anyName,
    p: anyName,
    o: anyName,
    label: fc.constantFrom('*', 'clearance=S'),
    graph: fc.option(fc.constantFrom('a', 'g2'), { nil: undefined }),
  }),
  { maxLength: 14 },
);

const LOW = createViewer({ attributes: { clearance: ['O'] } });
const DEFAULT = { type: 'default' } as const;

/** Three slots for the ends of a pattern, one for the graph, and one that only travels along. */
const WIDTH = 5;

function placesOf(subject: Place, predicate: Place, object: Place, graph: GraphPlace = DEFAULT): PatternPlaces {
  return { subject, predicate, object, graph, kept: [0, 1, 2, 3, 4] };
}

/** Each end a term, a variable that rows bind, one that some rows bind, or a new one. */
function anyPlace(slot: number): fc.Arbitrary<Place> {
  return fc.oneof(
    anyName.map((name) => ({ type: 'term', term: toTerm(name) }) as const),
    fc.constantFrom<Place>({ type: 'bound', slot }, { type: 'maybe', slot }, { type: 'new', slot }),
  );
}

const anyPlaces = fc
  .tuple(anyPlace(0), anyPlace(1), anyPlace(2), fc.constantFrom<GraphPlace>(DEFAULT, { type: 'new', slot: 3 }))
  .map(([subject, predicate, object, graph]) => placesOf(subject, predicate, object, graph));

/** Looks at every quad for every row. */
function naively(execution: Execution, facts: readonly Fact[], places: PatternPlaces, rows: readonly Row[]): Row[] {
  const ends = [places.subject, places.predicate, places.object];
  const seen = facts.filter(
    ({ label, graph }) => label === '*' && (graph !== undefined) === (places.graph.type === 'new'),
  );
  const quads = [...new Map(seen.map((fact) => [`${fact.s} ${fact.p} ${fact.o} ${fact.graph}`, fact])).values()];
  return rows.flatMap((row) =>
    quads.flatMap(({ s, p, o, graph }) => {
      const ids = idsOf(execution, [s, p, o]);
      const fits = ends.every((place, at) => {
        if (place.type === 'term') return execution.idOf(place.term) === ids[at];
        return place.type === 'new' || row[at] === 0 || row[at] === ids[at];
      });
      if (!fits) return [];
      const found = ends.map((place, at) => (place.type === 'term' ? row[at] : ids[at]));
      return [[...found, graph === undefined ? row[3] : idsOf(execution, [graph])[0], row[4]]];
    }),
  );
}

/** Rows that bind what the places ask for. */
function rowsFor(
  execution: Execution,
  places: PatternPlaces,
  seeds: readonly (readonly (string | undefined)[])[],
): Row[] {
  const ends = [places.subject, places.predicate, places.object];
  return seeds.map((names, number) => {
    const row = ends.map((place, at) => {
      if (place.type === 'bound') return idsOf(execution, [names[at] ?? 'a'])[0];
      return place.type === 'maybe' && names[at] !== undefined ? idsOf(execution, [names[at]])[0] : 0;
    });
    return [...row, 0, number + 1];
  });
}

const anySeeds = fc.array(fc.tuple(...[0, 1, 2].map(() => fc.option(anyName, { nil: undefined }))), { maxLength: 6 });

describe('patternJoin', () => {
  it('extends each row by the visible quads that fit it, whatever is bound and however rows are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyFacts, anyPlaces, anySeeds, anyCuts, async (facts, places, seeds, cuts) => {
        const execution = await executionOver(facts, { viewer: LOW });
        const rows = rowsFor(execution, places, seeds);
        const found = rowsOf(patternJoin(places)(execution, stepsOf(rows, cuts)), WIDTH);
        expect(sorted(found)).toEqual(sorted(naively(execution, facts, places, rows)));
      }),
    );
  });

  it('shows nothing to who may see nothing', async () => {
    const execution = await executionOver([{ s: 'a', p: 'p', o: 'b', label: 'x' }], {
      viewer: createViewerOfNothing(),
    });
    const all = placesOf({ type: 'new', slot: 0 }, { type: 'new', slot: 1 }, { type: 'new', slot: 2 });
    expect(aloneRows(execution, patternJoin(all), 3)).toEqual([]);
  });

  it('holds a variable that stands twice to one value', async () => {
    const execution = await executionOver([
      { s: 'a', p: 'p', o: 'a' },
      { s: 'a', p: 'p', o: 'b' },
    ]);
    const loop = placesOf({ type: 'new', slot: 0 }, { type: 'new', slot: -1 }, { type: 'repeat', place: 0 });
    expect(aloneRows(execution, patternJoin(loop), 1)).toEqual([idsOf(execution, ['a'])]);
  });

  it('counts a triple once in a merge of graphs', async () => {
    const facts = ['g1', 'g2', 'g3'].map((graph) => ({ s: 'a', p: 'p', o: 'b', graph }));
    const execution = await executionOver([...facts, { s: 'a', p: 'p', o: 'c', graph: 'g2' }], { from: ['g1', 'g2'] });
    const places = placesOf({ type: 'new', slot: 0 }, { type: 'new', slot: -1 }, { type: 'new', slot: 2 });
    const rows = aloneRows(execution, patternJoin(places), 3).map(([, , object]) => namesOf(execution, [object])[0]);
    expect(rows.sort()).toEqual(['b', 'c']);
  });

  it.each([0, 1, 511, 512, BATCH_ROWS, BATCH_ROWS + 1, 20_000])('gives %i quads of one pattern', async (size) => {
    const facts = Array.from({ length: size }, (_, o) => ({ s: 'a', p: 'p', o }));
    const execution = await executionOver(facts);
    const places = placesOf({ type: 'term', term: toTerm('a') }, { type: 'new', slot: -1 }, { type: 'new', slot: 2 });
    for (const batches of [
      [[0, 0, 0, 0, 7]],
      [
        [0, 0, 0, 0, 7],
        [0, 0, 0, 0, 8],
      ],
    ]) {
      const rows = rowsOf(patternJoin(places)(execution, stepsOf(batches)), WIDTH);
      expect(rows).toHaveLength(size * batches.length);
      expect(new Set(rows.map((row) => `${row[2]} ${row[4]}`)).size).toBe(size * batches.length);
    }
  });
});

describe('lookupJoin', () => {
  const never = () => {
    throw new Error('not for one default graph');
  };
  const predicate = toTerm('a');

  it('gives what a look-up of each row gives', async () => {
    const anyEnds = fc.tuple(fc.boolean(), fc.constantFrom('new', 'bound'));
    await fc.assert(
      fc.asyncProperty(anyFacts, anySeeds, anyCuts, anyEnds, async (facts, seeds, cuts, [bySubject, type]) => {
        const execution = await executionOver(facts, { viewer: LOW });
        const [keySlot, otherSlot] = bySubject ? [0, 2] : [2, 0];
        const key = { type: 'bound', slot: keySlot } as const;
        const other = { type, slot: otherSlot } as { type: 'new' | 'bound'; slot: number };
        const term = { type: 'term', term: predicate } as const;
        const places = bySubject ? placesOf(key, term, other) : placesOf(other, term, key);
        const rows = rowsFor(execution, places, seeds);
        const plan = lookupJoin({ predicate, bySubject, keySlot, other, kept: [0, 1, 2, 3, 4] }, never);
        const expected = sorted(naively(execution, facts, places, rows));
        expect(sorted(rowsOf(plan(execution, stepsOf(rows, cuts)), WIDTH))).toEqual(expected);
        // Long batches go through a directory.
        const many = Array.from({ length: 600 }, () => rows).flat();
        expect(rowsOf(plan(execution, stepsOf(many)), WIDTH)).toHaveLength(expected.length * 600);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a merge of graphs to the general plan', async () => {
    const execution = await executionOver([{ s: 'a', p: 'a', o: 'b', graph: 'a' }], { from: ['a', 'b'] });
    const plan = lookupJoin({ predicate, bySubject: true, keySlot: 0, other: { type: 'new', slot: 2 }, kept: [] }, () =>
      stepsOf(numberedRows(3)),
    );
    expect(rowsOf(plan(execution, stepsOf([[1]])), 1)).toEqual(numberedRows(3));
  });
});

describe('intersectJoin', () => {
  it('gives the values that fit every pattern', async () => {
    const anyParts = fc.array(fc.tuple(anyName, anyName), { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        anyFacts,
        anyParts,
        fc.array(anyName, { maxLength: 4 }),
        anyCuts,
        async (facts, parts, keys, cuts) => {
          const execution = await executionOver(facts, { viewer: LOW });
          // { ?0 <p> ?2 . <s> <p'> ?2 ... }: the first leads from the row, the others from terms.
          const plans = parts.map(([s, p], at) => ({
            places: placesOf(
              at === 0 ? { type: 'bound', slot: 0 } : { type: 'term', term: toTerm(s) },
              { type: 'term', term: toTerm(p) },
              { type: 'new', slot: 2 },
            ),
            permutation: Permutation.spo,
          }));
          const rows = keys.map((key, number) => [...idsOf(execution, [key]), 0, 0, 0, number + 1]);
          const expected = plans.reduce<Row[]>((found, { places }, at) => {
            const next = at === 0 ? places : { ...places, object: { type: 'bound', slot: 2 } as const };
            return naively(execution, facts, next, found);
          }, rows);
          const never = () => {
            throw new Error('not for one default graph');
          };
          const plan = intersectJoin(plans, 2, [0, 4], never);
          expect(sorted(rowsOf(plan(execution, stepsOf(rows, cuts)), WIDTH))).toEqual(sorted(expected));
        },
      ),
    );
  });
});

describe('runScan', () => {
  it('gives the distinct values of one variable and how often each occurs', async () => {
    await fc.assert(
      fc.asyncProperty(anyFacts, anyName, async (facts, name) => {
        const execution = await executionOver(facts, { viewer: LOW });
        const places = placesOf(
          { type: 'new', slot: 0 },
          { type: 'term', term: toTerm(name) },
          { type: 'new', slot: -1 },
        );
        const plan = runScan({
          pattern: places,
          permutation: Permutation.pso,
          column: 1,
          slot: 0,
          countSlots: [1],
          otherwise: patternJoin(places),
        });
        const counts = new Map<number, number>();
        for (const [s] of naively(execution, facts, places, [[0, 0, 0, 0, 0]])) counts.set(s, (counts.get(s) ?? 0) + 1);
        const expected = [...counts].map(([id, count]) => [id, execution.idOf(integerLiteral(count))]);
        expect(sorted(aloneRows(execution, plan, 2))).toEqual(sorted(expected));
      }),
    );
  });

  it.each([0, 1, BATCH_ROWS, BATCH_ROWS + 1])('gives %i values', async (size) => {
    const facts = Array.from({ length: size }, (_, i) => [
      { s: `n${i}`, p: 'p', o: 1 },
      { s: `n${i}`, p: 'p', o: 2 },
    ]);
    const execution = await executionOver(facts.flat());
    const places = placesOf({ type: 'new', slot: 0 }, { type: 'term', term: toTerm('p') }, { type: 'new', slot: -1 });
    const options = { pattern: places, permutation: Permutation.pso, column: 1, slot: 0, countSlots: [1] } as const;
    const rows = aloneRows(execution, runScan({ ...options, otherwise: patternJoin(places) }), 2);
    expect(rows).toHaveLength(size);
    expect(new Set(rows.map(([, count]) => namesOf(execution, [count])[0]))).toEqual(new Set(size > 0 ? ['2'] : []));
  });
});
