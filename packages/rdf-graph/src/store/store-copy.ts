import type { LabelSetId } from '@cairn/security';
import { allocatePrivate, growUint32 } from './memory.ts';
import type { QuadStore } from './quad-store.ts';
import type { TermId } from './term-kind.ts';

/** Quads between two pauses. */
const QUADS_PER_STEP = 4096;

type Column = 's' | 'p' | 'o' | 'g' | 'sets';
const COLUMNS: readonly Column[] = ['s', 'p', 'o', 'g', 'sets'];

/**
 * Copies what a store holds now into an empty one: quads, the terms that they use and their labels, and nothing of what
 * was deleted. Yields where it may pause; later changes of the source do not matter. Cost: O(quads log quads).
 */
export function copyStore(source: QuadStore, target: QuadStore): Generator<void, void> {
  const { runs } = source;
  return copyQuads(source, target, source.snapshotOfEverything().quadIds(0, 0, 0, 0), runs);
}

function* copyQuads(
  source: QuadStore,
  target: QuadStore,
  quads: Iterable<readonly [TermId, TermId, TermId, TermId]>,
  runs: QuadStore['runs'],
): Generator<void, void> {
  const terms = new Map<TermId, TermId>();
  const sets = new Map<LabelSetId, LabelSetId>();
  const termOf = (id: TermId): TermId => {
    const known = terms.get(id);
    if (known !== undefined) return known;
    const copied = target.dictionary.intern(source.dictionary.term(id));
    terms.set(id, copied);
    return copied;
  };
  const setOf = (set: LabelSetId): LabelSetId => {
    const known = sets.get(set);
    if (known !== undefined) return known;
    const labels = source.sets.labelIds(set).map((label) => target.sets.labels.intern(source.sets.labels.label(label)));
    const copied = target.sets.intern(labels);
    sets.set(set, copied);
    return copied;
  };
  const columns = {
    s: new Uint32Array(1024),
    p: new Uint32Array(1024),
    o: new Uint32Array(1024),
    g: new Uint32Array(1024),
    sets: new Uint32Array(1024),
  };
  let size = 0;
  for (const [s, p, o, g] of quads) {
    if (size === columns.s.length) grow(columns);
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

function grow(columns: Record<Column, Uint32Array>): void {
  for (const name of COLUMNS) columns[name] = growUint32(allocatePrivate, columns[name], columns[name].length * 2);
}
