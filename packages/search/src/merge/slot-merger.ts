import { IntBuffer } from '../postings/growable.ts';
import type { Slots, SlotValues, Space } from '../segment/space.ts';
import type { DocumentOrder } from './document-order.ts';

/** One space of a segment that is merged, and how its numbers translate. */
export interface SpaceInput {
  readonly space: Space;
  readonly fields: Uint32Array;
  readonly labelSets: Uint32Array;
}

const DOCUMENTS_PER_STEP = 1024;

/** Slots of a merged space, and for each input and each of its slots the new number, or -1 when it is dead. */
export interface MergedSlots {
  readonly slots: Slots;
  readonly renumbered: readonly Int32Array[];
}

/** Puts the slots of live documents into their new order. Yields where it may pause. */
export function* mergeSlots(inputs: readonly SpaceInput[], order: DocumentOrder): Generator<void, MergedSlots> {
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
export function* mergeValues(
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
