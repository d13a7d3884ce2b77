import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toLengthByte } from '../postings/length-norm.ts';
import type { Slots } from './segment.ts';

/**
 * The weights under which bounds of blocks are computed: those of a query that names no field, 1 for fields that such a
 * query does not look at.
 */
export function toImpactWeights(fields: Iterable<string>, mapping: IndexMapping): number[] {
  return Array.from(fields, (path) => mapping.defaultSelection.weigh(path) || 1);
}

/** Documents between two chances to pause. */
const DOCUMENTS_PER_STEP = 4096;

/**
 * For each slot the byte of the least weighted length that its document can have for a viewer who sees the slot: such a
 * viewer sees every slot of the document under the same set of labels. Cost: O(slots). Yields where it may pause.
 */
export function* computeLeastLengths(
  { ofDocument, field, labelSet, length }: Omit<Slots, 'isPartial'>,
  weights: readonly number[],
): Generator<void, Uint8Array> {
  const bytes = new Uint8Array(length.length);
  /** Weighted lengths of one document by set of labels; zero between documents. */
  const sums: number[] = [];
  for (let document = 0; document + 1 < ofDocument.length; document++) {
    const start = ofDocument[document];
    const end = ofDocument[document + 1];
    for (let slot = start; slot < end; slot++) {
      const set = labelSet[slot];
      sums[set] = (sums[set] ?? 0) + length[slot] * weights[field[slot]];
    }
    for (let slot = start; slot < end; slot++) bytes[slot] = toLengthByte(sums[labelSet[slot]]);
    for (let slot = start; slot < end; slot++) sums[labelSet[slot]] = 0;
    if (document % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  return bytes;
}
