import type { PermutationColumns } from '../store/permutation.ts';
import type { Run } from '../store/run.ts';
import { Pace } from '../store/scheduler.ts';
import { TermKind } from '../store/term-kind.ts';
import type { DictionaryPart } from '../store/term-table.ts';
import { damaged, type NamedArrays } from './array-file.ts';

/** The bytes of a quoted triple: three ids. */
const TRIPLE_BYTES = 12;

/** Checking a term or a row, in the unit of {@link Pace}. */
const WORK_PER_TERM = 2;
const WORK_PER_ROW = 1;

/**
 * Stored arrays as the terms from id `from` on, checked in slices: offsets within the text, known kinds, and ids of other
 * terms only where such terms stand before. @throws `ERR_GRAPH_SNAPSHOT` (corrupt)
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

/** What the ids in a run may be. */
export interface RunBounds {
  /** One past the largest term. */
  readonly terms: number;
  /** One past the largest label set. */
  readonly sets: number;
}

/**
 * Checks a stored run in slices: blocks that lie one after the other, columns of one length with known ids, and rows that
 * are sorted, each once. @throws `ERR_GRAPH_SNAPSHOT` (corrupt)
 */
export function* checkRun({ arrays, size }: Run, { terms, sets }: RunBounds, blob: string): Generator<void, void> {
  const { graphs, graphStarts, distinctSets, permutations } = arrays;
  const pace = new Pace();
  if (graphStarts.length !== graphs.length + 1 || graphStarts[0] !== 0 || graphStarts.at(-1) !== size) {
    throw damaged(blob, 'its graphs do not hold its quads');
  }
  for (let i = 0; i < graphs.length; i++) {
    if (pace.did(WORK_PER_ROW)) yield;
    const isAfter = i === 0 || graphs[i] > graphs[i - 1];
    if (!isAfter || graphs[i] >= terms || graphs[i] === 0) throw damaged(blob, 'its graphs are not in order');
    if (graphStarts[i] >= graphStarts[i + 1]) throw damaged(blob, 'its blocks are not in order');
  }
  for (let i = 0; i < distinctSets.length; i++) {
    if (distinctSets[i] >= sets || (i > 0 && distinctSets[i] <= distinctSets[i - 1])) {
      throw damaged(blob, 'its label sets are not in order');
    }
  }
  const known = new Uint8Array(sets);
  for (const set of distinctSets) known[set] = 1;
  for (const columns of permutations) {
    if ([columns.a, columns.b, columns.c, columns.sets].some(({ length }) => length !== size)) {
      throw damaged(blob, 'its columns are of different lengths');
    }
    for (let block = 0; block < graphs.length; block++) {
      yield* checkRows(columns, graphStarts[block], graphStarts[block + 1], { terms, known, pace, blob });
    }
  }
}

interface RowCheck {
  readonly terms: number;
  readonly known: Uint8Array;
  readonly pace: Pace;
  readonly blob: string;
}

function* checkRows(
  { a, b, c, sets }: PermutationColumns,
  start: number,
  end: number,
  { terms, known, pace, blob }: RowCheck,
): Generator<void, void> {
  for (let i = start; i < end; i++) {
    if (pace.did(WORK_PER_ROW)) yield;
    const isKnown = a[i] < terms && b[i] < terms && c[i] < terms && a[i] !== 0 && b[i] !== 0 && c[i] !== 0;
    if (!isKnown || known[sets[i]] !== 1) throw damaged(blob, `row ${i} has an id that stands for nothing`);
    if (i === start) continue;
    const order = a[i] - a[i - 1] || b[i] - b[i - 1] || c[i] - c[i - 1];
    if (order <= 0) throw damaged(blob, `row ${i} is not in order`);
  }
}
