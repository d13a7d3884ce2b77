import { isLive, type SegmentState } from '../segment/segment-state.ts';
import { TermArena } from '../segment/term-arena.ts';
import type { TermDictionary } from '../segment/term-dictionary.ts';

/** Where the documents of several segments go in the one they are merged into. */
export interface DocumentOrder {
  /** For each new document the input it comes from, and its number there. */
  readonly input: Uint32Array;
  readonly document: Uint32Array;
  /** For each input and each of its documents the new number, or -1 when it is dead. */
  readonly renumbered: readonly Int32Array[];
  readonly ids: TermDictionary;
}

const DOCUMENTS_PER_STEP = 512;

/** The live documents of one input, in order. */
interface Source {
  readonly state: SegmentState;
  document: number;
}

/** Merges live documents by id. Yields where it may pause. */
export function* orderDocuments(states: readonly SegmentState[]): Generator<void, DocumentOrder> {
  const count = states.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const input = new Uint32Array(count);
  const document = new Uint32Array(count);
  const idBytes = states.reduce((sum, { segment }) => sum + segment.ids.bytes.length, 0);
  const ids = new TermArena(count, idBytes);
  const renumbered = states.map(({ segment }) => new Int32Array(segment.documentCount).fill(-1));
  const sources = states.map((state): Source => step({ state, document: -1 }));
  for (let number = 0; number < count; number++) {
    const least = findLeast(sources);
    const source = sources[least];
    input[number] = least;
    document[number] = source.document;
    renumbered[least][source.document] = number;
    ids.addFrom(source.state.segment.ids, source.document);
    step(source);
    if (number % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
  }
  return { input, document, renumbered, ids: yield* ids.finish() };
}

function step(source: Source): Source {
  const { segment, live } = source.state;
  do source.document++;
  while (source.document < segment.documentCount && !isLive(live, source.document));
  return source;
}

function findLeast(sources: readonly Source[]): number {
  let least = -1;
  for (let i = 0; i < sources.length; i++) {
    const { state, document } = sources[i];
    const { ids, documentCount } = state.segment;
    if (document >= documentCount) continue;
    if (least < 0 || ids.compare(document, sources[least].state.segment.ids, sources[least].document) < 0) least = i;
  }
  return least;
}
