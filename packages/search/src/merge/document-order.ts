import { isLive, type SegmentState } from '../segment/segment-state.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';

/** Where the documents of several segments go in the one they are merged into. */
export interface DocumentOrder {
  /** For each new document the input it comes from, and its number there. */
  readonly input: Uint32Array;
  readonly document: Uint32Array;
  /** For each input and each of its documents the new number, or -1 when it is dead. */
  readonly renumbered: readonly Int32Array[];
  /** Ids in the new order. */
  readonly ids: readonly string[];
}

/** Merges live documents by id. */
export function orderDocuments(states: readonly SegmentState[]): DocumentOrder {
  const entries: { id: string; input: number; document: number }[] = [];
  states.forEach(({ segment, live }, input) => {
    for (let document = 0; document < segment.documentCount; document++) {
      if (isLive(live, document)) entries.push({ id: segment.ids.term(document), input, document });
    }
  });
  if (states.length > 1) entries.sort((a, b) => compareByCodePoint(a.id, b.id));
  const renumbered = states.map(({ segment }) => new Int32Array(segment.documentCount).fill(-1));
  entries.forEach(({ input, document }, number) => {
    renumbered[input]![document] = number;
  });
  return {
    input: Uint32Array.from(entries, ({ input }) => input),
    document: Uint32Array.from(entries, ({ document }) => document),
    renumbered,
    ids: entries.map(({ id }) => id),
  };
}
