import { runAtOnce } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { writeQuad } from '../../rdf/term-writer.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import { buildRun } from './build-run.ts';
import { allocatePrivate } from './memory.ts';
import { SLICE_ROWS } from './merged-stretches.ts';
import { inOrder, permutationFor } from './pattern-order.ts';
import { QuadStore } from './quad-store.ts';
import { Range } from './range.ts';
import type { Run } from './run.ts';
import { Snapshot } from './snapshot.ts';
import { copyStore } from './store-copy.ts';
import { TermDictionary } from './term-dictionary.ts';

/** The turn of a merge that is not to come. */
const never = (): Promise<void> => new Promise(() => {});

type Ids = readonly [s: number, p: number, o: number, g: number];

/** The label set of a deleted quad, of a hidden one, and of two that are visible. */
const [DELETED, HIDDEN, VISIBLE, ALSO_VISIBLE] = [0, 1, 2, 3];
const PERMITTED = Uint8Array.of(0, 0, 1, 1);

/** Numbers from 0 up to below 1, the same ones each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

function runOf(rows: readonly Ids[], sets: readonly number[]): Run {
  const column = (place: number) => Uint32Array.from(rows, (row) => row[place]);
  const columns = { s: column(0), p: column(1), o: column(2), g: column(3), sets: Uint32Array.from(sets) };
  return runAtOnce(buildRun({ size: rows.length, ...columns }, allocatePrivate, (_, newer) => newer));
}

/** Permissions, with a count of questions: one for each row that is merged or looked at. */
function counted(permitted: Uint8Array): { permitted: Uint8Array; reads: () => number } {
  let reads = 0;
  const proxy = new Proxy(permitted, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name, target);
    },
  });
  return { permitted: proxy, reads: () => reads };
}

/** The most rows between two places to pause: `undefined`, and after so many results. */
function mostRows(steps: Iterable<unknown>, reads: () => number, resultsPerTurn: number): number {
  let most = 0;
  let before = reads();
  let results = 0;
  for (const step of steps) {
    if (step !== undefined && ++results % resultsPerTurn !== 0) continue;
    most = Math.max(most, reads() - before);
    before = reads();
  }
  return Math.max(most, reads() - before);
}

describe('a large snapshot of several runs', () => {
  const random = createRandom(1);
  const below = (end: number) => 2 + Math.floor(random() * end);
  const runs = Array.from({ length: 8 }, () => {
    const rows = Array.from({ length: 40_000 }, (): Ids => [below(30_000), below(4), below(30_000), 1]);
    return runOf(
      rows,
      rows.map(() => (random() < 0.1 ? HIDDEN : VISIBLE)),
    );
  });
  const ROWS = runs.reduce((sum, { size }) => sum + size, 0);
  /** Rows merged in a slice, and then counted or looked at: well below all. */
  const MOST = 2 * SLICE_ROWS;
  const open = (permitted = PERMITTED) => {
    const watched = counted(permitted);
    return { snapshot: new Snapshot(new TermDictionary(), runs, watched.permitted), reads: watched.reads };
  };

  it('is merged at once by who asks for a whole stretch', () => {
    const { snapshot, reads } = open();
    const before = reads();
    snapshot.seek(new Range(), 0, 1, 0, 0, 0);
    expect(ROWS).toBeGreaterThan(300_000);
    expect(reads() - before).toBeGreaterThan(ROWS * 0.99);
  });

  it.each([
    ['counted', (snapshot: Snapshot) => snapshot.countInSlices(0, 0, 0, 0)],
    ['counted by a predicate', (snapshot: Snapshot) => snapshot.countInSlices(0, 3, 0, 0)],
    ['read', (snapshot: Snapshot) => snapshot.quadIdsInSlices(0, 0, 0, 0)],
    ['read by a predicate', (snapshot: Snapshot) => snapshot.quadIdsInSlices(0, 3, 0, 1)],
    ['merged to be searched', (snapshot: Snapshot) => snapshot.seekInSlices(new Range(), 1, 1, 3, 0, 0)],
  ])('is %s some rows at a time, whatever of it is visible', (_, read) => {
    for (const permitted of [PERMITTED, new Uint8Array(4)]) {
      const { snapshot, reads } = open(permitted);
      const before = reads();
      expect(mostRows(read(snapshot), reads, 512)).toBeLessThan(MOST);
      expect(reads() - before).toBeGreaterThan(60_000);
    }
  });

  it('in one run is counted and read some rows at a time where each must be checked', () => {
    const rows = Array.from({ length: 900_000 }, (_, i): Ids => [2 + (i >> 3), 2, 2 + i, 1]);
    const run = runOf(
      rows,
      rows.map((_, i) => (i % 9 === 0 ? VISIBLE : HIDDEN)),
    );
    for (const read of [
      (snapshot: Snapshot) => snapshot.countInSlices(0, 0, 0, 0),
      (snapshot: Snapshot) => snapshot.quadIdsInSlices(0, 0, 0, 0),
    ]) {
      const { permitted, reads } = counted(PERMITTED);
      const most = mostRows(read(new Snapshot(new TermDictionary(), [run], permitted)), reads, 512);
      expect(most).toBeGreaterThan(512);
      expect(most).toBeLessThan(300_000);
    }
  });

  it('counts what it counted in slices once', () => {
    const { snapshot, reads } = open();
    const first = snapshot.count(0, 0, 0, 0);
    const before = reads();
    expect(snapshot.count(0, 0, 0, 0)).toBe(first);
    expect(reads() - before).toBe(0);
  });

  it('is copied in steps of some quads, and pauses while it is merged', () => {
    const state = { dictionary: new TermDictionary(), sets: new QuadStore().sets, runs: [] };
    const source = new QuadStore({ state, mergeTurn: never });
    const nodes = Array.from({ length: 300 }, (_, i) => source.dictionary.intern(namedNode(`e:${i}`)));
    const set = source.sets.intern([source.sets.labels.intern('*')]);
    for (let load = 0; load < 8; load++) {
      const rows = Array.from({ length: 20_000 }, (_, i): Ids => {
        return [nodes[i % 300], nodes[load], nodes[Math.floor(i / 300)], 1];
      });
      runAtOnce(
        source.push(
          runOf(
            rows,
            rows.map(() => set),
          ),
        ),
      );
    }
    expect(source.runs.length).toBe(8);
    const target = new QuadStore({ mergeTurn: never });
    const steps = [...copyStore(source, target)].length;
    expect(target.runs[0].size).toBe(160_000);
    expect(steps).toBeGreaterThan(160_000 / 2048 + 160_000 / SLICE_ROWS);
  });
});

describe('the pieces of a snapshot', () => {
  const dictionary = new TermDictionary();
  const nodes = Array.from({ length: 5000 }, (_, i) => dictionary.intern(namedNode(`e:${i}`)));

  /** Runs over one another, and what they hold together. */
  function createRuns(seed: number): { runs: Run[]; model: Map<string, number> } {
    const random = createRandom(seed);
    const nodeOf = (count: number) => nodes[Math.floor(random() ** 2 * count)];
    const model = new Map<string, number>();
    const runs = Array.from({ length: 2 + (seed % 5) }, (_, at) => {
      const size = [60_000, 30_000, 3000, 200][(at + seed) % 4];
      const rows = new Map<string, { row: Ids; set: number }>();
      for (let i = 0; i < size; i++) {
        const row: Ids = [nodeOf(400), nodeOf(3), nodeOf(seed % 2 === 0 ? 400 : 5000), random() < 0.9 ? 1 : nodeOf(3)];
        const chance = random();
        const set = chance < 0.2 ? DELETED : chance < 0.4 ? HIDDEN : chance < 0.7 ? VISIBLE : ALSO_VISIBLE;
        rows.set(row.join(' '), { row, set });
      }
      for (const [key, { set }] of rows) model.set(key, set);
      const all = [...rows.values()];
      return runOf(
        all.map(({ row }) => row),
        all.map(({ set }) => set),
      );
    });
    return { runs, model };
  }

  /** The visible rows of a graph, merged in one go. */
  function wholeRows(snapshot: Snapshot, [s, p, o, g]: Ids): string[] {
    const permutation = permutationFor(s, p, o);
    const range = new Range();
    snapshot.seek(range, permutation, g, ...inOrder(permutation, s, p, o));
    const found: string[] = [];
    for (let i = range.start; i < range.end; i++) {
      if (range.sets === null || snapshot.permitted[range.sets[i]] === 1) {
        found.push(`${range.a[i]} ${range.b[i]} ${range.c[i]}`);
      }
    }
    return found;
  }

  it('are the visible quads in the order of the whole merge, for each pattern', () => {
    for (let seed = 0; seed < (process.env['CAIRN_LONG'] === undefined ? 4 : 200); seed++) {
      const { runs, model } = createRuns(seed);
      const lines = [...model].filter(([, set]) => PERMITTED[set] === 1).map(([line]) => line);
      for (let mask = 0; mask < 16; mask++) {
        const given = [nodes[1], nodes[0], nodes[2], 1].map((id, i) => ((mask >> i) & 1 ? id : 0));
        const ids = given as unknown as Ids;
        const expected = lines.filter((line) => {
          const row = line.split(' ');
          return given.every((id, i) => id === 0 || Number(row[i]) === id);
        });
        const snapshot = new Snapshot(dictionary, runs, PERMITTED);
        const [s, p, o, g] = ids;
        const read = [...snapshot.quadIdsInSlices(s, p, o, g)].filter((row) => row !== undefined);
        expect(read.map((row) => row.join(' ')).sort()).toEqual(expected.sort());
        expect([...snapshot.quadIds(s, p, o, g)]).toEqual(read);
        expect(snapshot.count(s, p, o, g)).toBe(expected.length);
        expect(runAtOnce(snapshot.countInSlices(s, p, o, g))).toBe(expected.length);
        const graphs = [...new Set(read.map((row) => row[3]))];
        const permutation = permutationFor(s, p, o);
        const inPieces = read.map((row) => inOrder(permutation, row[0], row[1], row[2]).join(' '));
        expect(
          graphs.flatMap((graph) => wholeRows(new Snapshot(dictionary, runs, PERMITTED), [s, p, o, graph])),
        ).toEqual(inPieces);
        for (const graph of graphs) {
          const fresh = new Snapshot(dictionary, runs, PERMITTED);
          runAtOnce(fresh.seekInSlices(new Range(), permutation, graph, ...inOrder(permutation, s, p, o)));
          expect(wholeRows(fresh, [s, p, o, graph])).toEqual(wholeRows(snapshot, [s, p, o, graph]));
        }
        if (mask !== 2) continue;
        const quads = [...snapshot.quads(s, p, o, g)].map(writeQuad);
        expect(quads).toEqual(
          read.map(([a, b, c, d]) => {
            const [subject, predicate, object, graph] = [a, b, c, d].map((id) => dictionary.term(id));
            return writeQuad(quad(subject, predicate, object, graph));
          }),
        );
      }
    }
  }, 600_000);
});

describe('a dataset of several runs', () => {
  const viewer = createViewer({ attributes: {} });

  it('is read as it was when the reading began, with turns for others', async () => {
    const dataset = await openGraphDataset({ name: 'd', mergeTurn: never });
    const rows = (load: number) =>
      Array.from({ length: 10_000 }, (_, i) =>
        quad(namedNode(`e:${i % 1000}`), namedNode(`e:p${Math.floor(i / 1000)}`), namedNode(`e:${load}`)),
      );
    for (let load = 0; load < 8; load++) await dataset.load([rows(load)], { label: '*' });
    expect(dataset.store.runs.length).toBeGreaterThan(4);
    let turns = 0;
    let isReading = true;
    const count = (): void => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    expect(await dataset.count(viewer)).toBe(80_000);
    const turnsOfCount = turns;
    const found = new Set<string>();
    for await (const { quad: one } of dataset.matchLabelled()) {
      if (found.size === 0) {
        const deletions = rows(7).map((each) => ({ quad: each, label: '*' }));
        await dataset.apply([{ deletions, additions: [{ quad: quad(...later), label: '*' }] }]);
      }
      found.add(writeQuad(one));
    }
    isReading = false;
    expect(turnsOfCount).toBeGreaterThanOrEqual(Math.floor(80_000 / SLICE_ROWS));
    expect(found.size).toBe(80_000);
    expect(found.has(writeQuad(quad(...later)))).toBe(false);
    expect(await dataset.count(viewer)).toBe(70_001);
  });

  it('answers queries as one of a single run does', async () => {
    const [dataset, single] = await Promise.all(
      ['several', 'single'].map((name) => openGraphDataset({ name, mergeTurn: never })),
    );
    const random = createRandom(5);
    const nodeOf = (kind: string, count: number) => namedNode(`e:${kind}${Math.floor(random() ** 2 * count)}`);
    for (let load = 0; load < 8; load++) {
      const quads = Array.from({ length: 5000 }, (_, i) => [
        quad(nodeOf('n', 4000), namedNode('e:knows'), nodeOf('n', 4000)),
        quad(nodeOf('n', 4000), namedNode('e:type'), namedNode('e:Person')),
        quad(nodeOf('n', 4000), namedNode('e:city'), nodeOf('c', 50), namedNode('e:g')),
        quad(namedNode(`e:x${load * 5000 + i}`), namedNode('e:kind'), namedNode('e:Thing')),
        quad(namedNode(`e:x${i * 8 + load + 7}`), namedNode('e:state'), namedNode('e:Thing')),
      ]).flat();
      await dataset.load([quads], { label: load === 3 ? 'hidden' : '*' });
    }
    expect(dataset.store.runs.length).toBeGreaterThan(4);
    await single.copyFrom(dataset);
    expect(single.store.runs.length).toBe(1);
    for (const text of [
      'SELECT * { ?a <e:knows> ?b }',
      'SELECT (COUNT(*) AS ?n) { ?a <e:knows> ?b . ?b <e:knows> ?c . ?c <e:type> ?t }',
      'SELECT ?b (COUNT(?a) AS ?n) { ?a <e:knows> ?b } GROUP BY ?b',
      'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p',
      'SELECT (COUNT(*) AS ?n) { ?a <e:kind> <e:Thing> ; <e:state> <e:Thing> }',
      'SELECT (COUNT(*) AS ?n) { ?a <e:kind> ?k . ?b <e:state> ?k . ?b <e:knows> ?c }',
      'SELECT ?a { ?a <e:kind> <e:Thing> OPTIONAL { ?a <e:state> ?s } }',
      'SELECT ?k (COUNT(*) AS ?n) { VALUES ?k { <e:Thing> <e:Person> } ?a ?p ?k } GROUP BY ?k',
      'SELECT (COUNT(*) AS ?n) { ?a <e:knows>? ?b }',
      'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g',
    ]) {
      const linesOf = async (of: typeof dataset) => {
        const result = await of.query(viewer, text);
        if (result.type !== 'bindings') throw new Error(result.type);
        const lines: string[] = [];
        for await (const solution of result.solutions) {
          lines.push(result.variables.map((name) => solution.get(name)?.value).join(' '));
        }
        return lines.sort();
      };
      const lines = await linesOf(dataset);
      expect(lines.length, text).toBeGreaterThan(0);
      expect(lines, text).toEqual(await linesOf(single));
    }
  }, 120_000);

  const later = [namedNode('e:later'), namedNode('e:p'), namedNode('e:o')] as const;
});
