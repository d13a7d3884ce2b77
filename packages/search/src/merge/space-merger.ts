import { PostingsWriter } from '../postings/postings-writer.ts';
import type { LabelSetBuilder } from '../segment/label-sets.ts';
import { computeLeastLengths } from '../segment/least-lengths.ts';
import type { PostingBlocks, SlotValues, Space } from '../segment/space.ts';
import { TermArena } from '../segment/term-arena.ts';
import type { DocumentOrder } from './document-order.ts';
import { NO_SLOT, PostingRun } from './posting-run.ts';
import { mergeSlots, mergeValues, type SpaceInput } from './slot-merger.ts';

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
  const withPositions = name === 'text' || name === 'typeahead';
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

const NO_VALUES: SlotValues = { offset: new Uint32Array(0), term: new Uint8Array(0) };

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
