import {
  createLabelSetTable,
  createLabelTable,
  type LabelSetId,
  type LabelSetTable,
  type Viewer,
} from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { ChangeSet } from '../port/graph-dataset.ts';
import { buildRun, type QuadColumns } from './build-run.ts';
import { type Allocate, allocatePrivate } from './memory.ts';
import { hasManyRuns, isMergedAtOnce, mergeFrom } from './merge-policy.ts';
import { mergeAll, mergeRuns } from './merge-runs.ts';
import { Permutation } from './permutation.ts';
import { QuadTable } from './quad-table.ts';
import { Range } from './range.ts';
import type { Run } from './run.ts';
import { finish, type Schedule, scheduleOnEventLoop } from './scheduler.ts';
import { Snapshot } from './snapshot.ts';
import { TermDictionary } from './term-dictionary.ts';
import type { TermId } from './term-kind.ts';

/** How many snapshots of the current state are kept for their viewers. */
const MAX_SNAPSHOTS = 32;

/** What a store starts from: nothing, or the state that a persisted snapshot held. */
export interface StoreState {
  readonly dictionary: TermDictionary;
  readonly sets: LabelSetTable;
  /** Oldest first. */
  readonly runs: readonly Run[];
}

/** Options of {@link QuadStore}. */
export interface QuadStoreOptions {
  /** Default: private memory. */
  readonly allocate?: Allocate | undefined;
  readonly state?: StoreState | undefined;
  /** Default: the host's event loop. */
  readonly schedule?: Schedule | undefined;
}

/**
 * Labelled quads as sorted runs of ids: one large run, and newer small ones over it that are merged in the background
 * in slices. One writer at a time; readers keep the state they began with.
 */
export class QuadStore {
  readonly dictionary: TermDictionary;
  readonly sets: LabelSetTable;
  readonly emptySet: LabelSetId;
  readonly allocate: Allocate;
  readonly #schedule: Schedule;
  #runs: readonly Run[];
  #generation = 0;
  #merging: Merging | undefined;
  #closed = false;
  readonly #probe = new Range();
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(options: QuadStoreOptions = {}) {
    this.allocate = options.allocate ?? allocatePrivate;
    this.dictionary = options.state?.dictionary ?? new TermDictionary(this.allocate);
    this.sets = options.state?.sets ?? createLabelSetTable(createLabelTable());
    this.emptySet = this.sets.intern([]);
    this.#schedule = options.schedule ?? scheduleOnEventLoop;
    this.#runs = options.state?.runs ?? [];
  }

  /** Counts up with every change of the content. */
  get generation(): number {
    return this.#generation;
  }

  /** The runs as they lie now, oldest first. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** What a viewer sees now. Cheap when asked again before the next change. */
  snapshot(viewer: Viewer): Snapshot {
    const known = this.#snapshots.get(viewer.key);
    if (known !== undefined) return known;
    const snapshot = new Snapshot(this.dictionary, this.#runs, viewer.permittedSets(this.sets));
    if (this.#snapshots.size >= MAX_SNAPSHOTS) this.#snapshots.clear();
    this.#snapshots.set(viewer.key, snapshot);
    return snapshot;
  }

  /** What is stored now under any label. For projections that keep the labels, never for answers. */
  snapshotOfEverything(): Snapshot {
    const permitted = new Uint8Array(this.sets.size).fill(1);
    permitted[this.emptySet] = 0;
    return new Snapshot(this.dictionary, this.#runs, permitted);
  }

  /** The label set of a quad now; the empty set when it is not stored. */
  labelSet(s: TermId, p: TermId, o: TermId, g: TermId): LabelSetId {
    return this.labelSetIn(this.#runs, s, p, o, g);
  }

  /** The label set of a quad in some runs of this store, oldest first. */
  labelSetIn(runs: readonly Run[], s: TermId, p: TermId, o: TermId, g: TermId): LabelSetId {
    const range = this.#probe;
    for (let i = runs.length - 1; i >= 0; i--) {
      const run = runs[i]!;
      const block = run.block(g);
      if (block >= 0 && run.seek(range, Permutation.spo, block, s, p, o) > 0) return range.sets![range.start]!;
    }
    return this.emptySet;
  }

  /** Applies change sets in order, whole or not at all. Returns whether anything changed. */
  apply(changes: readonly ChangeSet[]): boolean {
    const touched = new QuadTable();
    for (const { deletions, additions } of changes) {
      for (const { quad, label } of deletions) this.#delete(touched, quad, label);
      for (const { quad, label } of additions) this.#add(touched, quad, label!);
    }
    return this.applyTable(touched);
  }

  /** Gives every quad of a table its label set, the empty one deleting it. Returns whether anything changed. */
  applyTable(touched: QuadTable): boolean {
    const kept = new QuadTable(Math.max(8, touched.size));
    for (let row = 0; row < touched.size; row++) {
      const [s, p, o, g, set] = rowOf(touched, row);
      if (this.labelSet(s, p, o, g) !== set) kept.set(s, p, o, g, set);
    }
    if (kept.size === 0) return false;
    this.push(this.buildRun(kept));
    return true;
  }

  /** Sorts a table of quads into a run, at once. */
  buildRun(table: QuadTable): Run {
    return finish(buildRun(table, this.allocate, (_, newer) => newer));
  }

  /** Sorts many quads into a run, in slices; equal quads become one under the labels of both. */
  buildLargeRun(columns: QuadColumns): Generator<void, Run> {
    return buildRun(columns, this.allocate, (a, b) => this.#union(a, b));
  }

  /** Lays a run over the others and makes it visible. */
  push(run: Run): void {
    let top = run;
    let below = this.#runs;
    const frozen = this.#merging?.end ?? 0;
    while (below.length > frozen && isMergedAtOnce(below, top)) {
      top = finish(mergeRuns(below.at(-1)!, top, this.#mergeOptions(below.length - 1)));
      below = below.slice(0, -1);
    }
    this.#replace(top.size === 0 ? below : [...below, top]);
    this.#generation++;
    this.#startMerging();
  }

  /** Merges everything into one run now, in slices. For persistence and for tests. */
  *compact(): Generator<void, Run | undefined> {
    while (this.#runs.length > 1) {
      this.#merging ??= this.#createMerging(0);
      if (this.#stepMerging()) yield;
    }
    return this.#runs[0];
  }

  /** Whether a writer should wait for the background merge. */
  get isBehind(): boolean {
    return this.#merging !== undefined && hasManyRuns(this.#runs);
  }

  /** Stops background work. */
  close(): void {
    this.#closed = true;
    this.#merging = undefined;
  }

  #add(touched: QuadTable, quad: RDF.Quad, label: string): void {
    const { dictionary } = this;
    const s = dictionary.intern(quad.subject);
    const p = dictionary.intern(quad.predicate);
    const o = dictionary.intern(quad.object);
    const g = dictionary.intern(quad.graph);
    const set = this.#currentSet(touched, s, p, o, g);
    touched.set(s, p, o, g, this.sets.with(set, this.sets.labels.intern(label)));
  }

  #delete(touched: QuadTable, quad: RDF.Quad, label: string | undefined): void {
    const { dictionary } = this;
    const s = dictionary.find(quad.subject);
    const p = dictionary.find(quad.predicate);
    const o = dictionary.find(quad.object);
    const g = dictionary.find(quad.graph);
    if (s === 0 || p === 0 || o === 0 || g === 0) return;
    const set = this.#currentSet(touched, s, p, o, g);
    if (set === this.emptySet) return;
    if (label === undefined) {
      touched.set(s, p, o, g, this.emptySet);
      return;
    }
    const labelId = this.sets.labels.get(label);
    if (labelId !== undefined) touched.set(s, p, o, g, this.sets.without(set, labelId));
  }

  #currentSet(touched: QuadTable, s: TermId, p: TermId, o: TermId, g: TermId): LabelSetId {
    const row = touched.find(s, p, o, g);
    return row >= 0 ? touched.sets[row]! : this.labelSet(s, p, o, g);
  }

  #union(a: LabelSetId, b: LabelSetId): LabelSetId {
    return this.sets.intern([...this.sets.labelIds(a), ...this.sets.labelIds(b)]);
  }

  #replace(runs: readonly Run[]): void {
    this.#runs = runs;
    this.#snapshots.clear();
  }

  #mergeOptions(index: number): { allocate: Allocate; emptySet: LabelSetId; isBottom: boolean } {
    return { allocate: this.allocate, emptySet: this.emptySet, isBottom: index === 0 };
  }

  #startMerging(): void {
    if (this.#merging !== undefined || this.#closed) return;
    const from = mergeFrom(this.#runs);
    if (from < 0) return;
    this.#merging = this.#createMerging(from);
    this.#schedule(() => this.#continueMerging());
  }

  #createMerging(from: number): Merging {
    const runs = this.#runs.slice(from);
    return { from, end: this.#runs.length, steps: mergeAll(runs, this.#mergeOptions(from)) };
  }

  /** One slice; true while there is more to do. */
  #stepMerging(): boolean {
    const merging = this.#merging!;
    const step = merging.steps.next();
    if (!step.done) return true;
    const merged = step.value.size === 0 ? [] : [step.value];
    this.#merging = undefined;
    this.#replace([...this.#runs.slice(0, merging.from), ...merged, ...this.#runs.slice(merging.end)]);
    return false;
  }

  #continueMerging(): void {
    if (this.#merging === undefined || this.#closed) return;
    if (this.#stepMerging()) this.#schedule(() => this.#continueMerging());
    else this.#startMerging();
  }
}

interface Merging {
  readonly from: number;
  readonly end: number;
  readonly steps: Generator<void, Run>;
}

function rowOf(table: QuadTable, row: number): [TermId, TermId, TermId, TermId, LabelSetId] {
  return [table.s[row]!, table.p[row]!, table.o[row]!, table.g[row]!, table.sets[row]!];
}
