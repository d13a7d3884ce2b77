import { hashUnits } from '../analysis/surface-hash.ts';
import { SurfaceTable, UNKNOWN } from '../analysis/surface-table.ts';
import type { LabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { visitTerms } from './document-terms.ts';
import type { Segment } from './segment.ts';
import type { SegmentState } from './segment-state.ts';
import { SPACE_NAMES, type Space, type SpaceName } from './space.ts';

/** Ranks among the histograms of a space by term, for segments that lost a document. */
const ranks = new WeakMap<Space, SurfaceTable>();
const setNumbers = new WeakMap<Segment, Map<string, number>>();

/**
 * Takes a document out of the histograms of the segment it is deleted from. Cost: O(terms of the document), and once
 * for each segment O(terms that have a histogram).
 */
export function subtractFromHistograms(state: SegmentState, document: LabelledDocument, mapping: IndexMapping): void {
  const { spaces } = state.segment;
  const found: Partial<Record<SpaceName, LabelsOfRanks>> = {};
  for (const name of SPACE_NAMES) {
    const { term, count } = spaces[name].histograms;
    if (term.length === 0) continue;
    if (state.totals.histograms[name] === count) state.totals.histograms[name] = count.slice();
    found[name] = new LabelsOfRanks(rankTerms(spaces[name]));
  }
  visitTerms(document, mapping, (name, term, labels) => found[name]?.add(term, labels));
  const sets = new Map<readonly string[], number | undefined>();
  const setOf = (labels: readonly string[]): number | undefined => {
    if (!sets.has(labels)) sets.set(labels, numberSets(state.segment).get(keyOf(labels)));
    return sets.get(labels);
  };
  for (const name of SPACE_NAMES) found[name]?.visit((rank, labels) => subtractOne(state, name, rank, setOf(labels)));
}

/** The terms of one document that have a histogram, each with the labels under which it is seen. */
class LabelsOfRanks {
  private readonly rankOf: SurfaceTable;
  private readonly labels = new Map<number, readonly string[]>();

  constructor(rankOf: SurfaceTable) {
    this.rankOf = rankOf;
  }

  add(term: string, labels: readonly string[]): void {
    const rank = this.rankOf.find(term, 0, term.length, hashUnits(term, 0, term.length));
    if (rank === UNKNOWN) return;
    const known = this.labels.get(rank);
    if (known === undefined) this.labels.set(rank, labels);
    else if (!includesAll(known, labels)) this.labels.set(rank, [...new Set([...known, ...labels])]);
  }

  visit(use: (rank: number, labels: readonly string[]) => void): void {
    for (const [rank, labels] of this.labels) use(rank, labels);
  }
}

function includesAll(known: readonly string[], labels: readonly string[]): boolean {
  return known === labels || labels.every((label) => known.includes(label));
}

function subtractOne(state: SegmentState, name: SpaceName, rank: number, set: number | undefined): void {
  const { offset, labelSet } = state.segment.spaces[name].histograms;
  const end = offset[rank + 1]!;
  for (let i = offset[rank]!; i < end; i++) {
    if (labelSet[i] !== set) continue;
    state.totals.histograms[name][i]!--;
    return;
  }
}

function rankTerms(space: Space): SurfaceTable {
  let table = ranks.get(space);
  if (table === undefined) {
    table = new SurfaceTable();
    const ordinals = space.histograms.term;
    for (let rank = 0; rank < ordinals.length; rank++) {
      const term = space.terms.term(ordinals[rank]!);
      table.add(term, 0, term.length, hashUnits(term, 0, term.length), rank);
    }
    ranks.set(space, table);
  }
  return table;
}

function numberSets(segment: Segment): Map<string, number> {
  let numbers = setNumbers.get(segment);
  if (numbers === undefined) {
    const { labels, sets } = segment.labelSets;
    numbers = new Map(sets.map((set, number) => [keyOf(set.map((label) => labels[label]!)), number]));
    setNumbers.set(segment, numbers);
  }
  return numbers;
}

function keyOf(labels: readonly string[]): string {
  return JSON.stringify(labels.length > 1 ? [...labels].sort() : labels);
}
