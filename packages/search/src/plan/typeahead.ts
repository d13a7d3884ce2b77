import { getAnalyzer } from '../analysis/analyzer.ts';
import { toQueryTerms } from '../analysis/query-terms.ts';
import { compileFieldSelection, type FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toKeywordTerm, toKeywordTerms } from '../mapping/value.ts';
import type { SpaceName } from '../segment/segment.ts';
import { analyzeForFields, toPhrase } from './analyzed-text.ts';
import { anyOf, type CompileContext } from './compiler.ts';
import { beginningWith, expandTerms } from './expand.ts';
import type { PhraseWord, Plan } from './plan.ts';
import { compileTypedWord } from './tiers.ts';

/**
 * The plan of a typeahead: the words in order, the last of them as a prefix, unstemmed. Fields that are not indexed
 * for typeahead are searched by their own terms; exact values by what they begin with. With fuzziness the words may
 * stand anywhere in a field, each with letters wrong.
 */
export function* compileTypeahead(
  context: CompileContext,
  fields: readonly string[] | undefined,
): Generator<void, Plan> {
  const { mapping, text } = context;
  const selection = compileFieldSelection(fields ?? mapping.typeaheadFields);
  const words = toPhrase(toQueryTerms(getAnalyzer('simple'), text));
  if (words.length === 0) return { type: 'none' };
  const compileWords = context.fuzziness === 0 ? toPrefixPhrase : compileTypedWords;
  const plans = [yield* compileWords(context, 'typeahead', words, words, only(selection, mapping, true), 0)];
  const others = only(selection, mapping, false);
  const hasOthers = context.views.some(({ segment }) => segment.fields.some((path) => others.weigh(path) > 0));
  if (hasOthers) {
    for (const { words: analysed, restricted } of analyzeForFields(text, others, mapping)) {
      plans.push(yield* compileWords(context, 'text', analysed, words, restricted, plans.length));
    }
    plans.push(yield* compileExact(context, selection));
  }
  return anyOf(plans);
}

/** A phrase whose last word is any visible term with the prefix that was typed, or the word as it was analysed. */
function* toPrefixPhrase(
  { views, budget }: CompileContext,
  space: SpaceName,
  words: readonly PhraseWord[],
  typed: readonly PhraseWord[],
  selection: FieldSelection,
  group: number,
): Generator<void, Plan> {
  const last = typed[typed.length - 1];
  const expanded = yield* expandTerms(views, space, selection, beginningWith(last.terms[0]), budget);
  const whole = words.filter(({ offset }) => offset === last.offset).flatMap(({ terms }) => terms);
  const terms = [...new Set([...expanded, ...whole])];
  if (terms.length === 0) return { type: 'none' };
  const before = words.filter(({ offset }) => offset < last.offset);
  const phrase: PhraseWord[] = [...before, { terms, offset: last.offset }];
  return { type: 'phrase', key: `typeahead:${group}`, space, words: phrase, slop: 0, selection, boost: 1 };
}

/**
 * The plan of a text that is being typed, over the default fields: what any analyzer of the index makes of its words, or
 * the same text as a whole value.
 */
export function* compileAsYouType(context: CompileContext): Generator<void, Plan> {
  const { mapping, text, defaultSelection: selection } = context;
  const typed = toPhrase(toQueryTerms(getAnalyzer('simple'), text));
  if (typed.length === 0) return { type: 'none' };
  const plans: Plan[] = [];
  for (const { words, restricted } of analyzeForFields(text, selection, mapping)) {
    plans.push(yield* compileTypedWords(context, 'text', words, typed, restricted, plans.length));
  }
  plans.push({ type: 'terms', space: 'keyword', selection, terms: toKeywordTerms(text.trim()), boost: 1 });
  return anyOf(plans);
}

/** All words, each with letters wrong as far as asked for, the last of them also as a prefix; one that is a stop word adds to the score. */
export function* compileTypedWords(
  { views, budget, fuzziness }: CompileContext,
  space: SpaceName,
  words: readonly PhraseWord[],
  typed: readonly PhraseWord[],
  selection: FieldSelection,
  group: number,
): Generator<void, Plan> {
  const last = typed[typed.length - 1];
  const must: Plan[] = [];
  const shared = { space, selection, boost: 1, fuzziness };
  for (const { terms, offset } of words.filter((word) => word.offset < last.offset)) {
    const key = `typed:${group}:${offset}`;
    must.push(yield* compileTypedWord({ ...shared, key, term: terms[0] }, views, budget));
  }
  const [term] = words.find(({ offset }) => offset === last.offset)?.terms ?? [];
  const key = `typed:${group}:${last.offset}`;
  const lastPlan = yield* compileTypedWord({ ...shared, key, term, prefix: last.terms[0] }, views, budget);
  if (must.length === 0) return lastPlan;
  if (term === undefined) return { type: 'boolean', must, should: [lastPlan], mustNot: [] };
  return { type: 'boolean', must: [...must, lastPlan], should: [], mustNot: [] };
}

function* compileExact({ views, budget, text }: CompileContext, selection: FieldSelection): Generator<void, Plan> {
  const pattern = beginningWith(toKeywordTerm(text.trim()));
  const terms = yield* expandTerms(views, 'keyword', selection, pattern, budget);
  return terms.length === 0 ? { type: 'none' } : { type: 'terms', space: 'keyword', selection, terms, boost: 1 };
}

function only(selection: FieldSelection, mapping: IndexMapping, isTypeahead: boolean): FieldSelection {
  return {
    key: `${selection.key}?${isTypeahead}`,
    weigh: (path) => (mapping.field(path).isTypeahead === isTypeahead ? selection.weigh(path) : 0),
  };
}
