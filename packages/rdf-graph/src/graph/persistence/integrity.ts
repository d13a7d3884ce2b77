import { TermKind } from '../port/term-kind.ts';
import type { PermutationColumns } from '../store/permutation.ts';
import type { Run } from '../store/run.ts';
import { Pace } from '../store/scheduler.ts';
import type { DictionaryPart } from '../store/term-table.ts';
import { damaged, type NamedArrays } from './array-file.ts';

/** The bytes of a quoted triple: three ids. */
const TRIPLE_BYTES = 12;

/** Checking a term or a row, in the unit of {@link Pace}. */
const WORK_PER_TERM = 2;
const WORK_PER_ROW = 1;

/**
 * Stored arrays as the terms from id `from` on, checked in slices: offsets within the text, known kinds, and ids of
 * other terms only where such terms are before. @throws `ERR_GRAPH_SNAPSHOT` (corrupt)
 */
export function* checkedTerms(
  named: NamedArrays,
  from: number,
  to: number,
  blob: string,
): Generator<void, DictionaryPart> {
  const { bytes, starts, kinds, companions, hashes } = named;
  const isWhole =
    bytes instanceof Uint8Array &&
    starts instanceof Uint32Array &&
    kinds instanceof Uint8Array &&
    companions instanceof Uint32Array &&
    hashes instanceof Uint32Array;
  if (!isWhole) throw damaged(blob, 'an array of its terms is missing');
  const count = to - from;
  if (kinds.length !== count || companions.length !== count || hashes.length !== count || starts.length !== count + 1) {
    throw damaged(blob, `its arrays do not hold ${count} terms`);
  }
  if (starts[count] - starts[0] !== bytes.length) throw damaged(blob, 'its terms do not make up its text');
  const pace = new Pace();
  for (let i = 0; i < count; i++) {
    if (pace.did(WORK_PER_TERM)) yield;
    checkTerm({ bytes, starts, kinds, companions, hashes }, i, from + i, blob);
  }
  return { bytes, starts, kinds, companions, hashes };
}

function checkTerm(part: DictionaryPart, i: number, id: number, blob: string): void {
  const kind = part.kinds[i];
  const length = part.starts[i + 1] - part.starts[i];
  if (length < 0) throw damaged(blob, `term ${id} ends before it starts`);
  const isReserved = id <= TermKind.defaultGraph;
  if (isReserved ? kind !== id : kind < TermKind.iri || kind > TermKind.language) {
    throw damaged(blob, `term ${id} is of no kind that there is`);
  }
  const needsOther = kind === TermKind.typed || kind === TermKind.languageString;
  const companion = part.companions[i];
  if (needsOther ? companion <= TermKind.defaultGraph || companion >= id : companion !== 0) {
    throw damaged(blob, `term ${id} refers to term ${companion}`);
  }
  if (kind === TermKind.triple) checkTriple(part, i, id, blob);
}

function checkTriple({ bytes, starts }: DictionaryPart, i: number, id: number, blob: string): void {
  const start = starts[i] - starts[0];
  if (starts[i + 1] - starts[i] !== TRIPLE_BYTES) throw damaged(blob, `the triple ${id} has not three terms`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, TRIPLE_BYTES);
  for (const offset of [0, 4, 8]) {
    const other = view.getUint32(offset, true);
    if (other <= TermKind.defaultGraph || other >= id) throw damaged(blob, `the triple ${id} refers to term ${other}`);
  }
}

/**
 * Checks a stored run in slices: blocks that lie one after the other, columns of one length with known ids, and rows that
 * are sorted, each once. `terms` and `sets` are one past the largest ids. @throws `ERR_GRAPH_SNAPSHOT` (corrupt)
 */
export function* checkRun({ arrays, size }: Run, terms: number, sets: number, blob: string): Generator<void, void> {
  const { graphs, graphStarts, distinctSets, permutations } = arrays;
  const pace = new Pace();
  if (graphStarts.length !== graphs.length + 1 || graphStarts[0] !== 0 || graphStarts.at(-1) !== size) {
    throw damaged(blob, 'its graphs do not hold its quads');
  }
  yield* checkBlocks(graphs, graphStarts, terms, pace, blob);
  const ids: KnownIds = { terms, sets: knownSets(distinctSets, sets, blob) };
  for (const columns of permutations) {
    if ([columns.a, columns.b, columns.c, columns.sets].some(({ length }) => length !== size)) {
      throw damaged(blob, 'its columns are of different lengths');
    }
    for (let block = 0; block < graphs.length; block++) {
      yield* checkRows(columns, graphStarts[block], graphStarts[block + 1], ids, pace, blob);
    }
  }
}

function* checkBlocks(
  graphs: Uint32Array,
  starts: Uint32Array,
  terms: number,
  pace: Pace,
  blob: string,
): Generator<void, void> {
  for (let i = 0; i < graphs.length; i++) {
    if (pace.did(WORK_PER_ROW)) yield;
    const isAfter = i === 0 || graphs[i] > graphs[i - 1];
    if (!isAfter || graphs[i] >= terms || graphs[i] === 0) throw damaged(blob, 'its graphs are not in order');
    if (starts[i] >= starts[i + 1]) throw damaged(blob, 'its blocks are not in order');
  }
}

function knownSets(distinctSets: Uint32Array, sets: number, blob: string): Uint8Array {
  const known = new Uint8Array(sets);
  for (let i = 0; i < distinctSets.length; i++) {
    const set = distinctSets[i];
    if (set >= sets || (i > 0 && set <= distinctSets[i - 1])) throw damaged(blob, 'its label sets are not in order');
    known[set] = 1;
  }
  return known;
}

/** One past the largest term, and by label set 1 where a run has it. */
interface KnownIds {
  readonly terms: number;
  readonly sets: Uint8Array;
}

/** Rows that are checked between two chances to pause. */
const ROWS_PER_STEP = 8192;

function* checkRows(
  columns: PermutationColumns,
  start: number,
  end: number,
  ids: KnownIds,
  pace: Pace,
  blob: string,
): Generator<void, void> {
  for (let from = start; from < end; from += ROWS_PER_STEP) {
    const to = Math.min(from + ROWS_PER_STEP, end);
    if (pace.did((to - from) * WORK_PER_ROW)) yield;
    const row = findWrongRow(columns, start, from, to, ids);
    if (row < 0) continue;
    const reason = isKnown(columns, row, ids) ? 'is not in order' : 'has an id that stands for nothing';
    throw damaged(blob, `row ${row} ${reason}`);
  }
}

/** The first row with an unknown id, or not after the one before it; -1 for none. One pass: opening waits for it. */
function findWrongRow(columns: PermutationColumns, start: number, from: number, to: number, ids: KnownIds): number {
  const { a, b, c, sets } = columns;
  const { terms, sets: known } = ids;
  let [lastA, lastB, lastC] = from === start ? [0, 0, 0] : [a[from - 1], b[from - 1], c[from - 1]];
  for (let i = from; i < to; i++) {
    const atA = a[i];
    const atB = b[i];
    const atC = c[i];
    const isLater = atA > lastA || (atA === lastA && (atB > lastB || (atB === lastB && atC > lastC)));
    if (!isLater || atA >= terms || atB >= terms || atC >= terms || atB === 0 || atC === 0) return i;
    if (known[sets[i]] !== 1) return i;
    lastA = atA;
    lastB = atB;
    lastC = atC;
  }
  return -1;
}

function isKnown({ a, b, c, sets }: PermutationColumns, row: number, ids: KnownIds): boolean {
  return [a[row], b[row], c[row]].every((id) => id !== 0 && id < ids.terms) && ids.sets[sets[row]] === 1;
}
