import { toLengthByte } from '../postings/length-norm.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import type { Space } from '../segment/space.ts';

/** Lengths of documents as one viewer sees them, in weighted fields. */
export class DocumentLengths {
  private readonly space: Space;
  private readonly view: SegmentView;
  private readonly weights: Float64Array;
  private lastDocument = -1;
  private lastByte = 0;

  constructor(space: Space, view: SegmentView, weights: Float64Array) {
    this.space = space;
    this.view = view;
    this.weights = weights;
  }

  /** The byte of a document's visible length: the sum over its slots, quantised once. */
  byteOf(document: number): number {
    if (document === this.lastDocument) return this.lastByte;
    const { ofDocument, labelSet, field, length } = this.space.slots;
    const { permitted } = this.view;
    const end = ofDocument[document + 1]!;
    let sum = 0;
    for (let slot = ofDocument[document]!; slot < end; slot++) {
      if (permitted[labelSet[slot]!] === 1) sum += length[slot]! * this.weights[field[slot]!]!;
    }
    this.lastDocument = document;
    this.lastByte = toLengthByte(sum);
    return this.lastByte;
  }
}
