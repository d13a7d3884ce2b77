import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import { type Row, rowsOf, stepsOf } from '../testing/rows.ts';
import { executionOver, idsOf, namesOf, toTerm } from '../testing/small-store.ts';
import { Execution, WHOLE_DATASET } from './execution.ts';
import type { Place } from './pattern-join.ts';
import { unquote } from './unquote.ts';

const execution = await executionOver([{ s: 'a', p: 'p', o: 'b' }]);
const [a, p, b, none] = idsOf(execution, ['a', 'p', 'b', 'none']);
const TRIPLE = execution.tripleId(a, p, b);
const LOOP = execution.tripleId(a, p, a);
const A: Place = { type: 'term', term: toTerm('a') };
const NOBODY: Place = { type: 'new', slot: -1 };

function run(places: readonly Place[], rows: readonly Row[], cuts: readonly number[] = []): Row[] {
  return rowsOf(unquote(0, places)(execution, stepsOf(rows, cuts)), 3);
}

describe('unquote', () => {
  it('binds the parts of a triple', () => {
    const places: Place[] = [{ type: 'new', slot: 1 }, NOBODY, { type: 'new', slot: 2 }];
    const rows = run(places, [[TRIPLE], [LOOP]], [1, 0]);
    expect(rows.map((row) => namesOf(execution, row.slice(1)))).toEqual([
      ['a', 'b'],
      ['a', 'a'],
    ]);
  });

  it('drops what is no triple, and the unbound', () => {
    expect(run([NOBODY, NOBODY, NOBODY], [[a], [0], [TRIPLE]])).toEqual([[TRIPLE, 0, 0]]);
  });

  it('keeps a triple whose part is the term, the bound value or the same part again', () => {
    expect(run([A, NOBODY, NOBODY], [[TRIPLE]])).toHaveLength(1);
    expect(run([NOBODY, NOBODY, A], [[TRIPLE], [LOOP]])).toEqual([[LOOP, 0, 0]]);
    const bound: Place = { type: 'bound', slot: 1 };
    expect(
      run(
        [NOBODY, NOBODY, bound],
        [
          [TRIPLE, b],
          [TRIPLE, none],
        ],
      ),
    ).toEqual([[TRIPLE, b, 0]]);
    const again: Place = { type: 'repeat', place: 0 };
    expect(run([{ type: 'new', slot: 1 }, NOBODY, again], [[TRIPLE], [LOOP]])).toEqual([[LOOP, a, 0]]);
  });

  it('binds a variable that only some rows bind, and does not change the rows that came in', () => {
    const maybe: Place = { type: 'maybe', slot: 1 };
    const input: Row[] = [
      [TRIPLE, 0],
      [TRIPLE, b],
      [TRIPLE, none],
    ];
    expect(run([NOBODY, NOBODY, maybe], input)).toEqual([
      [TRIPLE, b, 0],
      [TRIPLE, b, 0],
    ]);
  });

  it('takes apart what the store holds', async () => {
    const [subject, link, object] = ['a', 'p', 'b'].map((name) => namedNode(`http://e/${name}`));
    const stored = quad(quad(subject, link, object), link, object);
    const store = await openGraphDataset({ name: 'quoted' });
    await store.apply([{ deletions: [], additions: [{ quad: stored, label: '*' }] }]);
    const sources = { nowMs: 0, random: undefined, baseIri: undefined, freshLabel: () => 'fresh' };
    const inStore = new Execution(store.snapshot(createViewerOfEverything()), WHOLE_DATASET, sources);
    const id = inStore.dictionary.find(stored.subject);
    expect(id).toBeGreaterThan(0);
    const plan = unquote(0, [{ type: 'new', slot: 1 }, NOBODY, { type: 'new', slot: 2 }]);
    const [row] = rowsOf(plan(inStore, stepsOf([[id]])), 3);
    expect(namesOf(inStore, row.slice(1))).toEqual(['a', 'b']);
  });
});
