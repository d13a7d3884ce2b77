import type * as RDF from '@rdfjs/types';
import { quad } from '../rdf/terms.ts';
import type { Directory } from './directory.ts';
import { MergedStretches } from './merged-stretches.ts';
import { columnsOf, firstBound, permutationFor } from './pattern-order.ts';
import { Permutation, type PermutationId } from './permutation.ts';
import { copyRange, Range } from './range.ts';
import { Run, type RunArrays } from './run.ts';
import { finish, Pace } from './scheduler.ts';
import { TermDictionary } from './term-dictionary.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from './term-kind.ts';
import type { DictionaryArrays } from './term-table.ts';
import { visibleGraphs } from './visible-graphs.ts';

/** Terms are made for this many rows at a time. */
const AT_ONCE_ROWS = 256;

/** Longer lists of graphs are kept, so many of them. */
const FEW_GRAPHS = 64;
const MAX_GRAPH_LISTS = 16;

/** A quad of ids that is handed to a callback. */
export type QuadIdsCallback = (s: TermId, p: TermId, o: TermId, g: TermId) => void;

/** Seeking in one graph, in the unit of {@link Pace}. */
const WORK_PER_GRAPH = 60;

/** A snapshot as plain arrays, to be posted to a worker. */
export interface SharedSnapshot {
  readonly dictionary: DictionaryArrays;
  readonly runs: readonly RunArrays[];
  readonly permitted: Uint8Array;
}

/** The snapshot that was shared, in the thread that received it. It finds terms and interns none. */
export function openSharedSnapshot({ dictionary, runs, permitted }: SharedSnapshot): Snapshot {
  const opened = runs.map((arrays) => new Run(arrays));
  return new Snapshot(TermDictionary.reading(dictionary), opened, permitted);
}

/**
 * What one viewer sees of a store at one moment: terms by id and back, and sorted stretches of visible quads.
 *
 * Immutable: later changes of the store do not show. Nothing the viewer may not see comes out of any method.
 */
export class Snapshot {
  readonly dictionary: TermDictionary;
  readonly runs: readonly Run[];
  /** By label set id: 1 where the viewer may see. */
  readonly permitted: Uint8Array;
  readonly #isWhollyVisible: readonly boolean[];
  readonly #scratch: readonly Range[];
  readonly #merged: MergedStretches;
  #graphs: Uint32Array | undefined;
  /** Long lists of {@link graphsWith}, which planners ask for again and again. */
  readonly #graphsByTerm = new Map<string, Uint32Array>();

  constructor(dictionary: TermDictionary, runs: readonly Run[], permitted: Uint8Array) {
    this.dictionary = dictionary;
    this.runs = runs;
    this.permitted = permitted;
    this.#isWhollyVisible = runs.map((run) => run.arrays.distinctSets.every((set) => permitted[set] === 1));
    this.#merged = new MergedStretches(permitted);
    this.#scratch = runs.map(() => new Range());
  }

  /** What another thread needs to see the same: no copy is made of arrays in shared memory. */
  share(): SharedSnapshot {
    return {
      dictionary: this.dictionary.arrays(),
      runs: this.runs.map(({ arrays }) => arrays),
      permitted: this.permitted.slice(),
    };
  }

  /** The same view with one more run over it. */
  with(run: Run, permitted: Uint8Array = this.permitted): Snapshot {
    return new Snapshot(this.dictionary, run.size === 0 ? this.runs : [...this.runs, run], permitted);
  }

  /** The id of a term, or 0 when the store never held it. */
  idOf(term: RDF.Term): TermId {
    return this.dictionary.find(term);
  }

  /** The term of an id. */
  term(id: TermId): RDF.Term {
    return this.dictionary.term(id);
  }

  /** Whether every stored quad is visible and in one run, so that stretches are exact without looking at rows. */
  get isExact(): boolean {
    return this.runs.length === 0 || (this.runs.length === 1 && this.#isWhollyVisible[0] === true);
  }

  /**
   * Writes the quads of a graph that start with the given ids, in the order of a permutation, into `range`; 0 leaves a
   * column open, and every column after it. Returns the number of rows: an upper bound of the visible ones when
   * `range.sets` is not null. Cost: O(log rows), and O(rows) where changes lie over the stretch.
   */
  seek(range: Range, permutation: PermutationId, graph: TermId, a: TermId, b: TermId, c: TermId): number {
    const { runs } = this;
    if (runs.length === 1) {
      const run = runs[0];
      const block = run.block(graph);
      if (block >= 0) {
        const rows = run.seek(range, permutation, block, a, b, c);
        if (this.#isWhollyVisible[0]) range.sets = null;
        return rows;
      }
      range.start = range.end = 0;
      return 0;
    }
    return this.#seekRuns(range, permutation, graph, a, b, c);
  }

  #seekRuns(range: Range, permutation: PermutationId, graph: TermId, a: TermId, b: TermId, c: TermId): number {
    const { runs } = this;
    const found: Range[] = [];
    let only = -1;
    for (let i = 0; i < runs.length; i++) {
      const block = runs[i].block(graph);
      if (block < 0) continue;
      const scratch = this.#scratch[i];
      if (runs[i].seek(scratch, permutation, block, a, b, c) === 0) continue;
      found.push(scratch);
      only = i;
    }
    if (found.length === 0) {
      range.start = range.end = 0;
      return 0;
    }
    if (found.length > 1) return this.#merged.merge(range, found, `${permutation}/${graph}/${a}/${b}/${c}`);
    copyRange(range, found[0]);
    if (this.#isWhollyVisible[only]) range.sets = null;
    return range.end - range.start;
  }

  /** The directory of the second column under a first id, where one run alone holds such quads and has one. */
  directoryOf(permutation: PermutationId, graph: TermId, first: TermId): Directory | undefined {
    const range = new Range();
    const found = this.runs.filter((run) => {
      const block = run.block(graph);
      return block >= 0 && run.seek(range, permutation, block, first, 0, 0) > 0;
    });
    return found.length === 1 ? found[0].secondDirectory(permutation, found[0].block(graph), first) : undefined;
  }

  /** The graphs that hold at least one visible quad, sorted by id; the default graph (id 1) first when it does. */
  graphs(): Uint32Array {
    if (this.#graphs !== undefined) return this.#graphs;
    this.#graphs = visibleGraphs(this.runs, this.permitted);
    return this.#graphs;
  }

  /** The named graphs that hold at least one visible quad, sorted by id. */
  namedGraphs(): Uint32Array {
    const graphs = this.graphs();
    return graphs[0] === DEFAULT_GRAPH_ID ? graphs.subarray(1) : graphs;
  }

  /** The graphs that may hold a visible quad with these ids, sorted by id; 0 matches any term. Cost: O(graphs found). */
  graphsWith(s: TermId, p: TermId, o: TermId): Uint32Array {
    const [permutation, term] = firstBound(s, p, o);
    if (term === UNBOUND) return this.graphs();
    const { runs } = this;
    if (runs.length === 1) return runs[0].graphsWith(permutation, term);
    const key = `${permutation} ${term}`;
    const known = this.#graphsByTerm.get(key);
    if (known !== undefined) return known;
    const found = new Set<TermId>();
    for (const run of runs) for (const graph of run.graphsWith(permutation, term)) found.add(graph);
    const graphs = Uint32Array.from(found).sort();
    if (graphs.length > FEW_GRAPHS) {
      if (this.#graphsByTerm.size >= MAX_GRAPH_LISTS) this.#graphsByTerm.clear();
      this.#graphsByTerm.set(key, graphs);
    }
    return graphs;
  }

  #hasVisible(range: Range): boolean {
    if (range.sets === null) return range.end > range.start;
    for (let i = range.start; i < range.end; i++) if (this.permitted[range.sets[i]] === 1) return true;
    return false;
  }

  /** How many visible quads match; 0 matches any term. Cost: O(log rows) where every row is visible, else O(rows). */
  count(s: TermId, p: TermId, o: TermId, g: TermId): number {
    return finish(this.countInSlices(s, p, o, g));
  }

  /** Like {@link count}, in slices of some graphs and rows. */
  *countInSlices(s: TermId, p: TermId, o: TermId, g: TermId): Generator<void, number> {
    let count = 0;
    const range = new Range();
    const pace = new Pace();
    for (const graph of this.#graphsOf(s, p, o, g)) {
      this.seekPattern(range, s, p, o, graph);
      count += this.countRange(range);
      // In several runs each row was copied.
      const rows = range.sets === null && this.runs.length === 1 ? 0 : range.end - range.start;
      if (pace.did(WORK_PER_GRAPH + rows)) yield;
    }
    return count;
  }

  /** How many rows of a range are visible. */
  countRange(range: Range): number {
    const { sets, start, end } = range;
    if (sets === null) return end - start;
    const { permitted } = this;
    let count = 0;
    for (let i = start; i < end; i++) count += permitted[sets[i]];
    return count;
  }

  /** Whether a quad is visible. Cost: O(log rows). */
  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    const range = new Range();
    this.seek(range, Permutation.spo, g, s, p, o);
    return this.#hasVisible(range);
  }

  /** Seeks by the permutation that fits which ids are given; returns that permutation. */
  seekPattern(range: Range, s: TermId, p: TermId, o: TermId, graph: TermId): PermutationId {
    const permutation = permutationFor(s, p, o);
    seekBy(this, range, permutation, s, p, o, graph);
    return permutation;
  }

  /** Calls back with every visible quad that matches; 0 matches any term. In the order of graph, then permutation. */
  forEach(s: TermId, p: TermId, o: TermId, g: TermId, callback: QuadIdsCallback): void {
    const range = new Range();
    const { permitted } = this;
    for (const graph of this.#graphsOf(s, p, o, g)) {
      const permutation = this.seekPattern(range, s, p, o, graph);
      const [subjects, predicates, objects] = columnsOf(permutation, range);
      const { sets, start, end } = range;
      for (let i = start; i < end; i++) {
        if (sets === null || permitted[sets[i]] === 1) callback(subjects[i], predicates[i], objects[i], graph);
      }
    }
  }

  /** Every visible quad that matches, as ids; 0 matches any term. */
  *quadIds(s: TermId, p: TermId, o: TermId, g: TermId): Generator<readonly [TermId, TermId, TermId, TermId]> {
    const { permitted } = this;
    for (const graph of this.#graphsOf(s, p, o, g)) {
      const range = new Range();
      const permutation = this.seekPattern(range, s, p, o, graph);
      const [subjects, predicates, objects] = columnsOf(permutation, range);
      const { sets, start, end } = range;
      for (let i = start; i < end; i++) {
        if (sets === null || permitted[sets[i]] === 1) yield [subjects[i], predicates[i], objects[i], graph];
      }
    }
  }

  /** Every visible quad that matches; 0 matches any term. Iterable once. */
  quads(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<RDF.Quad> {
    const graphs = this.#graphsOf(s, p, o, g);
    if (graphs.length !== 1) return this.#quadsOf(s, p, o, graphs);
    const range = new Range();
    const permutation = this.seekPattern(range, s, p, o, graphs[0]);
    if (range.end - range.start > AT_ONCE_ROWS) return this.#quadsOf(s, p, o, graphs);
    return this.#quadsIn(range, permutation, this.dictionary.term(graphs[0]), range.start, range.end);
  }

  *#quadsOf(s: TermId, p: TermId, o: TermId, graphs: Iterable<TermId>): Generator<RDF.Quad> {
    const range = new Range();
    for (const graph of graphs) {
      const permutation = this.seekPattern(range, s, p, o, graph);
      const term = this.dictionary.term(graph);
      for (let start = range.start; start < range.end; start += AT_ONCE_ROWS) {
        yield* this.#quadsIn(range, permutation, term, start, Math.min(range.end, start + AT_ONCE_ROWS));
      }
    }
  }

  #quadsIn(range: Range, permutation: PermutationId, graph: RDF.Term, start: number, end: number): RDF.Quad[] {
    const { dictionary, permitted } = this;
    const { sets } = range;
    const [subjects, predicates, objects] = columnsOf(permutation, range);
    const quads: RDF.Quad[] = [];
    for (let i = start; i < end; i++) {
      if (sets !== null && permitted[sets[i]] !== 1) continue;
      const subject = dictionary.term(subjects[i]);
      quads.push(quad(subject, dictionary.term(predicates[i]), dictionary.term(objects[i]), graph));
    }
    return quads;
  }

  #graphsOf(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<TermId> & ArrayLike<TermId> {
    return g === UNBOUND ? this.graphsWith(s, p, o) : [g];
  }
}

/** Seeks in a given permutation by subject, predicate and object ids. The bound ones must be a prefix of it. */
export function seekBy(
  snapshot: Snapshot,
  range: Range,
  permutation: PermutationId,
  s: TermId,
  p: TermId,
  o: TermId,
  graph: TermId,
): number {
  switch (permutation) {
    case Permutation.spo:
      return snapshot.seek(range, permutation, graph, s, p, o);
    case Permutation.pso:
      return snapshot.seek(range, permutation, graph, p, s, o);
    case Permutation.pos:
      return snapshot.seek(range, permutation, graph, p, o, s);
    default:
      return snapshot.seek(range, permutation, graph, o, s, p);
  }
}
