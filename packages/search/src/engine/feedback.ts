import type { Match } from '../execution/top-documents.ts';
import { type CountedWords, countDocumentWords, type WeighedWord, weighWords } from '../plan/likeness.ts';
import type { Plan } from '../plan/plan.ts';
import { compileRelevance } from '../plan/relevance.ts';
import { toQuery } from '../plan/request-query.ts';
import type { VisibleIndex } from '../plan/visible-index.ts';
import { checkObject, checkWhole, refuseArgument } from '../port/arguments.ts';
import type { FeedbackOptions, QueryType, ReadOperation, Relevance } from '../port/search-index.ts';
import type { Query } from '../query/query.ts';
import { collectStatistics } from '../scoring/statistics.ts';
import { type PlannedSearch, runSearch } from './operation.ts';
import { presentMatch, type Showing } from './presented.ts';
import { toVisibleIndex } from './query-planner.ts';

const MAX_DOCUMENTS = 50;
const MAX_TERMS = 50;
const MAX_WEIGHT = 10;

type Feedback = Readonly<Record<'documents' | 'terms' | 'weight', number>>;

/** @throws `ERR_REQUEST` (invalid) */
export function readFeedback(given: FeedbackOptions): Feedback {
  checkObject('feedback', given);
  const { documents = 10, terms = 10, weight = 0.4 } = given;
  checkWhole('feedback.documents', documents, 1, MAX_DOCUMENTS);
  checkWhole('feedback.terms', terms, 1, MAX_TERMS);
  if (typeof weight !== 'number' || !(weight > 0 && weight <= MAX_WEIGHT))
    refuseArgument('feedback.weight', `a number above 0 up to ${MAX_WEIGHT}`, weight);
  return { documents, terms, weight };
}

interface FeedbackRequest extends ReadOperation, Relevance {
  readonly query: string;
  readonly type?: QueryType | undefined;
}

/**
 * A search whose matches are ordered by words of the best of them, too: those that are frequent in these and rare
 * elsewhere, in the manner of Rocchio. All is read from what the viewer sees at the moment of the search. Lets other work
 * run when it takes long. Cost: that of the search, once more.
 */
export async function withFeedback(
  planned: PlannedSearch,
  request: FeedbackRequest,
  { documents, terms: maxTerms, weight }: Feedback,
  showing: Showing,
): Promise<PlannedSearch> {
  const { views, plans, budget } = planned;
  const relevance = compileRelevance(request);
  const indices = views.map((view) => toVisibleIndex(view, relevance));
  const matches = (await runSearch(planned, documents)).toSorted();
  const words = await budget.run(countMatches(matches, indices, showing));
  const best = await budget.run(weighWords(words, indices, { maxTerms }, budget));
  const factor = (weight * largestWeight(request)) / (best[0]?.weight ?? 1);
  const raised = plans.map((plan, i) => raise(plan, toLeaves(best, indices[i], factor)));
  const indexPlans = indices.map(({ views }, i) => ({ plan: raised[i], views }));
  return {
    ...planned,
    plans: raised,
    asked: plans,
    statistics: await budget.run(collectStatistics(indexPlans, budget)),
  };
}

function* countMatches(
  matches: readonly Match[],
  indices: readonly VisibleIndex[],
  showing: Showing,
): Generator<void, CountedWords> {
  const words: CountedWords = new Map();
  for (const match of matches) {
    const home = indices.find(({ mapping }) => mapping.name === match.view.segment.index);
    const document = presentMatch(match, showing);
    if (home !== undefined && document !== undefined) yield* countDocumentWords(document, home, words);
    yield;
  }
  return words;
}

function toLeaves(words: readonly WeighedWord[], { selection }: VisibleIndex, factor: number): Plan[] {
  return words.map(({ term, text, weight }) => ({
    type: 'term',
    key: `feedback:${term}`,
    space: 'text',
    term,
    selection,
    boost: factor * weight,
    written: text,
  }));
}

/** Adds leaves to the scores of what matches a plan. */
function raise(plan: Plan, leaves: readonly Plan[]): Plan {
  if (leaves.length === 0 || plan.type === 'none') return plan;
  if (plan.type === 'boosted') return { ...plan, plan: raise(plan.plan, leaves) };
  return { type: 'boolean', must: [plan], should: leaves, mustNot: [] };
}

/** The weight of the heaviest word of a query, 1 where nothing is raised: repeated words and `^` make it larger. */
function largestWeight({ query: text, type = 'query' }: FeedbackRequest): number {
  if (type === 'as-you-type' || type === 'like' || type === 'like-document') return 1;
  return weightOf(toQuery(text, type)) || 1;
}

function weightOf(query: Query): number {
  if (query.type === 'boost') return query.boost * weightOf(query.query);
  if (query.type !== 'boolean') return 1;
  return query.clauses.reduce((most, { occur, query: clause }) => {
    return occur === 'mustNot' ? most : Math.max(most, weightOf(clause));
  }, 0);
}
