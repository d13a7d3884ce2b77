import { createViewer } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Path } from '../algebra/algebra.ts';
import { aloneRows, anyCuts, numberedRows, type Row, rowsOf, sorted, stepsOf } from '../testing/rows.ts';
import { executionOver, type Fact, idsOf, namesOf, toTerm } from '../testing/small-store.ts';
import { pathJoin } from './path.ts';
import type { Place } from './pattern-join.ts';

const DEFAULT = { type: 'default' } as const;
const LOW = createViewer({ attributes: { clearance: ['O'] } });
const NAMES = ['a', 'b', 'c', 'd'];
const anyName = fc.constantFrom(...NAMES);
const anyFacts = fc.array(
  fc.record({ s: anyName, p: fc.constantFrom('p', 'q'), o: anyName, label: fc.constantFrom('*', '*', 'clearance=S') }),
  { maxLength: 10 },
);

const [P, Q] = ['p', 'q'].map((name): Path => ({ type: 'link', iri: toTerm(name) }));

/** The pairs of names that a path connects, as a set; only of paths that give each pair once. */
type Pairs = ReadonlySet<string>;

function links(facts: readonly Fact[], name: string): Pairs {
  return new Set(facts.filter(({ p, label }) => p === name && label === '*').map(({ s, o }) => `${s}${o}`));
}

function closure(pairs: Pairs): Pairs {
  const all = new Set(pairs);
  for (const one of all) for (const next of pairs) if (one[1] === next[0]) all.add(one[0] + next[1]);
  return all;
}

/** Every node of the visible graph with itself. */
function selves(facts: readonly Fact[]): string[] {
  return facts.filter(({ label }) => label === '*').flatMap(({ s, o }) => [s + s, `${o}${o}`]);
}

const PATHS: readonly (readonly [string, Path, (facts: readonly Fact[]) => Pairs])[] = [
  ['^p', { type: 'inverse', path: P }, (facts) => new Set([...links(facts, 'p')].map(([s, o]) => o + s))],
  ['p+', { type: 'oneOrMore', path: P }, (facts) => closure(links(facts, 'p'))],
  ['p*', { type: 'zeroOrMore', path: P }, (facts) => new Set([...closure(links(facts, 'p')), ...selves(facts)])],
  ['p?', { type: 'zeroOrOne', path: P }, (facts) => new Set([...links(facts, 'p'), ...selves(facts)])],
  [
    '(p|q)+',
    { type: 'oneOrMore', path: { type: 'alternative', paths: [P, Q] } },
    (facts) => closure(new Set([...links(facts, 'p'), ...links(facts, 'q')])),
  ],
  ['!(p)', { type: 'negated', forward: [toTerm('p')], backward: [] } as Path, (facts) => links(facts, 'q')],
];

/** Slot 0 is the start, 1 the end, 2 travels along. */
function joinOf(path: Path, subject: Place, object: Place) {
  return pathJoin({ subject, object, graph: DEFAULT, path, kept: [0, 1, 2] });
}

describe.each(PATHS)('pathJoin of %s', (_, path, naive) => {
  it.each(['new', 'bound', 'term'] as const)('finds the pairs where the start is %s', async (type) => {
    await fc.assert(
      fc.asyncProperty(anyFacts, fc.array(anyName, { maxLength: 4 }), anyCuts, async (facts, starts, cuts) => {
        const execution = await executionOver(facts, { viewer: LOW });
        const start: Place = type === 'term' ? { type, term: toTerm('a') } : { type, slot: 0 };
        const rows = starts.map((name, at) => [type === 'bound' ? idsOf(execution, [name])[0] : 0, 0, at + 1]);
        const pairs = [...naive(facts)];
        // A term of the query stands for itself, also where no quad has it.
        if (type === 'term' && (path.type === 'zeroOrMore' || path.type === 'zeroOrOne')) pairs.push('aa');
        const expected = starts.flatMap((name, at) =>
          [...new Set(pairs)]
            .filter(([from]) => type === 'new' || from === (type === 'term' ? 'a' : name))
            .map(([from, to]) => [...idsOf(execution, type === 'term' ? [to] : [from, to]), at + 1]),
        );
        const plan = joinOf(path, start, { type: 'new', slot: 1 });
        const found = rowsOf(plan(execution, stepsOf(rows, cuts)), 3);
        expect(sorted(type === 'term' ? found.map((row) => row.slice(1)) : found)).toEqual(sorted(expected));
      }),
      { numRuns: 40 },
    );
  });

  it('finds the starts of an end, and tests a pair whose ends are bound', async () => {
    await fc.assert(
      fc.asyncProperty(anyFacts, anyName, anyName, async (facts, from, to) => {
        const execution = await executionOver(facts, { viewer: LOW });
        const pairs = [...naive(facts)].filter(([, end]) => end === to);
        const [start, end] = idsOf(execution, [from, to]);
        const object: Place = { type: 'bound', slot: 1 };
        const backward = rowsOf(joinOf(path, { type: 'new', slot: 0 }, object)(execution, stepsOf([[0, end]])), 2);
        expect(sorted(backward)).toEqual(sorted(pairs.map((pair) => idsOf(execution, [...pair]))));
        const both = rowsOf(joinOf(path, { type: 'bound', slot: 0 }, object)(execution, stepsOf([[start, end]])), 2);
        expect(both).toHaveLength(pairs.includes(from + to) ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });
});

describe('pathJoin', () => {
  it('keeps a row for each way of a sequence', async () => {
    const facts = ['b', 'c'].flatMap((middle) => [
      { s: 'a', p: 'p', o: middle },
      { s: middle, p: 'q', o: 'd' },
    ]);
    const execution = await executionOver(facts);
    const plan = joinOf({ type: 'sequence', paths: [P, Q] }, { type: 'new', slot: 0 }, { type: 'new', slot: 1 });
    expect(aloneRows(execution, plan, 2).map((row) => namesOf(execution, row))).toEqual([
      ['a', 'd'],
      ['a', 'd'],
    ]);
  });

  it('walks in one graph after the other, and binds it', async () => {
    const facts = ['g1', 'g2'].map((graph) => ({ s: 'a', p: 'p', o: graph, graph }));
    const execution = await executionOver(facts);
    const plan = pathJoin({
      subject: { type: 'new', slot: 0 },
      object: { type: 'new', slot: 1 },
      graph: { type: 'new', slot: 2 },
      path: { type: 'oneOrMore', path: P },
      kept: [],
    });
    const rows = aloneRows(execution, plan, 3).map((row) => namesOf(execution, row));
    expect(rows.sort()).toEqual([
      ['a', 'g1', 'g1'],
      ['a', 'g2', 'g2'],
    ]);
  });

  it('ends in a ring that is longer than a batch', async () => {
    const size = 3000;
    const ring = Array.from({ length: size }, (_, i) => ({ s: `n${i}`, p: 'p', o: `n${(i + 1) % size}` }));
    const execution = await executionOver(ring);
    const plan = joinOf({ type: 'oneOrMore', path: P }, { type: 'bound', slot: 0 }, { type: 'new', slot: 1 });
    const input: Row[] = [idsOf(execution, ['n0'])];
    expect(rowsOf(plan(execution, stepsOf(input)), 2)).toHaveLength(size);
  });

  it('refuses a walk over more nodes than its memory holds', async () => {
    const chain = numberedRows(2000).map(([i]) => ({ s: `n${i}`, p: 'p', o: `n${i + 1}` }));
    const execution = await executionOver(chain, { maxMemoryBytes: 20_000 });
    const plan = joinOf({ type: 'oneOrMore', path: P }, { type: 'term', term: toTerm('n1') }, { type: 'new', slot: 1 });
    expect(() => aloneRows(execution, plan, 2)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }));
  });
});
