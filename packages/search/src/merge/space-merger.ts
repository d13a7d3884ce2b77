import { BlockReader } from '../postings/block-reader.ts';
import { IntBuffer } from '../postings/growable.ts';
import { PositionReader } from '../postings/positions.ts';
import { PostingsWriter } from '../postings/postings-writer.ts';
import type { LabelSetBuilder } from '../segment/label-sets.ts';
import { computeLeastLengths } from '../segment/least-lengths.ts';
import type { Slots, SlotValues, Space } from '../segment/space.ts';
import { compareByCodePoint, TermDictionaryBuilder } from '../segment/term-dictionary.ts';
import type { DocumentOrder } from './document-order.ts';

/** One space of a segment that is merged, and how its numbers translate. */
export interface SpaceInput {
  readonly space: Space;
  readonly fields: Uint32Array;
  readonly labelSets: Uint32Array;
}

/** Terms between two chances to pause. */
const TERMS_PER_STEP = 16;
const DOCUMENTS_PER_STEP = 1024;

interface Posting {
  readonly slot: number;
  readonly frequency: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Merges one space of several segments, term by term, without reading any document. Yields where it may pause. */
export function* mergeSpaces(
  inputs: readonly SpaceInput[],
  order: DocumentOrder,
  labelSets: LabelSetBuilder,
  impactWeights: readonly number[],
): Generator<void, Space> {
  const { name } = inputs[0]!.space;
  const withPositions = name === 'text' || name === 'typeahead';
  const { slots, renumbered } = yield* mergeSlots(inputs, order);
  const leastLength = computeLeastLengths(slots, impactWeights);
  const source = {
    ...slots,
    leastLength,
    weights: impactWeights,
    union: (sets: readonly number[]) => labelSets.union(sets),
  };
  const writer = new PostingsWriter(source, withPositions);
  const sources = inputs.map(({ space }, input) => new TermSource(space, renumbered[input]!, withPositions));
  const terms = new TermDictionaryBuilder();
  const ordinals = inputs.map(({ space }) => new Uint32Array(space.terms.size));
  let untilPause = TERMS_PER_STEP;
  for (let term = leastTerm(sources); term !== undefined; term = leastTerm(sources)) {
    if (writeTerm(term, sources, writer, ordinals, terms.size, withPositions)) terms.add(term);
    if (--untilPause > 0) continue;
    untilPause = TERMS_PER_STEP;
    yield;
  }
  const values = withPositions ? NO_VALUES : yield* mergeValues(inputs, order, ordinals);
  return { name, terms: terms.finish(), slots, ...writer.finish(), values };
}

const NO_VALUES: SlotValues = { offset: new Uint32Array(0), term: new Uint8Array(0) };

function* mergeSlots(
  inputs: readonly SpaceInput[],
  order: DocumentOrder,
): Generator<void, { slots: Slots; renumbered: Int32Array[] }> {
  const ofDocument = new IntBuffer();
  const document = new IntBuffer();
  const field = new IntBuffer();
  const labelSet = new IntBuffer();
  const length = new IntBuffer();
  const isPartial = new IntBuffer();
  const renumbered = inputs.map(({ space }) => new Int32Array(space.slots.document.length).fill(-1));
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number]!;
    const { space, fields, labelSets } = inputs[input]!;
    const old = order.document[number]!;
    ofDocument.push(document.length);
    for (let slot = space.slots.ofDocument[old]!; slot < space.slots.ofDocument[old + 1]!; slot++) {
      renumbered[input]![slot] = document.length;
      document.push(number);
      field.push(fields[space.slots.field[slot]!]!);
      labelSet.push(labelSets[space.slots.labelSet[slot]!]!);
      length.push(space.slots.length[slot]!);
      isPartial.push(space.slots.isPartial[slot]!);
    }
    if (number % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  ofDocument.push(document.length);
  const slots: Slots = {
    ofDocument: ofDocument.toUint32(),
    document: document.toUint32(),
    field: field.toColumn(),
    labelSet: labelSet.toColumn(),
    length: length.toColumn(),
    isPartial: isPartial.toColumn(),
  };
  return { slots, renumbered };
}

/** The terms of one input in order, with their postings translated. */
class TermSource {
  readonly space: Space;
  ordinal = 0;
  term: string | undefined;
  private readonly renumbered: Int32Array;
  private readonly reader: BlockReader;
  private readonly positions: PositionReader | undefined;

  constructor(space: Space, renumbered: Int32Array, withPositions: boolean) {
    this.space = space;
    this.renumbered = renumbered;
    this.reader = new BlockReader();
    this.positions = withPositions ? new PositionReader(space.blocks.positions) : undefined;
    this.readTerm();
  }

  step(): void {
    this.ordinal++;
    this.readTerm();
  }

  /** Adds the live postings of the current term. */
  gather(into: Posting[]): void {
    const { blocks } = this.space;
    const first = blocks.ofTerm[this.ordinal]!;
    const bytes = blocks.positions;
    for (let block = first; block < blocks.ofTerm[this.ordinal + 1]!; block++) {
      this.reader.read(this.space, block, first);
      if (this.positions !== undefined) this.positions.offset = blocks.positionOffset[block]!;
      for (let i = 0; i < this.reader.count; i++) {
        const frequency = this.reader.frequencies[i]!;
        const start = this.positions?.offset ?? 0;
        this.positions?.skip(frequency);
        const slot = this.renumbered[this.reader.slots[i]!]!;
        if (slot >= 0) into.push({ slot, frequency, bytes, start, end: this.positions?.offset ?? 0 });
      }
    }
  }

  private readTerm(): void {
    this.term = this.ordinal < this.space.terms.size ? this.space.terms.term(this.ordinal) : undefined;
  }
}

function leastTerm(sources: readonly TermSource[]): string | undefined {
  let least: string | undefined;
  for (const { term } of sources) {
    if (term !== undefined && (least === undefined || compareByCodePoint(term, least) < 0)) least = term;
  }
  return least;
}

/** Writes the postings of one term, if any is alive, and moves the inputs that have it on. */
function writeTerm(
  term: string,
  sources: readonly TermSource[],
  writer: PostingsWriter,
  ordinals: readonly Uint32Array[],
  ordinal: number,
  withPositions: boolean,
): boolean {
  const postings: Posting[] = [];
  let contributors = 0;
  sources.forEach((source, input) => {
    if (source.term !== term) return;
    ordinals[input]![source.ordinal] = ordinal;
    const before = postings.length;
    source.gather(postings);
    if (postings.length > before) contributors++;
    source.step();
  });
  if (postings.length === 0) return false;
  if (contributors > 1) postings.sort((a, b) => a.slot - b.slot);
  for (const { slot, frequency, bytes, start, end } of postings) {
    writer.add(slot, frequency);
    if (withPositions) writer.copyPositions(bytes, start, end);
  }
  writer.endTerm();
  return true;
}

function* mergeValues(
  inputs: readonly SpaceInput[],
  order: DocumentOrder,
  ordinals: readonly Uint32Array[],
): Generator<void, SlotValues> {
  const offset = new IntBuffer();
  const term = new IntBuffer();
  offset.push(0);
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number]!;
    const { slots, values } = inputs[input]!.space;
    const old = order.document[number]!;
    for (let slot = slots.ofDocument[old]!; slot < slots.ofDocument[old + 1]!; slot++) {
      for (let i = values.offset[slot]!; i < values.offset[slot + 1]!; i++)
        term.push(ordinals[input]![values.term[i]!]!);
      offset.push(term.length);
    }
    if (number % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  return { offset: offset.toUint32(), term: term.toColumn() };
}
