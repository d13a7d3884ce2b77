import { getAnalyzer } from '../analysis/analyzer.ts';
import { toQueryTerms } from '../analysis/query-terms.ts';
import { compileFieldNames, compileFieldPattern, type FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toKeywordTerm, toKeywordTerms } from '../mapping/value.ts';
import type { Fuzziness } from '../port/search-index.ts';
import type { Clause, Query, WildcardPart } from '../query/query.ts';
import { compileRegExp } from '../query/regexp.ts';
import { compileWildcard, literalPrefix, toBigramText } from '../query/wildcard.ts';
import type { SpaceName } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { analyzeForFields, toPhrase } from './analyzed-text.ts';
import { beginningWith, expandTerms, ordinalsOf, type TermPattern } from './expand.ts';
import { expandFuzzy, toSimilarity } from './fuzzy.ts';
import type { PhraseWord, Plan, PlanOf } from './plan.ts';
import { toRangeSpans } from './range-spans.ts';
import {
  findNeighbours,
  SYNONYM_WEIGHT,
  type SynonymLeaf,
  toNeighbourLeaves,
  toSynonymLeaves,
} from './synonym-leaves.ts';
import { compileTypedWord } from './tiers.ts';
import type { WorkBudget } from './work-budget.ts';

/** Target of a compilation: one index, as one viewer sees it. */
export interface CompileContext {
  readonly mapping: IndexMapping;
  readonly views: readonly SegmentView[];
  readonly budget: WorkBudget;
  /** Where clauses look that name no field. */
  readonly defaultSelection: FieldSelection;
  /** The query's text, for the positions of errors. */
  readonly text: string;
  /** How many letters of plain words may be wrong; of words that are excluded, none. */
  readonly fuzziness: Fuzziness;
}

/** A plan, and whether it stands for stop words alone, so that nothing depends on it. */
interface Compiled {
  readonly plan: Plan;
  readonly isStopWord: boolean;
}

/** Cost of compiling a clause, in postings. */
const CLAUSE_UNITS = 256;
const NOTHING: Plan = { type: 'none' };
/** Positions of a phrase must not reach from one value into the next. */
const MAX_SLOP: number = 2 ** 18;

/** Compiles a query for one index. Wildcards and fuzzy words are expanded to visible terms here. Yields. */
export function* compileQuery(query: Query, context: CompileContext): Generator<void, Plan> {
  return (yield* new Compiler(context).compile(query, 1)).plan;
}

type QueryOf<T extends Query['type']> = Extract<Query, { type: T }>;

class Compiler {
  readonly #context: CompileContext;
  /** Numbers leaves in query order, alike for every index. */
  #ordinal = 0;
  /** Exclusions around the clause that is compiled. */
  #exclusions = 0;

  constructor(context: CompileContext) {
    this.#context = context;
  }

  *compile(query: Query, boost: number): Generator<void, Compiled> {
    if (this.#context.budget.isStepDone(CLAUSE_UNITS)) yield;
    switch (query.type) {
      case 'boolean':
        return yield* this.#compileBoolean(query.clauses, boost);
      case 'boost':
        return yield* this.compile(query.query, boost * query.boost);
      case 'all':
        return required({ type: 'all', boost });
      case 'document':
        return required({ type: 'document', id: query.id });
      case 'exists':
        return required({ type: 'exists', selection: selectBelow(query.field), boost });
      case 'term':
        return yield* this.#compileText(query.text, 0, query.field, boost, this.#fuzziness);
      case 'phrase':
        return yield* this.#compileText(query.text, Math.min(query.slop, MAX_SLOP), query.field, boost, 0);
      case 'wildcard':
        return yield* this.#compileWildcard(query, boost);
      case 'fuzzy':
        return yield* this.#compileFuzzy(query, boost);
      case 'regexp': {
        const matches = compileRegExp(query.pattern, this.#context.text, query.offset);
        const pattern: TermPattern = { candidates: (terms) => ordinalsOf([0, terms.size]), matches };
        return yield* this.#compileExpansion({ text: pattern, keyword: pattern }, query.field, boost);
      }
      case 'range': {
        const spans = toRangeSpans(query.lower, query.upper);
        return required({ type: 'range', selection: this.#select(query.field), spans, boost });
      }
    }
  }

  *#compileBoolean(clauses: readonly Clause[], boost: number): Generator<void, Compiled> {
    const must: Plan[] = [];
    const should: Plan[] = [];
    const mustNot: Plan[] = [];
    let isStopWord = clauses.length > 0;
    for (const { occur, query } of clauses) {
      const compiled =
        occur === 'mustNot' ? yield* this.#compileExcluded(query, boost) : yield* this.compile(query, boost);
      if (!compiled.isStopWord) isStopWord = false;
      if (occur === 'mustNot') mustNot.push(compiled.plan);
      else if (occur === 'must' && !compiled.isStopWord) must.push(compiled.plan);
      else should.push(compiled.plan);
    }
    for (const { field, words } of findNeighbours(clauses)) {
      const ordinal = this.#ordinal++;
      const leaves = toNeighbourLeaves(words, this.#select(field), this.#context.mapping);
      should.push(...leaves.map((leaf) => this.#toSynonymPlan(ordinal, leaf, 0, boost)));
    }
    if (must.length === 0 && mustNot.length === 0) return { plan: anyOf(should), isStopWord };
    return { plan: { type: 'boolean', must, should, mustNot }, isStopWord };
  }

  *#compileExcluded(query: Query, boost: number): Generator<void, Compiled> {
    this.#exclusions++;
    const compiled = yield* this.compile(query, boost);
    this.#exclusions--;
    return compiled;
  }

  /** A word that is excluded by what is near it would hide what nobody wrote. */
  get #fuzziness(): Fuzziness {
    return this.#exclusions > 0 ? 0 : this.#context.fuzziness;
  }

  /** Text as each analyzer reads it, or the same text as a whole value. */
  *#compileText(
    text: string,
    slop: number,
    field: string | undefined,
    boost: number,
    fuzziness: Fuzziness,
  ): Generator<void, Compiled> {
    const selection = this.#select(field);
    const ordinal = this.#ordinal;
    const plans = yield* this.#compileReadings(text, slop, selection, boost, fuzziness);
    const isExact =
      field !== undefined && !field.includes('*') && this.#context.mapping.field(field).type === 'keyword';
    const isStopWord = !isExact && (plans.length === 0 || this.#isStopWordOfSome(text));
    for (const term of toKeywordTerms(text)) plans.push(toTermPlan(ordinal, 'keyword', term, selection, boost));
    if (field !== undefined) plans.push(this.#compileValue(text, selection, boost));
    return { plan: anyOf(plans), isStopWord };
  }

  /** Texts in that language have no such word: to require it would leave all of them out. */
  #isStopWordOfSome(text: string): boolean {
    const { languages } = this.#context.mapping;
    return languages.length > 1 && languages.some((analyzer) => toQueryTerms(analyzer, text).length === 0);
  }

  /** A plan for each way to read a text. */
  *#compileReadings(
    text: string,
    slop: number,
    selection: FieldSelection,
    boost: number,
    fuzziness: Fuzziness,
  ): Generator<void, Plan[]> {
    const { views, budget, mapping } = this.#context;
    const ordinal = this.#ordinal++;
    const plans: Plan[] = [];
    for (const { readings, restricted } of analyzeForFields(text, selection, mapping)) {
      for (const words of readings) {
        if (fuzziness === 0 || words.length !== 1) {
          plans.push(toTextPlan({ ordinal, words, written: text, slop, selection: restricted, boost }));
          continue;
        }
        const [term] = words[0].terms;
        const sought = { key: `${ordinal}:~${term}`, space: 'text', selection: restricted, boost } as const;
        plans.push(yield* compileTypedWord({ ...sought, term, fuzziness }, views, budget));
      }
    }
    const synonyms = toSynonymLeaves(text, selection, this.#context.mapping);
    return [...plans, ...synonyms.map((leaf) => this.#toSynonymPlan(ordinal, leaf, slop, boost))];
  }

  #toSynonymPlan(
    ordinal: number,
    { terms, written, instead, selection }: SynonymLeaf & { readonly selection: FieldSelection },
    slop: number,
    boost: number,
  ): Plan {
    this.#context.budget.spendExpansion();
    const plan = toTextPlan({
      ordinal,
      words: toPhrase(terms),
      written,
      slop,
      selection,
      boost: boost * SYNONYM_WEIGHT,
    });
    return { ...plan, instead: { ...instead, kind: 'a synonym' } };
  }

  /** A named field also matches by value: `year:2020` finds the number, `start:2020-05-01` the day. */
  #compileValue(text: string, selection: FieldSelection, boost: number): Plan {
    const bound = { value: text, inclusive: true };
    const { numbers, instants } = toRangeSpans(bound, bound);
    if (numbers === undefined && instants === undefined) return NOTHING;
    return { type: 'range', selection, spans: { numbers, instants, keywords: undefined, terms: undefined }, boost };
  }

  *#compileWildcard({ parts, field }: QueryOf<'wildcard'>, boost: number): Generator<void, Compiled> {
    const simple = getAnalyzer('simple');
    const folded = parts.map((part): WildcardPart => {
      return part.type === 'text' ? { type: 'text', text: simple.toTerm(part.text) ?? part.text } : part;
    });
    const toPattern = (pattern: readonly WildcardPart[]): TermPattern => {
      const beginning = beginningWith(literalPrefix(pattern));
      return isPrefix(pattern) ? beginning : { ...beginning, matches: compileWildcard(pattern) };
    };
    const patterns = { text: toPattern(folded), keyword: toPattern(parts) };
    const { plan } = yield* this.#compileExpansion(patterns, field, boost);
    const text = toBigramText(parts);
    if (text === undefined) return required(plan);
    return required(anyOf([plan, ...(yield* this.#compileReadings(text, 0, this.#select(field), boost, 0))]));
  }

  /** Every visible term that fits, all with the same score. */
  *#compileExpansion(
    patterns: Readonly<Record<'text' | 'keyword', TermPattern>>,
    field: string | undefined,
    boost: number,
  ): Generator<void, Compiled> {
    const selection = this.#select(field);
    const { views, budget } = this.#context;
    const plans: Plan[] = [];
    for (const space of ['text', 'keyword'] as const) {
      const terms = yield* expandTerms(views, space, selection, patterns[space], budget);
      if (terms.length > 0) plans.push({ type: 'terms', space, selection, terms, boost });
    }
    return required(anyOf(plans));
  }

  *#compileFuzzy({ text, distance, field }: QueryOf<'fuzzy'>, boost: number): Generator<void, Compiled> {
    const selection = this.#select(field);
    const ordinal = this.#ordinal++;
    const plans: Plan[] = [];
    for (const { words, restricted } of analyzeForFields(text, selection, this.#context.mapping)) {
      if (words.length !== 1) {
        if (words.length > 1)
          plans.push(toTextPlan({ ordinal, words, written: text, slop: 0, selection: restricted, boost }));
        continue;
      }
      const { views, budget } = this.#context;
      const [word] = words[0].terms;
      const fuzzy = { space: 'text', selection: restricted, word, most: distance, keepsFirst: false } as const;
      for (const near of yield* expandFuzzy(views, fuzzy, budget)) {
        const similarity = toSimilarity(word, near.distance);
        plans.push(toTermPlan(ordinal, 'text', near.term, restricted, boost * similarity));
      }
    }
    plans.push(toTermPlan(ordinal, 'keyword', toKeywordTerm(text), selection, boost));
    return required(anyOf(plans));
  }

  #select(field: string | undefined): FieldSelection {
    return field === undefined ? this.#context.defaultSelection : compileFieldNames([field]);
  }
}

interface TextToPlan {
  readonly ordinal: number;
  readonly words: readonly PhraseWord[];
  /** The text that the words were read from. */
  readonly written: string;
  readonly slop: number;
  readonly selection: FieldSelection;
  readonly boost: number;
}

function toTextPlan({ ordinal, words, written, slop, selection, boost }: TextToPlan): PlanOf<'term' | 'phrase'> {
  if (words.length === 1) return { ...toTermPlan(ordinal, 'text', words[0].terms[0], selection, boost), written };
  const key = `${ordinal}:${JSON.stringify(words)}`;
  return { type: 'phrase', key, space: 'text', words, slop, selection, boost, written };
}

function toTermPlan(
  ordinal: number,
  space: SpaceName,
  term: string,
  selection: FieldSelection,
  boost: number,
): PlanOf<'term'> {
  return { type: 'term', key: `${ordinal}:${space}:${term}`, space, term, selection, boost };
}

/** The plan that sums whichever of some plans match. */
export function anyOf(plans: readonly Plan[]): Plan {
  const children = plans.filter(({ type }) => type !== 'none');
  if (children.length === 0) return NOTHING;
  return children.length === 1 ? children[0] : { type: 'or', children };
}

function required(plan: Plan): Compiled {
  return { plan, isStopWord: false };
}

function isPrefix(parts: readonly WildcardPart[]): boolean {
  return parts.length === 2 && parts[0].type === 'text' && parts[1].type === 'any';
}

function selectBelow(field: string): FieldSelection {
  const fits = compileFieldPattern(field);
  return { key: `below:${field}`, weigh: (path) => (fits(path) || path.startsWith(`${field}.`) ? 1 : 0) };
}
