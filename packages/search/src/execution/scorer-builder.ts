import { toWellFormed } from '../analysis/folding.ts';
import type { Plan, PlanOf } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import type { Scorer } from '../postings/cursor.ts';
import { blocksOf, DocumentList } from '../postings/document-list.ts';
import { AnySlotCursor, type PositionCursor, SlotCursor } from '../postings/slot-cursor.ts';
import { TermCursor } from '../postings/term-cursor.ts';
import type { Statistics } from '../scoring/statistics.ts';
import { isMeasured, type Space, type SpaceName } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import {
  type FieldWeights,
  openVisibleSlots,
  type SegmentView,
  type VisibleSlots,
  weighFields,
} from '../segment/segment-view.ts';
import { BooleanScorer, OrScorer } from './boolean-scorer.ts';
import { BoostedScorer } from './boosted-scorer.ts';
import { DocumentSet, DocumentSetCursor, TermsCursor } from './document-set.ts';
import { PhraseScorer } from './phrase-scorer.ts';
import { collectRange } from './range-set.ts';
import { leastBytes, TermScorer, type Weighing } from './term-scorer.ts';
import { type ScoredTier, TierScorer } from './tier-scorer.ts';

/** The most of what was written that an explanation says, in UTF-16 units. */
const MAX_SHOWN = 64;

/** Says which terms a leaf looks for, and what of the query they stand for where that was written otherwise. */
function describeLeaf({ space, written, instead }: PlanOf<'term' | 'phrase' | 'tiers'>, terms: string): string {
  const sought = `${space} ${JSON.stringify(terms)}`;
  if (written === undefined) return sought;
  const said = written.trim() === terms ? sought : `${sought} for ${quote(written)}`;
  return instead === undefined ? said : `${said}, ${instead.kind} of ${quote(instead.of)}`;
}

function quote(written: string): string {
  return JSON.stringify(toWellFormed(written.trim().slice(0, MAX_SHOWN)));
}

/** Slots or documents between two chances to pause. */
const SLOTS_PER_STEP = 16_384;

/** Cost of opening a list and decoding its first block, in postings. */
const OPENING_UNITS = 128;

/** From so many excluded terms on their documents are gathered, in place of a look at each list for each document. */
const MANY_EXCLUDED = 8;

/**
 * Builds what walks and scores the matches of a plan in one segment; `undefined` when nothing there can match. Yields
 * where it may pause.
 */
export class ScorerBuilder {
  /** Lists that were opened, at least 1: what a step through the documents costs. */
  opened = 1;
  readonly #view: SegmentView;
  readonly #statistics: Statistics;
  readonly #budget: WorkBudget;

  constructor(view: SegmentView, statistics: Statistics, budget: WorkBudget) {
    this.#view = view;
    this.#statistics = statistics;
    this.#budget = budget;
  }

  *build(plan: Plan): Generator<void, Scorer | undefined> {
    switch (plan.type) {
      case 'none':
        return undefined;
      case 'all':
        return new DocumentSetCursor(yield* this.#collectAll(), plan.boost, 'every document');
      case 'document':
        return this.#buildDocument(plan.id);
      case 'term':
        yield* this.#countOpened(1);
        return this.#buildTerm(plan);
      case 'phrase':
        yield* this.#countOpened(plan.words.length);
        return this.#buildPhrase(plan);
      case 'tiers':
        return yield* this.#buildTiers(plan);
      case 'terms':
        return yield* this.#buildTerms(plan);
      case 'exists':
        return new DocumentSetCursor(yield* this.#collectExists(plan), plan.boost, 'a field that exists');
      case 'range': {
        const set = yield* collectRange(this.#view, plan.selection, plan.spans, this.#budget);
        return new DocumentSetCursor(set, plan.boost, 'a range');
      }
      case 'boosted': {
        const scorer = yield* this.build(plan.plan);
        return scorer && new BoostedScorer(scorer, this.#view, plan.raises);
      }
      case 'or': {
        const children = yield* this.#buildAll(plan.children);
        return children.length > 1 ? new OrScorer(children) : children[0];
      }
      case 'boolean':
        return yield* this.#buildBoolean(plan);
    }
  }

  *#buildAll(plans: readonly Plan[]): Generator<void, Scorer[]> {
    const scorers: Scorer[] = [];
    for (const plan of plans) {
      const scorer = yield* this.build(plan);
      if (scorer !== undefined) scorers.push(scorer);
    }
    return scorers;
  }

  *#countOpened(lists: number): Generator<void, void> {
    this.opened += lists;
    if (this.#budget.isStepDone(lists * OPENING_UNITS)) yield;
  }

  #buildDocument(id: string): Scorer | undefined {
    const { segment, permitted, live } = this.#view;
    const document = segment.ids.find(id);
    if (document < 0 || permitted[segment.documentLabelSet[document]] === 0 || !isLive(live, document))
      return undefined;
    const set = new DocumentSet(segment.documentCount);
    set.add(document);
    return new DocumentSetCursor(set, 0, 'a document');
  }

  #buildTerm(plan: PlanOf<'term'>): Scorer | undefined {
    const space = this.#view.segment.spaces[plan.space];
    const ordinal = space.terms.find(plan.term);
    if (ordinal < 0) return undefined;
    const fields = weighFields(this.#view.segment, plan.selection);
    const weight = this.#weightOf(plan, this.#rarity(plan, [plan.term]));
    const visible = openVisibleSlots(this.#view, plan.space, plan.selection);
    const cursor = new TermCursor(space, ordinal, this.#view, visible);
    return new TermScorer(cursor, this.#weighing(plan, visible, fields, weight, plan.term), fields.mostOfBound);
  }

  #buildPhrase(plan: PlanOf<'phrase'>): Scorer | undefined {
    const space = this.#view.segment.spaces[plan.space];
    const fields = weighFields(this.#view.segment, plan.selection);
    const visible = openVisibleSlots(this.#view, plan.space, plan.selection);
    const cursors: PositionCursor[] = [];
    const repeats: number[] = [];
    const words: number[] = [];
    const known = new Map<string, number>();
    for (const { terms } of plan.words) {
      const key = terms.join('\0');
      let at = known.get(key);
      if (at === undefined) {
        const cursor = this.#openWord(space, terms, visible);
        if (cursor === undefined) return undefined;
        at = cursors.push(cursor) - 1;
        repeats.push(0);
        known.set(key, at);
      }
      repeats[at]++;
      words.push(at);
    }
    const offsets = plan.words.map(({ offset }) => offset);
    const description = plan.words.map(({ terms }) => terms[0]).join(' ');
    const weighing = this.#weighing(plan, visible, fields, this.#phraseWeight(plan), description);
    const { live } = this.#view;
    return new PhraseScorer({ space, cursors, repeats, words, offsets, slop: plan.slop, visible, live }, weighing);
  }

  /** A phrase is as rare as its words together; a word of many terms as the most frequent of them. */
  #phraseWeight(plan: PlanOf<'phrase'>): number {
    let sum = 0;
    for (const { terms } of plan.words) sum += this.#rarity(plan, terms);
    return this.#weightOf(plan, sum);
  }

  #rarity({ key }: PlanOf<'term' | 'phrase'>, terms: readonly string[]): number {
    let most = 0;
    for (const term of terms) most = Math.max(most, this.#statistics.documentFrequency(key, term));
    return this.#statistics.inverseDocumentFrequency(most);
  }

  /** Text that is looked for instead of other weighs no more than that: else a rare synonym would rank above the word. */
  #weightOf(plan: PlanOf<'term' | 'phrase'>, rarity: number): number {
    if (plan.instead === undefined) return rarity * plan.boost;
    let most = 0;
    for (const term of plan.instead.terms) most += this.#rarity(plan, [term]);
    return Math.min(rarity, most) * plan.boost;
  }

  #openWord(space: Space, terms: readonly string[], visible: VisibleSlots): PositionCursor | undefined {
    const cursors: SlotCursor[] = [];
    for (const term of terms) {
      const ordinal = space.terms.find(term);
      if (ordinal >= 0) cursors.push(new SlotCursor(space, ordinal));
    }
    const isWanted = (slot: number): boolean => {
      return visible.weigh(slot) > 0 && isLive(this.#view.live, space.slots.document[slot]);
    };
    return cursors.length > 1 ? new AnySlotCursor(cursors, isWanted) : cursors[0];
  }

  #weighing(
    plan: PlanOf<'term' | 'phrase' | 'tiers'>,
    visible: VisibleSlots,
    fields: FieldWeights,
    weight: number,
    text: string,
  ): Weighing {
    return {
      weight,
      saturation: this.#statistics.saturation(plan.key),
      lengths: isMeasured(plan.space) ? visible : undefined,
      leastByte: leastBytes(fields.leastOfBound),
      description: describeLeaf(plan, text),
    };
  }

  *#collectAll(): Generator<void, DocumentSet> {
    const { segment, permitted, live } = this.#view;
    const set = new DocumentSet(segment.documentCount);
    for (let document = 0; document < segment.documentCount; document++) {
      if (permitted[segment.documentLabelSet[document]] === 1 && isLive(live, document)) set.add(document);
      if (document % SLOTS_PER_STEP === 0) yield;
    }
    return set;
  }

  *#buildTiers(plan: PlanOf<'tiers'>): Generator<void, Scorer | undefined> {
    const visible = openVisibleSlots(this.#view, plan.space, plan.selection);
    const tiers: ScoredTier[] = [];
    for (const { terms, floor, ceiling } of plan.tiers) {
      const cursors = yield* this.#openTerms(plan.space, terms, visible);
      if (cursors.length > 0) tiers.push({ cursors, floor, ceiling });
    }
    if (tiers.length === 0) return undefined;
    const fields = weighFields(this.#view.segment, plan.selection);
    const text = plan.tiers[0].terms[0];
    const weighing = this.#weighing(plan, visible, fields, this.#tiersWeight(plan), text);
    return new TierScorer(tiers, weighing, this.#budget);
  }

  /** A word is as rare as the most frequent term of its best tier that is there at all. */
  #tiersWeight(plan: PlanOf<'tiers'>): number {
    let most = 0;
    for (const { terms } of plan.tiers) {
      for (const term of terms) most = Math.max(most, this.#statistics.documentFrequency(plan.key, term));
      if (most > 0) break;
    }
    return this.#statistics.inverseDocumentFrequency(most) * plan.boost;
  }

  *#openTerms(space: SpaceName, terms: readonly string[], visible: VisibleSlots): Generator<void, TermCursor[]> {
    const { terms: dictionary } = this.#view.segment.spaces[space];
    const cursors: TermCursor[] = [];
    for (const term of terms) {
      const ordinal = dictionary.find(term);
      if (ordinal >= 0) cursors.push(new TermCursor(this.#view.segment.spaces[space], ordinal, this.#view, visible));
      this.#budget.tick();
      if (this.#budget.isStepDone(OPENING_UNITS)) yield;
    }
    return cursors;
  }

  *#buildTerms(plan: PlanOf<'terms'>): Generator<void, Scorer | undefined> {
    const { segment } = this.#view;
    const space = segment.spaces[plan.space];
    const visible = openVisibleSlots(this.#view, plan.space, plan.selection);
    const lists: DocumentList[] = [];
    let ordinal = 0;
    for (const term of plan.terms) {
      // Most lists of terms are in order: the next is soon found behind the last.
      const found = space.terms.findFrom(term, ordinal);
      ordinal = found < 0 ? ~found : found;
      if (found >= 0) lists.push(new DocumentList(space, blocksOf(space, found), this.#view.live, visible));
      this.#budget.tick();
      if (this.#budget.isStepDone(OPENING_UNITS)) yield;
    }
    return lists.length === 0 ? undefined : new TermsCursor(lists, segment.documentCount, plan.boost, this.#budget);
  }

  #gatherMany(excluded: readonly Scorer[]): readonly Scorer[] {
    const terms = excluded.flatMap((scorer) => (scorer instanceof OrScorer ? scorer.children : [scorer]));
    if (terms.length < MANY_EXCLUDED || !terms.every((scorer) => scorer instanceof TermScorer)) return excluded;
    const { live, segment } = this.#view;
    const lists = terms.map(({ cursor }) => new DocumentList(cursor.space, cursor, live, cursor.visible));
    return [new TermsCursor(lists, segment.documentCount, 0, this.#budget)];
  }

  *#collectExists(plan: PlanOf<'exists'>): Generator<void, DocumentSet> {
    const set = new DocumentSet(this.#view.segment.documentCount);
    const { weights } = weighFields(this.#view.segment, plan.selection);
    for (const space of [this.#view.segment.spaces.text, this.#view.segment.spaces.keyword]) {
      const { document, field, labelSet } = space.slots;
      for (let slot = 0; slot < document.length; slot++) {
        if (slot % SLOTS_PER_STEP === 0) yield;
        if (weights[field[slot]] === 0 || this.#view.permitted[labelSet[slot]] === 0) continue;
        if (isLive(this.#view.live, document[slot])) set.add(document[slot]);
      }
    }
    return set;
  }

  *#buildBoolean(plan: PlanOf<'boolean'>): Generator<void, Scorer | undefined> {
    const required = yield* this.#buildAll(plan.must);
    if (required.length < plan.must.length) return undefined;
    const optional = yield* this.#buildAll(plan.should);
    const excluded = this.#gatherMany(yield* this.#buildAll(plan.mustNot));
    if (required.length > 0) return new BooleanScorer(required, optional, excluded);
    if (plan.should.length === 0) {
      return new BooleanScorer([new DocumentSetCursor(yield* this.#collectAll(), 0, 'every document')], [], excluded);
    }
    if (optional.length === 0) return undefined;
    return new BooleanScorer([optional.length === 1 ? optional[0] : new OrScorer(optional)], [], excluded);
  }
}
