import type { Column } from '../postings/growable.ts';
import { isMeasured, type Segment, type Slots, SPACE_NAMES, type Space } from '../segment/segment.ts';
import type { TermDictionary } from '../segment/term-dictionary.ts';

/** Elements that are looked at between two chances to pause. */
const ELEMENTS_PER_STEP: number = 2 ** 18;

/**
 * Returns a description of the first contradiction in a segment that was read; `undefined` when there is none.
 * Afterwards no offset, document, slot, set of labels, field or term number leads out of its array; what is in blocks
 * of postings is checked block by block when they are read. Cost: O(columns + dictionaries). Yields where it may pause.
 */
export function* findContradiction(segment: Segment): Generator<void, string | undefined> {
  for (const check of checksOf(segment)) {
    const problem = typeof check === 'object' ? yield* check : check;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A check that takes long, and gives its problem if there is one. */
type Check = Generator<void, string | undefined>;

/** Every check, or its problem. */
function* checksOf(segment: Segment): Iterable<Check | string | undefined> {
  const { documentCount, labelSets, stored, ids, documentLabelSet, numbers } = segment;
  yield checkDictionary('ids', ids);
  yield checkLength('ids', ids.size, documentCount);
  yield checkLength('documentLabelSet', documentLabelSet.length, documentCount);
  yield checkBelow('documentLabelSet', documentLabelSet, labelSets.sets.length);
  yield checkOffsets('stored', stored.offset, documentCount, stored.bytes.length);
  for (const name of SPACE_NAMES) yield* checksOfSpace(segment, segment.spaces[name]);
  for (const { path, document, labelSet, value, isDate } of numbers) {
    const lengths = [labelSet.length, value.length, isDate.length];
    for (const length of lengths) yield checkLength(`numbers of ${path}`, length, document.length);
    yield checkAscending(`numbers of ${path}`, document, 0);
    yield checkBelow(`numbers of ${path}`, document, documentCount);
    yield checkBelow(`labels of numbers of ${path}`, labelSet, labelSets.sets.length);
  }
}

function* checksOfSpace(
  { documentCount, labelSets, fields }: Segment,
  space: Space,
): Iterable<Check | string | undefined> {
  const { name, terms, slots, blocks, histograms, values } = space;
  const slotCount = slots.document.length;
  const sets = labelSets.sets.length;
  yield checkDictionary(`${name}.terms`, terms);
  yield checkOffsets(`${name}.slots`, slots.ofDocument, documentCount, slotCount);
  for (const column of [slots.field, slots.labelSet, slots.length, slots.isPartial]) {
    yield checkLength(`${name}.slots`, column.length, slotCount);
  }
  yield checkDocumentsOf(`${name}.slots`, slots);
  yield checkBelow(`${name}.slots.field`, slots.field, fields.length);
  yield checkBelow(`${name}.slots.labelSet`, slots.labelSet, sets);
  const blockCount = blocks.lastDocument.length;
  yield checkOffsets(`${name}.blocks.ofTerm`, blocks.ofTerm, terms.size, blockCount);
  yield checkBelow(`${name}.blocks.lastDocument`, blocks.lastDocument, documentCount);
  yield checkOffsets(`${name}.blocks.offset`, blocks.offset, blockCount, blocks.bytes.length);
  yield checkOffsets(`${name}.blocks.impactOffset`, blocks.impactOffset, blockCount, blocks.impacts.length);
  if (isMeasured(name)) {
    yield checkOffsets(`${name}.blocks.positionOffset`, blocks.positionOffset, blockCount, blocks.positions.length);
  } else {
    yield checkOffsets(`${name}.values`, values.offset, slotCount, values.term.length);
    yield checkBelow(`${name}.values.term`, values.term, terms.size);
  }
  const { term, offset, labelSet, count } = histograms;
  yield checkAscending(`${name}.histograms.term`, term, 1);
  yield checkBelow(`${name}.histograms.term`, term, terms.size);
  yield checkOffsets(`${name}.histograms`, offset, term.length, count.length);
  yield checkLength(`${name}.histograms`, labelSet.length, count.length);
  yield checkBelow(`${name}.histograms.labelSet`, labelSet, sets);
}

function checkLength(name: string, length: number, expected: number): string | undefined {
  return length === expected ? undefined : `${name} must have ${expected} entries; got ${length}`;
}

/** Offsets of so many things into an array of a length: ascending from 0 to that length. */
function* checkOffsets(name: string, offsets: Uint32Array | Float64Array, count: number, length: number): Check {
  if (offsets.length !== count + 1) return `${name} must have ${count + 1} offsets; got ${offsets.length}`;
  if (offsets[0] !== 0) return `the offsets of ${name} must begin at 0; got ${offsets[0]}`;
  if (offsets[count] !== length) return `the offsets of ${name} must end at ${length}; got ${offsets[count]}`;
  return yield* checkAscending(`the offsets of ${name}`, offsets, 0);
}

function* checkAscending(name: string, numbers: Uint32Array | Float64Array, least: number): Check {
  for (let start = 1; start < numbers.length; start += ELEMENTS_PER_STEP) {
    const end = Math.min(start + ELEMENTS_PER_STEP, numbers.length);
    const at =
      numbers instanceof Uint32Array ? findDescent(numbers, start, end, least) : findFall(numbers, start, end, least);
    if (at >= 0) return `${name} must ascend; ${numbers[at]} follows ${numbers[at - 1]}`;
    yield;
  }
  return undefined;
}

function* checkBelow(name: string, numbers: Column, bound: number): Check {
  for (let start = 0; start < numbers.length; start += ELEMENTS_PER_STEP) {
    const most = mostOf(new Uint32Array(numbers.subarray(start, start + ELEMENTS_PER_STEP)));
    if (most >= bound) return `${name} must be below ${bound}; got ${most}`;
    yield;
  }
  return undefined;
}

// One loop for each type of array: a loop that meets several types takes several times as long.

function findDescent(numbers: Uint32Array, start: number, end: number, least: number): number {
  let previous = numbers[start - 1];
  for (let i = start; i < end; i++) {
    const number = numbers[i];
    if (number < previous + least) return i;
    previous = number;
  }
  return -1;
}

function findFall(numbers: Float64Array, start: number, end: number, least: number): number {
  let previous = numbers[start - 1];
  for (let i = start; i < end; i++) {
    const number = numbers[i];
    if (!(number - previous >= least)) return i;
    previous = number;
  }
  return -1;
}

function mostOf(numbers: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > most) most = numbers[i];
  return most;
}

/** Slots say of which document they are, and documents which slots they have: both must agree. */
function* checkDocumentsOf(name: string, { ofDocument, document }: Slots): Check {
  for (let start = 0; start + 1 < ofDocument.length; start += ELEMENTS_PER_STEP) {
    const end = Math.min(start + ELEMENTS_PER_STEP, ofDocument.length - 1);
    for (let number = start; number < end; number++) {
      for (let slot = ofDocument[number]; slot < ofDocument[number + 1]; slot++) {
        if (document[slot] !== number) return `${name} of document ${number} must name it; got ${document[slot]}`;
      }
    }
    yield;
  }
  return undefined;
}

/** Terms between two chances to pause: each has some bytes. */
const TERMS_PER_STEP: number = 2 ** 15;

/**
 * The first of some terms that is below the one before, or -1. They may be equal: earlier releases wrote a term twice,
 * rarely; their segments are built anew, for which they must be read.
 */
function findUnordered(offsets: Uint32Array, bytes: Uint8Array, start: number, end: number): number {
  let from = offsets[start - 1];
  let middle = offsets[start];
  for (let term = start; term < end; term++) {
    const until = offsets[term + 1];
    let at = from;
    let other = middle;
    while (at < middle && other < until && bytes[at] === bytes[other]) {
      at++;
      other++;
    }
    if (at < middle && (other === until || bytes[at] > bytes[other])) return term;
    from = middle;
    middle = until;
  }
  return -1;
}

function* checkDictionary(name: string, terms: TermDictionary): Check {
  const { offsets, bytes } = terms;
  const problem = yield* checkOffsets(name, offsets, Math.max(terms.size, 0), bytes.length);
  if (problem !== undefined) return problem;
  for (let start = 1; start < terms.size; start += TERMS_PER_STEP) {
    const end = Math.min(start + TERMS_PER_STEP, terms.size);
    const term = findUnordered(offsets, bytes, start, end);
    if (term >= 0) return `${name} must ascend; number ${term} does not`;
    yield;
  }
  return undefined;
}
