import type { Segment } from '../segment/segment.ts';
import { createSegmentState, isLive, type SegmentState, subtractLengths } from '../segment/segment-state.ts';
import { SPACE_NAMES } from '../segment/space.ts';
import { decodeSectionFile, encodeSectionFile } from './section-file.ts';

/** Encodes which documents of a segment are alive, and its histograms without the dead ones. */
export function encodeDeletions({ live, totals }: SegmentState): Uint8Array {
  const histograms = SPACE_NAMES.map((name) => [`histograms.${name}`, totals.histograms[name]] as const);
  return encodeSectionFile({ header: {}, sections: { live: live!, ...Object.fromEntries(histograms) } });
}

/** The state of a segment of which documents were deleted. @throws `ERR_SEGMENT_CORRUPT`, naming the blob. */
export function decodeDeletions(segment: Segment, bytes: Uint8Array, blob: string): SegmentState {
  const { sections } = decodeSectionFile(bytes, blob);
  const state = createSegmentState(segment);
  for (const name of SPACE_NAMES) {
    // A copy: the file's bytes must not change.
    state.totals.histograms[name] = (sections[`histograms.${name}`] as Uint32Array).slice();
  }
  const live = (sections['live'] as Uint32Array).slice();
  let liveCount = segment.documentCount;
  for (let document = 0; document < segment.documentCount; document++) {
    if (isLive(live, document)) continue;
    liveCount--;
    subtractLengths(state, document);
  }
  return { ...state, live, liveCount };
}
