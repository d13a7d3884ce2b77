import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toLengthByte } from '../postings/length-norm.ts';
import type { Slots } from './space.ts';

/**
 * The weights under which bounds of blocks are computed: those of a query that names no field, 1 for fields that such a
 * query does not look at.
 */
export function toImpactWeights(fields: Iterable<string>, mapping: IndexMapping): number[] {
  return Array.from(fields, (path) => mapping.defaultSelection.weigh(path) || 1);
}

/**
 * For each slot the byte of the least weighted length that its document can have for a viewer who sees the slot: such a
 * viewer sees every slot of the document under the same set of labels. Cost: O(slots).
 */
export function computeLeastLengths(
  { ofDocument, field, labelSet, length }: Omit<Slots, 'isPartial'>,
  weights: readonly number[],
): Uint8Array {
  const bytes = new Uint8Array(length.length);
  for (let document = 0; document + 1 < ofDocument.length; document++) {
    const end = ofDocument[document + 1]!;
    for (let slot = ofDocument[document]!; slot < end; slot++) {
      if (bytes[slot] !== 0) continue;
      const set = labelSet[slot]!;
      let sum = 0;
      for (let i = slot; i < end; i++) if (labelSet[i] === set) sum += length[i]! * weights[field[i]!]!;
      const byte = toLengthByte(sum);
      for (let i = slot; i < end; i++) if (labelSet[i] === set) bytes[i] = byte;
    }
  }
  return bytes;
}
