import { IntBuffer } from '../postings/growable.ts';
import { PostingsWriter } from '../postings/postings-writer.ts';
import type { LabelSetBuilder } from '../segment/label-sets.ts';
import { computeLeastLengths } from '../segment/least-lengths.ts';
import {
  isMeasured,
  NO_VALUES,
  type PostingBlocks,
  type Slots,
  type SlotValues,
  type Space,
} from '../segment/segment.ts';
import { TermArena } from '../segment/term-arena.ts';
import type { DocumentOrder } from './document-order.ts';
import { NO_SLOT, PostingRun } from './posting-run.ts';

/** Postings that are written between two chances to pause; a term counts as some. */
const POSTINGS_PER_STEP = 4096;
const POSTINGS_OF_TERM = 32;

/** Merges one space of several segments, term by term, without reading any document. Yields where it may pause. */
export function* mergeSpaces(
  inputs: readonly SpaceInput[],
  order: DocumentOrder,
  labelSets: LabelSetBuilder,
  impactWeights: readonly number[],
): Generator<void, Space> {
  const { name } = inputs[0].space;
  const withPositions = isMeasured(name);
  const { slots, renumbered } = yield* mergeSlots(inputs, order);
  const leastLength = yield* computeLeastLengths(slots, impactWeights);
  const union = (sets: readonly number[]): number => labelSets.union(sets);
  const source = { ...slots, leastLength, weights: impactWeights, union };
  const sum = (measure: (blocks: PostingBlocks) => number): number => {
    return inputs.reduce((total, { space }) => total + measure(space.blocks), 64);
  };
  // Every step from slot to slot may take one byte more than it took among fewer slots.
  const [bytes, positionBytes] = [2 * sum(({ bytes }) => bytes.length), sum(({ positions }) => positions.length)];
  const writer = new PostingsWriter(source, withPositions, bytes, positionBytes);
  const runs: PostingRun[] = [];
  for (const [input, { space }] of inputs.entries()) {
    // Memory for all terms of an input is made and cleared at once.
    yield;
    runs.push(new PostingRun(space, renumbered[input], withPositions));
  }
  yield;
  const terms = new TermArena(
    runs.reduce((sum, run) => sum + run.terms.size, 0),
    runs.reduce((sum, run) => sum + run.terms.bytes.length, 0),
  );
  yield* mergeTerms(runs, writer, terms, withPositions);
  const ordinals = runs.map(({ newOrdinals }) => newOrdinals);
  const values = withPositions ? NO_VALUES : yield* mergeValues(inputs, order, ordinals);
  yield;
  return { name, terms: yield* terms.finish(), slots, ...(yield* writer.finish()), values };
}

/** Writes the live postings of every term in order, and which ordinal each term of each input has now. */
function* mergeTerms(
  runs: readonly PostingRun[],
  writer: PostingsWriter,
  terms: TermArena,
  withPositions: boolean,
): Generator<void, void> {
  const queue = new TermQueue(runs);
  const having: PostingRun[] = [];
  let untilPause = POSTINGS_PER_STEP;
  for (queue.take(having); having.length > 0; queue.take(having)) {
    const [{ terms: from, ordinal }] = having as [PostingRun];
    for (const run of having) run.open(terms.size);
    let isAlive = false;
    for (let run = findLeastSlot(having); run !== undefined; run = findLeastSlot(having)) {
      isAlive = true;
      untilPause -= writeWhileLeast(run, having, writer, withPositions, Math.max(untilPause, 1));
      if (untilPause > 0) continue;
      untilPause = POSTINGS_PER_STEP;
      yield;
    }
    if (isAlive) {
      writer.endTerm();
      terms.addFrom(from, ordinal);
    }
    for (const run of having) {
      run.ordinal++;
      queue.add(run);
    }
    untilPause -= POSTINGS_OF_TERM;
    if (untilPause > 0) continue;
    untilPause = POSTINGS_PER_STEP;
    yield;
  }
}

function findLeastSlot(runs: readonly PostingRun[]): PostingRun | undefined {
  let least: PostingRun | undefined;
  for (const run of runs) if (run.slot !== NO_SLOT && (least === undefined || run.slot < least.slot)) least = run;
  return least;
}

/** Writes postings of one run until another is due, or there is no room. Returns how many. */
function writeWhileLeast(
  run: PostingRun,
  runs: readonly PostingRun[],
  writer: PostingsWriter,
  withPositions: boolean,
  room: number,
): number {
  let limit = NO_SLOT;
  for (const other of runs) if (other !== run && other.slot < limit) limit = other.slot;
  let count = 0;
  do {
    writer.add(run.slot, run.frequency);
    if (withPositions) writer.copyPositions(run.positionBytes, run.positionStart, run.positionEnd);
    run.next();
    count++;
  } while (run.slot < limit && count < room);
  return count;
}

/** Runs by their current term: hands out together those that are at the least one. */
class TermQueue {
  /** Descending, so that the least is the last. */
  readonly #runs: PostingRun[] = [];

  constructor(runs: readonly PostingRun[]) {
    for (const run of runs) this.add(run);
  }

  /** Adds a run at its current term, unless it has ended. */
  add(run: PostingRun): void {
    if (run.ordinal >= run.terms.size) return;
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTerms(this.#runs[middle], run) > 0) low = middle + 1;
      else high = middle;
    }
    this.#runs.splice(low, 0, run);
  }

  /** Takes out the runs at the least term; none when all have ended. */
  take(into: PostingRun[]): void {
    into.length = 0;
    const least = this.#runs.pop();
    if (least === undefined) return;
    into.push(least);
    let next = this.#runs.at(-1);
    for (; next !== undefined && compareTerms(next, least) === 0; next = this.#runs.at(-1)) {
      into.push(next);
      this.#runs.pop();
    }
  }
}

function compareTerms(a: PostingRun, b: PostingRun): number {
  return a.terms.compare(a.ordinal, b.terms, b.ordinal);
}

/** One space of a segment that is merged, and how its numbers translate. */
interface SpaceInput {
  readonly space: Space;
  readonly fields: Uint32Array;
  readonly labelSets: Uint32Array;
}

const DOCUMENTS_PER_STEP = 1024;

/** Slots of a merged space, and for each input and each of its slots the new number, or -1 when it is dead. */
interface MergedSlots {
  readonly slots: Slots;
  readonly renumbered: readonly Int32Array[];
}

/** Puts the slots of live documents into their new order. Yields where it may pause. */
function* mergeSlots(inputs: readonly SpaceInput[], order: DocumentOrder): Generator<void, MergedSlots> {
  const capacity = inputs.reduce((sum, { space }) => sum + space.slots.document.length, 1);
  const ofDocument = new IntBuffer(order.input.length + 1);
  const document = new IntBuffer(capacity);
  const field = new IntBuffer(capacity);
  const labelSet = new IntBuffer(capacity);
  const length = new IntBuffer(capacity);
  const isPartial = new IntBuffer(capacity);
  const renumbered = inputs.map(({ space }) => new Int32Array(space.slots.document.length).fill(-1));
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number];
    const { space, fields, labelSets } = inputs[input];
    const { slots } = space;
    const old = order.document[number];
    ofDocument.push(document.length);
    for (let slot = slots.ofDocument[old]; slot < slots.ofDocument[old + 1]; slot++) {
      renumbered[input][slot] = document.length;
      document.push(number);
      field.push(fields[slots.field[slot]]);
      labelSet.push(labelSets[slots.labelSet[slot]]);
      length.push(slots.length[slot]);
      isPartial.push(slots.isPartial[slot]);
    }
    if (number % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  ofDocument.push(document.length);
  const slots: Slots = {
    ofDocument: yield* ofDocument.toUint32(),
    document: yield* document.toUint32(),
    field: yield* field.toColumn(),
    labelSet: yield* labelSet.toColumn(),
    length: yield* length.toColumn(),
    isPartial: yield* isPartial.toColumn(),
  };
  return { slots, renumbered };
}

/** Puts the exact values of live slots into their new order, under the ordinals of the merged terms. */
function* mergeValues(
  inputs: readonly SpaceInput[],
  order: DocumentOrder,
  ordinals: readonly Uint32Array[],
): Generator<void, SlotValues> {
  // Growing copies everything at once.
  const sum = (measure: (input: SpaceInput) => number): number => inputs.reduce((all, one) => all + measure(one), 1);
  const offset = new IntBuffer(sum(({ space }) => space.values.offset.length));
  const term = new IntBuffer(sum(({ space }) => space.values.term.length));
  offset.push(0);
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number];
    const { slots, values } = inputs[input].space;
    const old = order.document[number];
    for (let slot = slots.ofDocument[old]; slot < slots.ofDocument[old + 1]; slot++) {
      for (let i = values.offset[slot]; i < values.offset[slot + 1]; i++) {
        term.push(ordinals[input][values.term[i]]);
      }
      offset.push(term.length);
    }
    if (number % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  return {
    offset: yield* offset.toUint32(),
    term: yield* term.toColumn(),
  };
}
