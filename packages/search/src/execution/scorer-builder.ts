import type { Plan } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import { AnySlotCursor, type PositionCursor, SlotCursor } from '../postings/slot-cursor.ts';
import { TermCursor } from '../postings/term-cursor.ts';
import { DocumentLengths } from '../scoring/document-length.ts';
import type { Statistics } from '../scoring/statistics.ts';
import { isLive } from '../segment/segment-state.ts';
import { type FieldWeights, type SegmentView, weighFields } from '../segment/segment-view.ts';
import type { Space } from '../segment/space.ts';
import { BooleanScorer } from './boolean-scorer.ts';
import { DocumentSet, DocumentSetCursor } from './document-set.ts';
import { OrScorer } from './or-scorer.ts';
import { PhraseScorer } from './phrase-scorer.ts';
import { addTerm, collectRange } from './range-set.ts';
import type { Scorer } from './scorer.ts';
import { leastBytes, TermScorer, type Weighing } from './term-scorer.ts';

type PlanOf<T extends Plan['type']> = Extract<Plan, { type: T }>;

/** Builds what walks and scores the matches of a plan in one segment; `undefined` when nothing there can match. */
export class ScorerBuilder {
  private readonly view: SegmentView;
  private readonly statistics: Statistics;
  private readonly budget: WorkBudget;
  private readonly lengths = new Map<Float64Array, Map<Space, DocumentLengths>>();

  constructor(view: SegmentView, statistics: Statistics, budget: WorkBudget) {
    this.view = view;
    this.statistics = statistics;
    this.budget = budget;
  }

  build(plan: Plan): Scorer | undefined {
    switch (plan.type) {
      case 'none':
        return undefined;
      case 'all':
        return new DocumentSetCursor(this.collectAll(), plan.boost, 'every document');
      case 'term':
        return this.buildTerm(plan);
      case 'phrase':
        return this.buildPhrase(plan);
      case 'terms':
        return new DocumentSetCursor(this.collectTerms(plan), plan.boost, 'a pattern');
      case 'exists':
        return new DocumentSetCursor(this.collectExists(plan), plan.boost, 'a field that exists');
      case 'range': {
        const set = collectRange(this.view, plan.selection, plan.spans, this.budget);
        return new DocumentSetCursor(set, plan.boost, 'a range');
      }
      case 'or': {
        const children = this.buildAll(plan.children);
        return children.length > 1 ? new OrScorer(children) : children[0];
      }
      case 'boolean':
        return this.buildBoolean(plan);
    }
  }

  private buildAll(plans: readonly Plan[]): Scorer[] {
    return plans.map((plan) => this.build(plan)).filter((scorer) => scorer !== undefined);
  }

  private buildTerm(plan: PlanOf<'term'>): Scorer | undefined {
    const space = this.view.segment.spaces[plan.space];
    const ordinal = space.terms.find(plan.term);
    if (ordinal < 0) return undefined;
    const fields = weighFields(this.view.segment, plan.selection);
    const weight = this.statistics.inverseDocumentFrequency(plan.key, plan.term) * plan.boost;
    const cursor = new TermCursor(space, ordinal, this.view, fields.weights);
    return new TermScorer(cursor, this.weighing(plan, space, fields, weight, plan.term), fields.mostOfBound);
  }

  private buildPhrase(plan: PlanOf<'phrase'>): Scorer | undefined {
    const space = this.view.segment.spaces[plan.space];
    const fields = weighFields(this.view.segment, plan.selection);
    const { weights } = fields;
    const words: PositionCursor[] = [];
    for (const { terms } of plan.words) {
      const cursor = this.openWord(space, terms, weights);
      if (cursor === undefined) return undefined;
      words.push(cursor);
    }
    const offsets = plan.words.map(({ offset }) => offset);
    const description = plan.words.map(({ terms }) => terms[0]).join(' ');
    const weighing = this.weighing(plan, space, fields, this.phraseWeight(plan), description);
    return new PhraseScorer({ space, words, offsets, slop: plan.slop, weights }, weighing);
  }

  /** A phrase is as rare as its words together; a word of many terms as the most frequent of them. */
  private phraseWeight(plan: PlanOf<'phrase'>): number {
    let sum = 0;
    for (const { terms } of plan.words) {
      let most = 0;
      for (const term of terms) most = Math.max(most, this.statistics.documentFrequency(plan.key, term));
      sum += this.statistics.inverseDocumentFrequencyOf(most);
    }
    return sum * plan.boost;
  }

  private openWord(space: Space, terms: readonly string[], weights: Float64Array): PositionCursor | undefined {
    const cursors: SlotCursor[] = [];
    for (const term of terms) {
      const ordinal = space.terms.find(term);
      if (ordinal >= 0) cursors.push(new SlotCursor(space, ordinal, this.view, weights));
    }
    return cursors.length > 1 ? new AnySlotCursor(cursors) : cursors[0];
  }

  private weighing(
    plan: PlanOf<'term'> | PlanOf<'phrase'>,
    space: Space,
    fields: FieldWeights,
    weight: number,
    text: string,
  ): Weighing {
    const isMeasured = plan.space === 'text' || plan.space === 'typeahead';
    return {
      weight,
      saturation: this.statistics.saturation(plan.key),
      lengths: isMeasured ? this.openLengths(space, fields.weights) : undefined,
      leastByte: leastBytes(fields.leastOfBound),
      description: `${plan.space} ${JSON.stringify(text)}`,
    };
  }

  /** One for all leaves that look at the same fields: each computes a document's length only once. */
  private openLengths(space: Space, weights: Float64Array): DocumentLengths {
    let lengths = this.lengths.get(weights)?.get(space);
    if (lengths === undefined) {
      lengths = new DocumentLengths(space, this.view, weights);
      const known = this.lengths.get(weights) ?? new Map<Space, DocumentLengths>();
      this.lengths.set(weights, known.set(space, lengths));
    }
    return lengths;
  }

  private collectAll(): DocumentSet {
    const { segment, permitted, live } = this.view;
    const set = new DocumentSet(segment.documentCount);
    for (let document = 0; document < segment.documentCount; document++) {
      if (permitted[segment.documentLabelSet[document]!] === 1 && isLive(live, document)) set.add(document);
    }
    return set;
  }

  private collectTerms(plan: PlanOf<'terms'>): DocumentSet {
    const set = new DocumentSet(this.view.segment.documentCount);
    const { terms } = this.view.segment.spaces[plan.space];
    const { weights } = weighFields(this.view.segment, plan.selection);
    for (const term of plan.terms) {
      const ordinal = terms.find(term);
      if (ordinal >= 0) addTerm(set, this.view, plan.space, ordinal, weights);
      this.budget.tick();
    }
    return set;
  }

  private collectExists(plan: PlanOf<'exists'>): DocumentSet {
    const set = new DocumentSet(this.view.segment.documentCount);
    const { weights } = weighFields(this.view.segment, plan.selection);
    for (const space of [this.view.segment.spaces.text, this.view.segment.spaces.keyword]) {
      const { document, field, labelSet } = space.slots;
      for (let slot = 0; slot < document.length; slot++) {
        if (weights[field[slot]!] === 0 || this.view.permitted[labelSet[slot]!] === 0) continue;
        if (isLive(this.view.live, document[slot]!)) set.add(document[slot]!);
      }
    }
    return set;
  }

  private buildBoolean(plan: PlanOf<'boolean'>): Scorer | undefined {
    const required = this.buildAll(plan.must);
    if (required.length < plan.must.length) return undefined;
    const optional = this.buildAll(plan.should);
    const excluded = this.buildAll(plan.mustNot);
    if (required.length > 0) return new BooleanScorer(required, optional, excluded);
    if (plan.should.length === 0) {
      return new BooleanScorer([new DocumentSetCursor(this.collectAll(), 0, 'every document')], [], excluded);
    }
    if (optional.length === 0) return undefined;
    return new BooleanScorer([optional.length === 1 ? optional[0]! : new OrScorer(optional)], [], excluded);
  }
}
