import { type NextTurn, nextTurn } from '@cairn/events';
import {
  createLabelSetTable,
  createLabelTable,
  type LabelSetId,
  type LabelSetTable,
  type Viewer,
} from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { ChangeSet, LabelledQuad } from '../port/graph-dataset.ts';
import type { TermId } from '../port/term-kind.ts';
import { buildRun, type QuadColumns } from './build-run.ts';
import { type Allocate, allocatePrivate } from './memory.ts';
import { hasManyRuns, isMergedAtOnce, mergeFrom } from './merge-policy.ts';
import { type MergeOptions, mergeAll, mergeRuns } from './merge-runs.ts';
import { Permutation } from './permutation.ts';
import { QuadTable } from './quad-table.ts';
import { Range } from './range.ts';
import type { Run } from './run.ts';
import { Pace } from './scheduler.ts';
import { Snapshot } from './snapshot.ts';
import { TermDictionary } from './term-dictionary.ts';

/** How many snapshots of the current state are kept for their viewers. */
const MAX_SNAPSHOTS = 32;

/** The cost of finding or interning the terms of a quad, in the unit of {@link Pace}. */
const WORK_PER_QUAD = 100;
/** More, where the table is far larger than what is near the processor. */
const WORK_PER_SCATTERED_QUAD = 200;

/** Initial state of a store: nothing, or the state that a persisted snapshot held. */
export interface StoreState {
  readonly dictionary: TermDictionary;
  readonly sets: LabelSetTable;
  /** Oldest first. */
  readonly runs: readonly Run[];
}

/** Options of {@link QuadStore}. */
export interface QuadStoreOptions {
  /** Gives memory. Default private; {@link allocateShared} makes what workers can read. */
  readonly allocate?: Allocate | undefined;
  readonly state?: StoreState | undefined;
  /** Awaited before each slice of merging in the background. Default {@link nextTurn}. */
  readonly mergeTurn?: NextTurn | undefined;
  /** How much work writing and merging do in one go, in units of about ten nanoseconds. Default 250,000. */
  readonly sliceWork?: number | undefined;
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
  readonly #mergeTurn: NextTurn;
  readonly #sliceWork: number | undefined;
  #runs: readonly Run[];
  #merging: Merging | undefined;
  #closed = false;
  /** How many of the newest runs a writer merges at the moment. */
  #taken = 0;
  readonly #probe = new Range();
  readonly #snapshots = new Map<string, Snapshot>();
  #everything: Snapshot | undefined;

  constructor(options: QuadStoreOptions = {}) {
    this.allocate = options.allocate ?? allocatePrivate;
    this.dictionary = options.state?.dictionary ?? new TermDictionary(this.allocate);
    this.sets = options.state?.sets ?? createLabelSetTable(createLabelTable());
    this.emptySet = this.sets.intern([]);
    this.#mergeTurn = options.mergeTurn ?? nextTurn;
    this.#sliceWork = options.sliceWork;
    this.#runs = options.state?.runs ?? [];
  }

  /** The runs as they lie now, oldest first. */
  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** Returns what a viewer sees now. Cheap when asked again before the next change. */
  snapshot(viewer: Viewer): Snapshot {
    const known = this.#snapshots.get(viewer.key);
    if (known !== undefined) return known;
    const snapshot = new Snapshot(this.dictionary, this.#runs, viewer.permittedSets(this.sets));
    if (this.#snapshots.size >= MAX_SNAPSHOTS) this.#snapshots.clear();
    this.#snapshots.set(viewer.key, snapshot);
    return snapshot;
  }

  /** Returns what is stored under any label: for projections that keep labels, never for answers. Cheap again. */
  snapshotOfEverything(): Snapshot {
    if (this.#everything !== undefined) return this.#everything;
    const permitted = new Uint8Array(this.sets.size).fill(1);
    permitted[this.emptySet] = 0;
    this.#everything = new Snapshot(this.dictionary, this.#runs, permitted);
    return this.#everything;
  }

  /** The label set of a quad now; the empty set when it is not stored. */
  labelSet(s: TermId, p: TermId, o: TermId, g: TermId): LabelSetId {
    return this.labelSetIn(this.#runs, s, p, o, g);
  }

  /** The label set of a quad in some runs of this store, oldest first. */
  labelSetIn(runs: readonly Run[], s: TermId, p: TermId, o: TermId, g: TermId): LabelSetId {
    const range = this.#probe;
    for (let i = runs.length - 1; i >= 0; i--) {
      const run = runs[i];
      const block = run.block(g);
      // biome-ignore lint/style/noNonNullAssertion: the ranges of a run have label sets; hot
      if (block >= 0 && run.seek(range, Permutation.spo, block, s, p, o) > 0) return range.sets![range.start];
    }
    return this.emptySet;
  }

  /** Applies change sets in slices, visible at the end: all or nothing, by one writer. True when something changed. */
  *apply(changes: readonly ChangeSet[]): Generator<void, boolean> {
    const pace = new Pace(this.#sliceWork);
    const touched = new QuadTable(capacityFor(changes));
    // Memory for many quads takes as long as a slice.
    if (touched.s.length >= LARGE_TABLE) yield;
    const lists = changes.flatMap(({ deletions, additions }) => [
      [deletions, false] as const,
      [additions, true] as const,
    ]);
    for (const [rows, areNew] of lists) {
      for (let at = 0; at < rows.length; ) {
        at = this.#changeFrom(at, rows, areNew, touched, pace);
        if (at < rows.length) yield;
      }
    }
    const progress: Dropping = { touched, read: 0, kept: 0 };
    while (!this.#dropUnchanged(progress, pace)) yield;
    if (touched.size === 0) return false;
    yield* this.push(yield* this.buildRun(touched));
    return true;
  }

  /** One slice of deletions or additions from `start` on; returns where the next one begins. */
  #changeFrom(start: number, rows: readonly LabelledQuad[], areNew: boolean, touched: QuadTable, pace: Pace): number {
    const scatter = areNew && touched.s.length >= LARGE_TABLE ? WORK_PER_SCATTERED_QUAD : 0;
    for (let at = start; at < rows.length; at++) {
      const { quad, label } = rows[at];
      // biome-ignore lint/style/noNonNullAssertion: additions have a label; hot
      if (areNew) this.#add(touched, quad, label!);
      else this.#delete(touched, quad, label);
      if (pace.did(workOf(quad) + scatter)) return at + 1;
    }
    return rows.length;
  }

  /** Keeps of a table what is not stored so, a slice of it; true at the end, when the table finds nothing any more. */
  #dropUnchanged(progress: Dropping, pace: Pace): boolean {
    const { touched } = progress;
    const { s, p, o, g, sets } = touched;
    while (progress.read < touched.size) {
      const row = progress.read++;
      if (this.labelSet(s[row], p[row], o[row], g[row]) !== sets[row]) touched.move(row, progress.kept++);
      if (pace.did(WORK_PER_QUAD)) return false;
    }
    touched.size = progress.kept;
    return true;
  }

  /** Sorts a table of quads into a run, in slices. */
  buildRun(table: QuadTable): Generator<void, Run> {
    return buildRun(table, this.allocate, (_, newer) => newer);
  }

  /** Sorts many quads into a run, in slices; equal quads become one under the labels of both. */
  buildLargeRun(columns: QuadColumns): Generator<void, Run> {
    const { sets } = this;
    return buildRun(columns, this.allocate, (a, b) => sets.intern([...sets.labelIds(a), ...sets.labelIds(b)]));
  }

  /** Lays a run over the others and makes it visible, in slices. */
  *push(run: Run): Generator<void, void> {
    let top = run;
    try {
      for (let below = this.#runs; this.#mayJoin(below, top); below = this.#untakenRuns()) {
        // From here on the background leaves this run alone.
        this.#taken++;
        top = yield* mergeRuns(below[below.length - 1], top, this.#mergeOptions(below.length - 1));
      }
      const below = this.#untakenRuns();
      this.#replace(top.size === 0 ? below : [...below, top]);
    } finally {
      this.#taken = 0;
    }
    this.#startMerging();
  }

  #mayJoin(below: readonly Run[], top: Run): boolean {
    return below.length > (this.#merging?.end ?? 0) && isMergedAtOnce(below, top);
  }

  /** The runs that no writer is about to replace. */
  #untakenRuns(): readonly Run[] {
    return this.#taken === 0 ? this.#runs : this.#runs.slice(0, -this.#taken);
  }

  /** Merges everything into one run now, in slices. For persistence and for tests. */
  *compact(): Generator<void, Run | undefined> {
    while (this.#runs.length > 1) {
      this.#merging ??= this.#createMerging(0);
      if (this.#stepMerging()) yield;
    }
    return this.#runs[0];
  }

  /** Returns true if a writer should wait for the background merge. */
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
    return row >= 0 ? touched.sets[row] : this.labelSet(s, p, o, g);
  }

  #replace(runs: readonly Run[]): void {
    this.#runs = runs;
    this.#snapshots.clear();
    this.#everything = undefined;
  }

  #mergeOptions(index: number): MergeOptions {
    const { allocate, emptySet } = this;
    return { allocate, emptySet, isBottom: index === 0, sliceWork: this.#sliceWork };
  }

  #startMerging(): void {
    if (this.#merging !== undefined || this.#closed) return;
    const from = mergeFrom(this.#untakenRuns());
    if (from < 0) return;
    this.#merging = this.#createMerging(from);
    void this.#continueMerging();
  }

  #createMerging(from: number): Merging {
    const runs = this.#untakenRuns();
    return { from, end: runs.length, steps: mergeAll(runs.slice(from), this.#mergeOptions(from)) };
  }

  /** One slice; true while there is more to do. */
  #stepMerging(): boolean {
    const merging = this.#merging;
    if (merging === undefined) return false;
    const step = merging.steps.next();
    if (!step.done) return true;
    const merged = step.value.size === 0 ? [] : [step.value];
    this.#merging = undefined;
    this.#replace([...this.#runs.slice(0, merging.from), ...merged, ...this.#runs.slice(merging.end)]);
    return false;
  }

  async #continueMerging(): Promise<void> {
    const turn = this.#mergeTurn;
    do {
      await turn();
      if (this.#merging === undefined || this.#closed) return;
    } while (this.#stepMerging());
    this.#startMerging();
  }
}

interface Merging {
  readonly from: number;
  readonly end: number;
  readonly steps: Generator<void, Run>;
}

/** How far the rows of a table are gone through, and how many of them stay. */
interface Dropping {
  readonly touched: QuadTable;
  read: number;
  kept: number;
}

/** Memory for so many quads is no short matter: it is touched for the first time. */
const LARGE_TABLE: number = 1 << 17;

/** So many rows have room for what change sets touch: growing a large table would take long. */
function capacityFor(changes: readonly ChangeSet[]): number {
  let count = 0;
  for (const { deletions, additions } of changes) count += deletions.length + additions.length;
  return Math.max(8, count);
}

/** It grows with the texts of its terms. */
function workOf({ subject, object }: RDF.Quad): number {
  return WORK_PER_QUAD + ((subject.value.length + object.value.length) >> 2);
}
