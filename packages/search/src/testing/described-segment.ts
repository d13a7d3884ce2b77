import { BlockReader } from '../postings/block-reader.ts';
import { PositionReader } from '../postings/positions.ts';
import type { LabelSets } from '../segment/label-sets.ts';
import { type Segment, SPACE_NAMES, type Space } from '../segment/segment.ts';

/** Everything that a segment holds, without its numbers for documents, fields, labels and terms. */
export type DescribedSegment = Readonly<Record<string, unknown>>;

/** Describes a segment, so that segments that were made in different ways can be compared. */
export function describeSegment(segment: Segment): DescribedSegment {
  const spaces = SPACE_NAMES.map((name) => [name, describeSpace(segment, segment.spaces[name])] as const);
  const numbers = segment.numbers.map(({ path, document, labelSet, value, isDate }) => {
    const entries = Array.from(document, (number, i) => {
      return [segment.ids.term(number), labelsOf(segment.labelSets, labelSet[i]), value[i], isDate[i]];
    });
    return [path, entries] as const;
  });
  return {
    documents: Array.from({ length: segment.documentCount }, (_, document) => [
      segment.ids.term(document),
      labelsOf(segment.labelSets, segment.documentLabelSet[document]),
    ]),
    ...Object.fromEntries(spaces),
    numbers: Object.fromEntries(numbers),
  };
}

function labelsOf({ labels, sets }: LabelSets, set: number): string[] {
  return sets[set].map((label) => labels[label]).sort();
}

function describeSpace(segment: Segment, space: Space): DescribedSegment {
  const terms = Array.from({ length: space.terms.size }, (_, term) => {
    return [space.terms.term(term), describePostings(segment, space, term)] as const;
  });
  return { postings: Object.fromEntries(terms), histograms: describeHistograms(segment, space) };
}

function describePostings(segment: Segment, space: Space, term: number): unknown[] {
  const { blocks } = space;
  const reader = new BlockReader();
  const positions = new PositionReader(blocks.positions);
  const described: unknown[] = [];
  for (let block = blocks.ofTerm[term]; block < blocks.ofTerm[term + 1]; block++) {
    reader.read(space, block, blocks.ofTerm[term]);
    if (blocks.positionOffset.length > 0) positions.offset = blocks.positionOffset[block];
    for (let i = 0; i < reader.count; i++) {
      const found: number[] = [];
      if (blocks.positionOffset.length > 0) positions.read(reader.frequencies[i], found, 0);
      described.push([...describeSlot(segment, space, reader.slots[i]), reader.frequencies[i], found]);
    }
  }
  return described;
}

function describeSlot(segment: Segment, { slots, values, terms }: Space, slot: number): unknown[] {
  const exact = Array.from(values.term.subarray(values.offset[slot] ?? 0, values.offset[slot + 1] ?? 0), (term) => {
    return terms.term(term);
  });
  return [
    segment.ids.term(slots.document[slot]),
    segment.fields[slots.field[slot]],
    labelsOf(segment.labelSets, slots.labelSet[slot]),
    slots.length[slot],
    slots.isPartial[slot],
    exact,
  ];
}

export function describeHistograms(
  { labelSets }: Segment,
  { histograms, terms }: Space,
  counts: Uint32Array = histograms.count,
): DescribedSegment {
  const { term, offset, labelSet } = histograms;
  const entries = Array.from(term, (ordinal, rank) => {
    const pairs: [string, number][] = [];
    for (let i = offset[rank]; i < offset[rank + 1]; i++) {
      if (counts[i] > 0) pairs.push([JSON.stringify(labelsOf(labelSets, labelSet[i])), counts[i]]);
    }
    return [terms.term(ordinal), Object.fromEntries(pairs)] as const;
  });
  return Object.fromEntries(entries);
}
