import { recallOf } from '../memory/recall.ts';
import type { Segment } from '../segment/segment.ts';
import type { Slots } from '../segment/space.ts';

/** A document has no value of the field. */
export const NO_VALUE = -1;
/** A document's values must be looked for. */
export const SEVERAL_VALUES = -2;

/** Spaces that hold whole values, by the lowest bit of a place. */
export const VALUE_SPACES = ['keyword', 'mirror'] as const;

/**
 * Where the value of one field stands for each document: twice the slot plus the number of its space, or one of the two
 * constants above.
 */
export type FacetColumn = Int32Array;

/** Fields of which a segment remembers the column: four bytes for each document. */
const MAX_REMEMBERED = 8;

const columns = new WeakMap<Segment, Map<number, FacetColumn>>();

/** The column of a field, or what is remembered of it. Cost of the first: O(slots of the segment). */
export function openFacetColumn(segment: Segment, field: number): FacetColumn {
  return recallOf(columns, segment, field, () => buildColumn(segment, field), MAX_REMEMBERED);
}

function buildColumn(segment: Segment, field: number): FacetColumn {
  const column = new Int32Array(segment.documentCount).fill(NO_VALUE);
  VALUE_SPACES.forEach((name, bit) => {
    const { slots, values } = segment.spaces[name];
    forEachSlot(slots, field, (document, slot) => {
      const isSingle = column[document] === NO_VALUE && values.offset[slot + 1] - values.offset[slot] === 1;
      column[document] = isSingle ? slot * 2 + bit : SEVERAL_VALUES;
    });
  });
  const { slots } = segment.spaces.text;
  forEachSlot(slots, field, (document, slot) => {
    if (slots.isPartial[slot] === 1) column[document] = SEVERAL_VALUES;
  });
  return column;
}

function forEachSlot(
  { field, document }: Slots,
  wanted: number,
  visit: (document: number, slot: number) => void,
): void {
  for (let slot = 0; slot < field.length; slot++) if (field[slot] === wanted) visit(document[slot], slot);
}
