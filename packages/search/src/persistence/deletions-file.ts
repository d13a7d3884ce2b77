import type { Segment } from '../segment/segment.ts';
import { createSegmentState, isLive, type SegmentState, subtractLengths } from '../segment/segment-state.ts';
import { SPACE_NAMES } from '../segment/space.ts';
import { corruptBlob, decodeSectionFile, encodeSectionFile, type SectionSource } from './section-file.ts';

/** State stored in a file of deletions: a copy that later deletions do not change. */
export interface Deletions {
  readonly live: Uint32Array;
  readonly histograms: readonly (readonly [name: string, count: Uint32Array])[];
}

/** Documents between two chances to pause. */
const DOCUMENTS_PER_STEP = 4096;

/** Which documents of a segment are alive, and its histograms without the dead ones, as they are now. */
export function copyDeletions(live: Uint32Array, { totals }: SegmentState): Deletions {
  return { live, histograms: SPACE_NAMES.map((name) => [name, totals.histograms[name].slice()] as const) };
}

export function encodeDeletions({ live, histograms }: Deletions): Generator<void, Uint8Array> {
  const counts = histograms.map(([name, count]) => [`histograms.${name}`, count] as const);
  return encodeSectionFile({ header: {}, sections: { live, ...Object.fromEntries(counts) } });
}

/**
 * The state of a segment of which documents were deleted. Yields where it may pause.
 * @throws `ERR_SEGMENT_CORRUPT`, naming the blob.
 */
export function* decodeDeletions(segment: Segment, source: SectionSource): Generator<void, SegmentState> {
  const { sections } = yield* decodeSectionFile(source);
  const state = yield* createSegmentState(segment);
  // Copies: the file's bytes must not change.
  const read = (name: string, length: number): Uint32Array => {
    const array = sections[name];
    if (array instanceof Uint32Array && array.length === length) return array.slice();
    throw corruptBlob(source.blob, `its section ${name} must have ${length} entries; got ${array?.length ?? 'none'}`);
  };
  for (const name of SPACE_NAMES) {
    state.totals.histograms[name] = read(`histograms.${name}`, segment.spaces[name].histograms.count.length);
  }
  const live = read('live', (segment.documentCount + 31) >>> 5);
  let liveCount = segment.documentCount;
  for (let document = 0; document < segment.documentCount; document++) {
    if (document % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
    if (isLive(live, document)) continue;
    liveCount--;
    subtractLengths(state, document);
  }
  return { ...state, live, liveCount };
}
