import type { LabelId, Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { ChangeSet, LabelledQuad } from '../../graph/port/graph-dataset.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import type { QuadStore } from '../../graph/store/quad-store.ts';
import { QUAD_BYTES, QuadTable } from '../../graph/store/quad-table.ts';
import { Pace } from '../../graph/store/scheduler.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import { quad } from '../../rdf/terms.ts';
import { MemoryBudget } from '../execute/memory-budget.ts';

/** Finding the terms of a quad, in the unit of {@link Pace}. */
const WORK_PER_QUAD = 300;

/** The changes of an update so far, over the state in which it began; nothing of it is in the store. */
export class Overlay {
  readonly #store: QuadStore;
  readonly #viewer: Viewer;
  readonly #base: Snapshot;
  readonly #label: LabelId;
  readonly #isLabelVisible: boolean;
  readonly #memory: MemoryBudget;
  readonly #touched = new QuadTable();
  /** Quads added under a label that the writer may not see: listed whether stored or not, so that nothing shows. */
  readonly #blind = new QuadTable();
  #current: Snapshot | undefined;

  /** @param memory counts what is held of the changes; by default the budget of an evaluation that names none */
  constructor(store: QuadStore, viewer: Viewer, label: string, memory: MemoryBudget = new MemoryBudget()) {
    this.#memory = memory;
    this.#store = store;
    this.#viewer = viewer;
    this.#label = store.sets.labels.intern(label);
    this.#isLabelVisible = viewer.permits(label);
    this.#base = store.snapshot(viewer);
  }

  /** Returns what the writer sees after the changes so far, found in slices. */
  *snapshot(): Generator<void, Snapshot> {
    if (this.#touched.size === 0) return this.#base;
    this.#current ??= this.#base.with(
      yield* this.#store.buildRun(this.#touched),
      this.#viewer.permittedSets(this.#store.sets),
    );
    return this.#current;
  }

  add(s: TermId, p: TermId, o: TermId, g: TermId): void {
    if (!this.#isLabelVisible) {
      if (this.#blind.set(s, p, o, g, this.#label)) this.#memory.take(QUAD_BYTES);
      return;
    }
    const set = this.#labelSet(s, p, o, g);
    const next = this.#store.sets.with(set, this.#label);
    if (next !== set) this.#set(s, p, o, g, next);
  }

  /** Removes a quad under every label that the writer may see. */
  delete(s: TermId, p: TermId, o: TermId, g: TermId): void {
    const { sets } = this.#store;
    const permitted = this.#viewer.permittedLabels(sets.labels);
    const set = this.#labelSet(s, p, o, g);
    let next = set;
    for (const label of sets.labelIds(set)) if (permitted[label] === 1) next = sets.without(next, label);
    if (next !== set) this.#set(s, p, o, g, next);
  }

  #set(s: TermId, p: TermId, o: TermId, g: TermId, set: number): void {
    if (this.#touched.set(s, p, o, g, set)) this.#memory.take(QUAD_BYTES);
    this.#current = undefined;
  }

  #labelSet(s: TermId, p: TermId, o: TermId, g: TermId): number {
    const row = this.#touched.find(s, p, o, g);
    return row >= 0 ? this.#touched.sets[row] : this.#baseSet(s, p, o, g);
  }

  #baseSet(s: TermId, p: TermId, o: TermId, g: TermId): number {
    return this.#store.labelSetIn(this.#base.runs, s, p, o, g);
  }

  /**
   * The difference between the state in which the update began and the one it ends in, found in slices. Each change is
   * counted at its length, since an event says it in full: a few long terms in many rows are gigabytes.
   * @throws `ERR_QUERY_MEMORY` (exhausted)
   */
  *toChangeSet(): Generator<void, ChangeSet> {
    const pace = new Pace();
    const deletions: LabelledQuad[] = [];
    const additions: LabelledQuad[] = [];
    const { sets } = this.#store;
    for (let row = 0; row < this.#touched.size; row++) {
      if (pace.did(WORK_PER_QUAD)) yield;
      const ids = idsOf(this.#touched, row);
      const before = sets.labelIds(this.#baseSet(...ids));
      const after = sets.labelIds(this.#touched.sets[row]);
      this.#addMissing(deletions, ids, before, after);
      this.#addMissing(additions, ids, after, before);
    }
    for (let row = 0; row < this.#blind.size; row++) {
      if (pace.did(WORK_PER_QUAD)) yield;
      additions.push(this.#labelled(idsOf(this.#blind, row), this.#label));
    }
    return { deletions, additions };
  }

  #addMissing(into: LabelledQuad[], ids: QuadTuple, labels: readonly LabelId[], others: readonly LabelId[]): void {
    for (const label of labels) if (!others.includes(label)) into.push(this.#labelled(ids, label));
  }

  #labelled([s, p, o, g]: QuadTuple, label: LabelId): LabelledQuad {
    const { dictionary, sets } = this.#store;
    const terms = [s, p, o, g].map((id) => dictionary.term(id));
    this.#memory.take(terms.reduce((sum, term) => sum + textLength(term), LINE_BYTES));
    const [subject, predicate, object, graph] = terms;
    return { quad: quad(subject, predicate, object, graph), label: sets.labels.label(label) };
  }
}

/** Bytes of a line of a patch beside the text of its terms. */
const LINE_BYTES = 16;

/** Characters of a term where it is written out: a change is, however often it says the same. */
function textLength(term: RDF.Term): number {
  if (term.termType === 'Quad') return textLength(term.subject) + textLength(term.predicate) + textLength(term.object);
  return term.value.length + (term.termType === 'Literal' ? term.datatype.value.length : 0);
}

type QuadTuple = [TermId, TermId, TermId, TermId];

function idsOf(table: QuadTable, row: number): QuadTuple {
  return [table.s[row], table.p[row], table.o[row], table.g[row]];
}
