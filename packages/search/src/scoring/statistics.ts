import type { FieldSelection } from '../mapping/field-selection.ts';
import { recall } from '../memory/recall.ts';
import { seekNumber } from '../memory/seek.ts';
import type { Plan, PlanOf } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import { countVisibleDocuments } from '../postings/term-cursor.ts';
import { isMeasured, type MeasuredSpace, type SpaceName } from '../segment/segment.ts';
import { openVisibleSlots, type SegmentView, weighFields } from '../segment/segment-view.ts';
import { inverseDocumentFrequency, saturationByLength } from './bm25.ts';

interface IndexPlan {
  readonly plan: Plan;
  readonly views: readonly SegmentView[];
}

/**
 * Counts what the plans' scored leaves need. Exact for the viewer, as long as no index changes meanwhile: yields where
 * it may pause. Cost: O(label sets) for frequent terms.
 */
export function* collectStatistics(plans: readonly IndexPlan[], budget: WorkBudget): Generator<void, Statistics> {
  let documentCount = 0;
  for (const { views } of plans) documentCount += countDocuments(views);
  const statistics = new Statistics(documentCount, budget);
  for (const { plan, views } of plans) yield* statistics.add(plan, views);
  return statistics;
}

/** How many documents the viewer sees. */
export function countDocuments(views: readonly SegmentView[]): number {
  let count = 0;
  for (const view of views) count += recallSum(view, `documents\0${view.viewerKey}`, sumDocuments);
  return count;
}

/** Sums that a segment remembers until one of its documents is deleted. */
const MAX_REMEMBERED_SUMS = 64;

/** A sum over what the viewer sees of a segment, under a key that names the viewer. */
function recallSum(view: SegmentView, key: string, compute: (view: SegmentView) => number): number {
  return recall(view.state.totals.sums, key, () => compute(view), MAX_REMEMBERED_SUMS);
}

function sumDocuments({ state, permitted }: SegmentView): number {
  const { documents } = state.totals;
  let sum = 0;
  for (let set = 0; set < documents.length; set++) if (permitted[set] === 1) sum += documents[set];
  return sum;
}

/** Cost of finding a term, in postings. */
const TERM_UNITS = 64;

/** Averages whose saturation is remembered, from one search to the next. */
const MAX_REMEMBERED_AVERAGES = 64;
const saturations = new Map<number, Float64Array>();

/** Statistics behind scores, over everything an operation reads and its viewer sees. */
export class Statistics {
  readonly #documentCount: number;
  readonly #budget: WorkBudget;
  /** Numbers of leaves by their keys. These may be long, as that of a phrase is, so they are part of no other key. */
  readonly #leaves = new Map<string, number>();
  /** Documents by `LEAF|TERM`, and lengths by leaf. */
  readonly #frequencies = new Map<string, number>();
  readonly #lengths: number[] = [];
  /** `LEAF|TERM|INDEX`, and for lengths `LEAF||INDEX`: a word that a phrase repeats counts once, and so does a length. */
  readonly #counted = new Set<string>();

  constructor(documentCount: number, budget: WorkBudget) {
    this.#documentCount = documentCount;
    this.#budget = budget;
  }

  documentFrequency(leaf: string, term: string): number {
    return this.#frequencies.get(`${this.#leaves.get(leaf)}|${term}`) ?? 0;
  }

  inverseDocumentFrequency(documentFrequency: number): number {
    return inverseDocumentFrequency(this.#documentCount, documentFrequency);
  }

  /** For each length byte what frequencies of the leaf are weighed against. */
  saturation(leaf: string): Float64Array {
    const length = this.#lengths[this.#leaves.get(leaf) ?? -1] ?? 0;
    const average = this.#documentCount === 0 ? 0 : length / this.#documentCount;
    return recall(saturations, average, saturationByLength, MAX_REMEMBERED_AVERAGES);
  }

  *add(plan: Plan, views: readonly SegmentView[]): Generator<void, void> {
    switch (plan.type) {
      case 'term':
        yield* this.#addTerm(plan, plan.term, views);
        yield* this.#addTerms(plan, plan.instead?.terms ?? [], views);
        break;
      case 'phrase':
        for (const { terms } of plan.words) yield* this.#addTerms(plan, terms, views);
        yield* this.#addTerms(plan, plan.instead?.terms ?? [], views);
        break;
      case 'tiers':
        for (const { terms } of plan.tiers) yield* this.#addTerms(plan, terms, views);
        break;
      case 'boosted':
        yield* this.add(plan.plan, views);
        break;
      case 'or':
        for (const child of plan.children) yield* this.add(child, views);
        break;
      case 'boolean':
        for (const child of [...plan.must, ...plan.should, ...plan.mustNot]) yield* this.add(child, views);
        break;
      default:
    }
  }

  *#addTerms(
    leaf: PlanOf<'term' | 'phrase' | 'tiers'>,
    terms: readonly string[],
    views: readonly SegmentView[],
  ): Generator<void, void> {
    for (const term of terms) yield* this.#addTerm(leaf, term, views);
  }

  *#addTerm(
    leaf: PlanOf<'term' | 'phrase' | 'tiers'>,
    term: string,
    views: readonly SegmentView[],
  ): Generator<void, void> {
    const { space, selection } = leaf;
    const number = recall(this.#leaves, leaf.key, () => this.#lengths.push(0) - 1);
    const key = `${number}|${term}`;
    const index = views[0]?.segment.index ?? '';
    if (!this.#isFirst(`${key}|${index}`)) return;
    let count = this.#frequencies.get(key) ?? 0;
    for (const view of views) {
      const seen = countVisible(view, space, term, selection);
      this.#budget.spendPostings(seen);
      this.#budget.tick();
      count += seen;
      if (this.#budget.isStepDone(TERM_UNITS + seen)) yield;
    }
    this.#frequencies.set(key, count);
    if (!isMeasured(space) || !this.#isFirst(`${number}||${index}`)) return;
    let length = this.#lengths[number];
    for (const view of views) {
      const key = `${space}\0${selection.key}\0${view.viewerKey}`;
      length += recallSum(view, key, () => sumLengths(view, space, selection));
      if (this.#budget.isStepDone(view.permitted.length)) yield;
    }
    this.#lengths[number] = length;
  }

  #isFirst(key: string): boolean {
    if (this.#counted.has(key)) return false;
    this.#counted.add(key);
    return true;
  }
}

export function countVisible(view: SegmentView, spaceName: SpaceName, term: string, selection: FieldSelection): number {
  const space = view.segment.spaces[spaceName];
  const ordinal = space.terms.find(term);
  if (ordinal < 0) return 0;
  const { coversAll } = weighFields(view.segment, selection);
  const pair = coversAll ? findHistogram(space.histograms.term, ordinal) : -1;
  if (pair < 0) {
    const visible = openVisibleSlots(view, spaceName, selection);
    return visible.recallCount(ordinal, view.live, () => countVisibleDocuments(space, ordinal, view, visible));
  }
  const { offset, labelSet } = space.histograms;
  const counts = view.state.totals.histograms[spaceName];
  let count = 0;
  for (let i = offset[pair]; i < offset[pair + 1]; i++) if (view.permitted[labelSet[i]] === 1) count += counts[i];
  return count;
}

/** The rank of a term among those with a histogram, or -1. */
function findHistogram(terms: Uint32Array, ordinal: number): number {
  const rank = seekNumber(terms, ordinal);
  return terms[rank] === ordinal ? rank : -1;
}

function sumLengths(view: SegmentView, space: MeasuredSpace, selection: FieldSelection): number {
  const { weights } = weighFields(view.segment, selection);
  const lengths = view.state.totals.lengths[space];
  let sum = 0;
  for (let set = 0; set < view.permitted.length; set++) {
    if (view.permitted[set] === 0) continue;
    for (let field = 0; field < weights.length; field++) sum += lengths[set * weights.length + field] * weights[field];
  }
  return sum;
}
