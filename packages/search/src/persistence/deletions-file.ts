import { type Segment, SPACE_NAMES } from '../segment/segment.ts';
import { createSegmentState, isLive, type SegmentState, subtractLengths } from '../segment/segment-state.ts';
import { corruptBlob, decodeSectionFile, type SectionFile, type SectionSource } from './section-file.ts';

/** Documents between two chances to pause. */
const DOCUMENTS_PER_STEP = 4096;

/**
 * The sections of a file of deletions: which documents of a segment are alive, and its histograms without the dead ones.
 * Copies, which later deletions do not change.
 */
export function copyDeletions(live: Uint32Array, { totals }: SegmentState): SectionFile['sections'] {
  const histograms = SPACE_NAMES.map((name) => [`histograms.${name}`, totals.histograms[name].slice()] as const);
  return { live, ...Object.fromEntries(histograms) };
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
