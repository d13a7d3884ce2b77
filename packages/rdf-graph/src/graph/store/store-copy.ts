import type { LabelSetId } from '@cairn/security';
import { type TermId, UNBOUND } from '../port/term-kind.ts';
import type { QuadStore } from './quad-store.ts';
import type { Snapshot } from './snapshot.ts';

/** Quads between two pauses. */
const QUADS_PER_STEP = 2048;

/**
 * Copies what a store holds now into an empty one: quads, the terms that they use and their labels, and nothing of what
 * was deleted. Yields where it may pause; later changes of the source do not matter. Cost: O(quads log quads).
 */
export function copyStore(source: QuadStore, target: QuadStore): Generator<void, void> {
  return copySnapshot(source, source.snapshotOfEverything(), target);
}

function* copySnapshot(source: QuadStore, snapshot: Snapshot, target: QuadStore): Generator<void, void> {
  const { runs } = snapshot;
  const terms = new Uint32Array(source.dictionary.size + 1);
  const sets = new Map<LabelSetId, LabelSetId>();
  const termOf = (id: TermId): TermId => {
    if (terms[id] === UNBOUND) terms[id] = target.dictionary.intern(source.dictionary.term(id));
    return terms[id];
  };
  const setOf = (set: LabelSetId): LabelSetId => {
    const known = sets.get(set);
    if (known !== undefined) return known;
    const labels = source.sets.labelIds(set).map((label) => target.sets.labels.intern(source.sets.labels.label(label)));
    const copied = target.sets.intern(labels);
    sets.set(set, copied);
    return copied;
  };
  // Room for all at once: it is the rows that are written which take memory, and nothing is copied to grow.
  const capacity = runs.reduce((sum, run) => sum + run.size, 0);
  const column = () => new Uint32Array(capacity);
  const columns = { s: column(), p: column(), o: column(), g: column(), sets: column() };
  let size = 0;
  for (const found of snapshot.quadIdsInSlices(UNBOUND, UNBOUND, UNBOUND, UNBOUND)) {
    if (found === undefined) {
      yield;
      continue;
    }
    const [s, p, o, g] = found;
    columns.s[size] = termOf(s);
    columns.p[size] = termOf(p);
    columns.o[size] = termOf(o);
    columns.g[size] = termOf(g);
    columns.sets[size] = setOf(source.labelSetIn(runs, s, p, o, g));
    if (++size % QUADS_PER_STEP === 0) yield;
  }
  if (size === 0) return;
  yield* target.push(yield* target.buildLargeRun({ ...columns, size, s: columns.s.subarray(0, size) }));
}
