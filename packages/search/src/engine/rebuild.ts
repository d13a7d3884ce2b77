import { labelPlainDocument } from '../document/labelled-document.ts';
import { withLanguages } from '../document/value-languages.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, isLive, type SegmentState } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';

/** Some documents of a segment, read and analysed anew. */
export interface RebuiltPart {
  readonly input: SegmentState;
  /** The numbers in `input` of the documents of `state`. */
  readonly documents: readonly number[];
  readonly state: SegmentState;
}

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly index: string;
  readonly done: number;
  readonly total: number;
}

/** Receives the progress of a rebuild. */
export type RebuildReport = (progress: RebuildProgress) => void;

/** Documents that are built into one segment, so that the memory for building stays small. */
const DOCUMENTS_PER_PART = 16_384;

/** Builds the live documents of segments anew, as a mapping says. Yields where it may pause. */
export function* rebuildSegments(
  states: readonly SegmentState[],
  mapping: IndexMapping,
  report: RebuildReport,
): Generator<void, RebuiltPart[]> {
  const parts: RebuiltPart[] = [];
  const total = states.reduce((sum, { liveCount }) => sum + liveCount, 0);
  let done = 0;
  for (const input of states) {
    let documents = nextLive(input, 0);
    while (documents.length > 0) {
      const builder = new SegmentBuilder(mapping);
      for (const document of documents) {
        const stored = readStoredDocument(input.segment.stored, document) as SearchDocument;
        yield* builder.add(yield* withLanguages(labelPlainDocument(stored, mapping), mapping));
        yield;
      }
      parts.push({ input, documents, state: yield* createSegmentState(yield* builder.finish()) });
      done += documents.length;
      report({ index: mapping.name, done, total });
      documents = nextLive(input, documents[documents.length - 1] + 1);
    }
  }
  return parts;
}

/** The next live documents of a segment for a part, from one on. */
function nextLive({ segment, live }: SegmentState, start: number): number[] {
  const documents: number[] = [];
  for (let document = start; document < segment.documentCount && documents.length < DOCUMENTS_PER_PART; document++) {
    if (isLive(live, document)) documents.push(document);
  }
  return documents;
}
