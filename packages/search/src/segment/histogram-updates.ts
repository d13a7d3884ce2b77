import { BlockReader } from '../postings/block-reader.ts';
import type { LabelSets } from './label-sets.ts';
import type { Segment } from './segment.ts';
import type { SegmentState } from './segment-state.ts';
import { SPACE_NAMES, type Space } from './space.ts';

const reader = new BlockReader();
const setNumbers = new WeakMap<LabelSets, Map<string, number>>();

/**
 * Takes a document out of the histograms of the segment it is deleted from. `alone` is a segment of that one document.
 * Cost: O(terms of the document log terms).
 */
export function subtractFromHistograms(state: SegmentState, alone: Segment): void {
  const numbers = numberSets(state.segment.labelSets);
  for (const name of SPACE_NAMES) {
    const { terms, histograms } = state.segment.spaces[name];
    if (histograms.term.length === 0) continue;
    const own = alone.spaces[name];
    const singles = new Map<number, number | undefined>();
    for (let ordinal = 0; ordinal < own.terms.size; ordinal++) {
      const rank = findTerm(histograms.term, terms.find(own.terms.term(ordinal)));
      if (rank < 0) continue;
      const set = findSet(own, ordinal, alone.labelSets, numbers, singles);
      for (let i = histograms.offset[rank]!; i < histograms.offset[rank + 1]!; i++) {
        if (histograms.labelSet[i] === set) state.totals.histograms[name][i]!--;
      }
    }
  }
}

/** The number, in the large segment, of the set of labels under which the document has a term. */
function findSet(
  space: Space,
  ordinal: number,
  labelSets: LabelSets,
  numbers: ReadonlyMap<string, number>,
  singles: Map<number, number | undefined>,
): number | undefined {
  const slots = slotsOf(space, ordinal);
  const own = space.slots.labelSet[slots[0]!]!;
  if (slots.length > 1) return numbers.get(keyOf(labelsOf(space, slots, labelSets)));
  if (!singles.has(own)) singles.set(own, numbers.get(keyOf(labelsOf(space, slots, labelSets))));
  return singles.get(own);
}

/** Labels of the slots in which a segment's only document has a term. */
function labelsOf(space: Space, slots: readonly number[], { labels, sets }: LabelSets): string[] {
  const found = new Set<string>();
  for (const slot of slots) {
    for (const label of sets[space.slots.labelSet[slot]!]!) found.add(labels[label]!);
  }
  return [...found];
}

function slotsOf(space: Space, ordinal: number): number[] {
  const slots: number[] = [];
  const first = space.blocks.ofTerm[ordinal]!;
  for (let block = first; block < space.blocks.ofTerm[ordinal + 1]!; block++) {
    reader.read(space, block, first);
    for (let i = 0; i < reader.count; i++) slots.push(reader.slots[i]!);
  }
  return slots;
}

function numberSets(labelSets: LabelSets): Map<string, number> {
  let numbers = setNumbers.get(labelSets);
  if (numbers === undefined) {
    const { labels, sets } = labelSets;
    numbers = new Map(sets.map((set, number) => [keyOf(set.map((label) => labels[label]!)), number]));
    setNumbers.set(labelSets, numbers);
  }
  return numbers;
}

function keyOf(labels: readonly string[]): string {
  return JSON.stringify([...labels].sort());
}

function findTerm(terms: Uint32Array, ordinal: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (terms[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return ordinal >= 0 && terms[low] === ordinal ? low : -1;
}
