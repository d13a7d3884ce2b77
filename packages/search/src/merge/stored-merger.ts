import type { Segment, StoredDocuments } from '../segment/segment.ts';
import { storedBytes } from '../segment/stored-documents.ts';
import type { DocumentOrder } from './document-order.ts';

const DOCUMENTS_PER_STEP = 1024;
const BYTES_PER_STEP: number = 1 << 20;

/** Copies the stored documents into their new order. Yields where it may pause. */
export function* mergeStored(segments: readonly Segment[], order: DocumentOrder): Generator<void, StoredDocuments> {
  const offset = new Float64Array(order.input.length + 1);
  for (let number = 0; number < order.input.length; number++) {
    const { stored } = segments[order.input[number]];
    const old = order.document[number];
    offset[number + 1] = offset[number] + stored.offset[old + 1] - stored.offset[old];
  }
  yield;
  const bytes = new Uint8Array(offset[order.input.length]);
  let untilPause = BYTES_PER_STEP;
  for (let number = 0; number < order.input.length; number++) {
    const { stored } = segments[order.input[number]];
    const document = storedBytes(stored, order.document[number]);
    bytes.set(document, offset[number]);
    untilPause -= document.length + BYTES_PER_STEP / DOCUMENTS_PER_STEP;
    if (untilPause > 0) continue;
    untilPause = BYTES_PER_STEP;
    yield;
  }
  return { offset, bytes };
}
