import { runAtOnce } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { quad } from '../../rdf/terms.ts';
import type { CompareTerms, GraphReader, QuadIds } from '../port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../port/term-kind.ts';
import type { Directory } from './directory.ts';
import { LayeredRows } from './layered-rows.ts';
import { MergedStretches, SLICE_ROWS } from './merged-stretches.ts';
import { columnsOf, firstBound, inOrder, permutationFor } from './pattern-order.ts';
import { Permutation, type PermutationId } from './permutation.ts';
import { copyRange, Range, sizeOf } from './range.ts';
import { Run, type RunArrays } from './run.ts';
import { Pace } from './scheduler.ts';
import { TermDictionary } from './term-dictionary.ts';
import { TermOrder } from './term-order.ts';
import type { DictionaryArrays } from './term-table.ts';
import { visibleGraphs } from './visible-graphs.ts';

/** Terms are made for this many rows at a time. */
const AT_ONCE_ROWS = 256;

/** Longer lists of graphs are kept, so many of them. */
const FEW_GRAPHS = 64;
const MAX_GRAPH_LISTS = 16;

/** Seeking in one graph, in the unit of {@link Pace}. */
const WORK_PER_GRAPH = 60;

/** Merging a row, in the same unit, where several runs have rows. */
const WORK_PER_MERGED_ROW = 16;

/** More than any store has. */
const ANY_ROWS = 0x7fff_ffff;

/** Counts that took long are kept, so many of them. */
const MAX_COUNTS = 64;

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
 * One viewer's view of a store at one moment: terms by id and back, and sorted stretches of visible quads.
 * Immutable: later changes of the store do not show. Nothing the viewer may not see comes out of any method.
 */
export class Snapshot implements GraphReader {
  readonly dictionary: TermDictionary;
  readonly runs: readonly Run[];
  /** By label set id: 1 where the viewer may see. */
  readonly permitted: Uint8Array;
  readonly #isWhollyVisible: readonly boolean[];
  readonly #scratch: readonly Range[];
  readonly #probe = new Range();
  /** How many rows the last seek merged: more than are visible of them. */
  #mergedRows = 0;
  readonly #merged: MergedStretches;
  #graphs: Uint32Array | undefined;
  #order: TermOrder | undefined;
  /** Long lists of {@link graphsWith}, which planners ask for again and again. */
  readonly #graphsByTerm = new Map<string, Uint32Array>();
  readonly #counts = new Map<string, number>();

  constructor(dictionary: TermDictionary, runs: readonly Run[], permitted: Uint8Array) {
    this.dictionary = dictionary;
    this.runs = runs;
    this.permitted = permitted;
    this.#isWhollyVisible = runs.map((run) => run.arrays.distinctSets.every((set) => permitted[set] === 1));
    this.#merged = new MergedStretches(permitted);
    this.#scratch = runs.map(() => new Range());
  }

  /** Returns the same view for another thread; arrays in shared memory are not copied. */
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

  idOf(term: RDF.Term): TermId {
    return this.dictionary.find(term);
  }

  term(id: TermId): RDF.Term {
    return this.dictionary.term(id);
  }

  kind(id: TermId): number {
    return this.dictionary.kind(id);
  }

  text(id: TermId): string {
    return this.dictionary.text(id);
  }

  get compare(): CompareTerms {
    this.#order ??= new TermOrder(this.dictionary);
    return this.#order.compare;
  }

  /** True when all that is stored is visible and in one run, so that stretches are exact without looking at rows. */
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
    return this.#seekRuns(range, permutation, graph, a, b, c, ANY_ROWS);
  }

  /** Like {@link seek} in several runs; where much would have to be merged it gives -1, for {@link seekInSlices}. */
  seekShort(range: Range, permutation: PermutationId, graph: TermId, a: TermId, b: TermId, c: TermId): number {
    return this.#seekRuns(range, permutation, graph, a, b, c, SLICE_ROWS);
  }

  #seekRuns(
    range: Range,
    permutation: PermutationId,
    graph: TermId,
    a: TermId,
    b: TermId,
    c: TermId,
    maxRows: number,
  ): number {
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
    if (found.length > 1) {
      const key = keyOf(permutation, graph, a, b, c);
      const recalled = this.#merged.recall(range, key);
      if (recalled >= 0) return recalled;
      const rows = sizeOf(found);
      if (rows > maxRows) return -1;
      this.#mergedRows = rows;
      return this.#merged.merge(range, found, key);
    }
    copyRange(range, found[0]);
    if (this.#isWhollyVisible[only]) range.sets = null;
    return range.end - range.start;
  }

  /** The rows of each run that has some, oldest first. */
  #rangesOf(permutation: PermutationId, graph: TermId, a: TermId, b: TermId, c: TermId): Range[] {
    const found: Range[] = [];
    for (const run of this.runs) {
      const block = run.block(graph);
      if (block < 0) continue;
      const range = new Range();
      if (run.seek(range, permutation, block, a, b, c) > 0) found.push(range);
    }
    return found;
  }

  /** Like {@link seek}, in slices, for whole stretches: a long merge is remembered. Others read {@link pieces}. */
  *seekInSlices(
    range: Range,
    permutation: PermutationId,
    graph: TermId,
    a: TermId,
    b: TermId,
    c: TermId,
  ): Generator<undefined, number> {
    if (this.runs.length === 1) return this.seek(range, permutation, graph, a, b, c);
    const rows = this.seekShort(range, permutation, graph, a, b, c);
    if (rows >= 0) return rows;
    const found = this.#rangesOf(permutation, graph, a, b, c);
    return yield* this.#merged.mergeInSlices(range, found, keyOf(permutation, graph, a, b, c));
  }

  /**
   * The rows of a graph that match, one piece of them after the other: when `range` holds the next one, it yields the work
   * that this and reading it take, in the unit of {@link Pace}. The bound ids must be a prefix of the permutation. Where
   * rows must be merged, or checked one by one, a piece is at most {@link SLICE_ROWS} rows long.
   */
  *pieces(
    range: Range,
    permutation: PermutationId,
    s: TermId,
    p: TermId,
    o: TermId,
    graph: TermId,
  ): Generator<number, void> {
    if (this.#seekPiece(range, permutation, s, p, o, graph) >= 0) {
      yield this.#workOf(range);
      return;
    }
    const found = this.#rangesOf(permutation, graph, ...inOrder(permutation, s, p, o));
    for (const merged of this.#merged.pieces(range, found)) {
      this.#mergedRows = merged;
      yield this.#workOf(range);
    }
  }

  /** Like {@link seekBy} where what it finds is one piece; else gives -1. */
  #seekPiece(range: Range, permutation: PermutationId, s: TermId, p: TermId, o: TermId, graph: TermId): number {
    this.#mergedRows = 0;
    const rows = seekBy(this, range, permutation, s, p, o, graph);
    return rows > SLICE_ROWS && range.sets !== null ? -1 : rows;
  }

  /** Returns the work of the last seek and of checking its rows. */
  #workOf({ sets, start, end }: Range): number {
    return WORK_PER_GRAPH + this.#mergedRows * WORK_PER_MERGED_ROW + (sets === null ? 0 : end - start);
  }

  /** How many rows match in a graph, or some more where counting them would take long. For planning. */
  rowsAbout(s: TermId, p: TermId, o: TermId, graph: TermId): number {
    const permutation = permutationFor(s, p, o);
    const rows = seekBy(this, this.#probe, permutation, s, p, o, graph);
    if (rows >= 0) return rows;
    return sizeOf(this.#rangesOf(permutation, graph, ...inOrder(permutation, s, p, o)));
  }

  /** The directory of the second column under a first id, where one run alone holds such quads and has one. In slices. */
  *directoryOf(permutation: PermutationId, graph: TermId, first: TermId): Generator<undefined, Directory | undefined> {
    const range = new Range();
    const found = this.runs.filter((run) => {
      const block = run.block(graph);
      return block >= 0 && run.seek(range, permutation, block, first, 0, 0) > 0;
    });
    if (found.length !== 1) return undefined;
    return yield* found[0].secondDirectory(permutation, found[0].block(graph), first);
  }

  /** The graphs that hold at least one visible quad, sorted by id; the default graph (id 1) first when it does. */
  graphs(): Uint32Array {
    this.#graphs ??= runAtOnce(visibleGraphs(this.runs, this.permitted));
    return this.#graphs;
  }

  /** Every graph in which quads are stored; what the viewer sees of some may be nothing. */
  possibleGraphs(): TermId[] {
    return [...new Set(this.runs.flatMap(({ arrays }) => [...arrays.graphs]))];
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

  /** The rows of a graph that match, in any number of runs. Cost: O(log rows). */
  rows(s: TermId, p: TermId, o: TermId, graph: TermId): LayeredRows {
    const permutation = permutationFor(s, p, o);
    const ranges = this.#rangesOf(permutation, graph, ...inOrder(permutation, s, p, o));
    return new LayeredRows(graph, permutation, ranges, this.permitted);
  }

  /** How many visible quads match; 0 matches any term. Cost: O(log rows) where every row is visible, else O(rows). */
  count(s: TermId, p: TermId, o: TermId, g: TermId): number {
    const count = this.countAtOnce(s, p, o, g);
    return count >= 0 ? count : runAtOnce(this.countInSlices(s, p, o, g));
  }

  /** Like {@link count} where that is short; else gives -1, for {@link countInSlices}. */
  countAtOnce(s: TermId, p: TermId, o: TermId, g: TermId): number {
    if (this.#needsGraphs(s, p, o, g)) return -1;
    const graphs = this.#graphsOf(s, p, o, g);
    if (graphs.length !== 1) return graphs.length === 0 ? 0 : -1;
    const range = new Range();
    const rows = this.#seekPiece(range, permutationFor(s, p, o), s, p, o, graphs[0]);
    return rows < 0 ? -1 : this.countRange(range);
  }

  /** Like {@link count}, in slices of some graphs and rows. A count that takes several is remembered. */
  *countInSlices(s: TermId, p: TermId, o: TermId, g: TermId): Generator<undefined, number> {
    if (this.#needsGraphs(s, p, o, g)) yield* this.#findGraphs();
    const permutation = permutationFor(s, p, o);
    const range = new Range();
    const pace = new Pace();
    let count = 0;
    for (const graph of this.#graphsOf(s, p, o, g)) {
      if (this.#seekPiece(range, permutation, s, p, o, graph) < 0) return yield* this.#countLong(s, p, o, g);
      count += this.countRange(range);
      if (pace.did(this.#workOf(range))) return yield* this.#countLong(s, p, o, g);
    }
    return count;
  }

  *#countLong(s: TermId, p: TermId, o: TermId, g: TermId): Generator<undefined, number> {
    const key = `${s}/${p}/${o}/${g}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const permutation = permutationFor(s, p, o);
    const range = new Range();
    const pace = new Pace();
    let count = 0;
    yield;
    for (const graph of this.#graphsOf(s, p, o, g)) {
      for (const work of this.pieces(range, permutation, s, p, o, graph)) {
        count += this.countRange(range);
        if (pace.did(work)) yield;
      }
    }
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(key, count);
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

  /** Returns true if a quad is visible. Cost: O(log rows). */
  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    const range = new Range();
    this.seek(range, Permutation.spo, g, s, p, o);
    return this.countRange(range) > 0;
  }

  /** Every visible quad that matches, as ids; 0 matches any term. In the order of graph, then permutation. */
  *quadIds(s: TermId, p: TermId, o: TermId, g: TermId): Generator<QuadIds> {
    const { permitted } = this;
    const permutation = permutationFor(s, p, o);
    for (const graph of this.#graphsOf(s, p, o, g)) {
      const range = new Range();
      if (this.#seekPiece(range, permutation, s, p, o, graph) < 0) {
        yield* this.#manyQuadIds(s, p, o, graph);
        continue;
      }
      const [subjects, predicates, objects] = columnsOf(permutation, range);
      const { sets, start, end } = range;
      for (let i = start; i < end; i++) {
        if (sets === null || permitted[sets[i]] === 1) yield [subjects[i], predicates[i], objects[i], graph];
      }
    }
  }

  *#manyQuadIds(s: TermId, p: TermId, o: TermId, graph: TermId): Generator<QuadIds> {
    for (const found of this.quadIdsInSlices(s, p, o, graph)) if (found !== undefined) yield found;
  }

  /** Like {@link quadIds}, with `undefined` as a place to pause before more rows are merged or checked. */
  *quadIdsInSlices(s: TermId, p: TermId, o: TermId, g: TermId): Generator<QuadIds | undefined> {
    if (this.#needsGraphs(s, p, o, g)) yield* this.#findGraphs();
    const { permitted } = this;
    const permutation = permutationFor(s, p, o);
    const range = new Range();
    const pace = new Pace();
    for (const graph of this.#graphsOf(s, p, o, g)) {
      for (const work of this.pieces(range, permutation, s, p, o, graph)) {
        if (pace.did(work)) yield;
        const [subjects, predicates, objects] = columnsOf(permutation, range);
        const { sets, start, end } = range;
        for (let i = start; i < end; i++) {
          if (sets === null || permitted[sets[i]] === 1) yield [subjects[i], predicates[i], objects[i], graph];
        }
      }
    }
  }

  /** Every visible quad that matches; 0 matches any term. Iterable once. */
  quads(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<RDF.Quad> {
    const graphs = this.#graphsOf(s, p, o, g);
    if (graphs.length !== 1) return this.#quadsOf(s, p, o, graphs);
    const range = new Range();
    const permutation = permutationFor(s, p, o);
    const rows = seekBy(this, range, permutation, s, p, o, graphs[0]);
    if (rows < 0 || rows > AT_ONCE_ROWS) return this.#quadsOf(s, p, o, graphs);
    return this.#quadsIn(range, permutation, this.dictionary.term(graphs[0]), range.start, range.end);
  }

  *#quadsOf(s: TermId, p: TermId, o: TermId, graphs: Iterable<TermId>): Generator<RDF.Quad> {
    for (const found of this.#quadsOfInSlices(s, p, o, graphs)) if (found !== undefined) yield found;
  }

  /** Like {@link quads}, with `undefined` as a place to pause before more rows are merged or checked. */
  *quadsInSlices(s: TermId, p: TermId, o: TermId, g: TermId): Generator<RDF.Quad | undefined> {
    if (this.#needsGraphs(s, p, o, g)) yield* this.#findGraphs();
    yield* this.#quadsOfInSlices(s, p, o, this.#graphsOf(s, p, o, g));
  }

  *#quadsOfInSlices(s: TermId, p: TermId, o: TermId, graphs: Iterable<TermId>): Generator<RDF.Quad | undefined> {
    const permutation = permutationFor(s, p, o);
    const range = new Range();
    const pace = new Pace();
    for (const graph of graphs) {
      const term = this.dictionary.term(graph);
      for (const work of this.pieces(range, permutation, s, p, o, graph)) {
        if (pace.did(work)) yield;
        for (let start = range.start; start < range.end; start += AT_ONCE_ROWS) {
          yield* this.#quadsIn(range, permutation, term, start, Math.min(range.end, start + AT_ONCE_ROWS));
        }
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

  /** Returns true if a pattern needs the visible graphs, which are not known: what is hidden may be long. */
  #needsGraphs(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    return this.#graphs === undefined && s === UNBOUND && p === UNBOUND && o === UNBOUND && g === UNBOUND;
  }

  *#findGraphs(): Generator<undefined, void> {
    this.#graphs ??= yield* visibleGraphs(this.runs, this.permitted);
  }

  #graphsOf(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<TermId> & ArrayLike<TermId> {
    return g === UNBOUND ? this.graphsWith(s, p, o) : [g];
  }
}

/** {@link Snapshot.seekInSlices} in a given permutation by subject, predicate and object ids. */
export function seekByInSlices(
  snapshot: Snapshot,
  range: Range,
  permutation: PermutationId,
  s: TermId,
  p: TermId,
  o: TermId,
  graph: TermId,
): Generator<undefined, number> {
  return snapshot.seekInSlices(range, permutation, graph, ...inOrder(permutation, s, p, o));
}

/** Seeks by ids of which the bound ones are a prefix. Gives -1 where much must be merged: {@link seekByInSlices}. */
export function seekBy(
  snapshot: Snapshot,
  range: Range,
  permutation: PermutationId,
  s: TermId,
  p: TermId,
  o: TermId,
  graph: TermId,
): number {
  // The way of one run is short, so that it becomes part of its callers.
  if (snapshot.runs.length !== 1)
    return snapshot.seekShort(range, permutation, graph, ...inOrder(permutation, s, p, o));
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

function keyOf(permutation: PermutationId, graph: TermId, a: TermId, b: TermId, c: TermId): string {
  return `${permutation}/${graph}/${a}/${b}/${c}`;
}
