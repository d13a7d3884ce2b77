import { CodedError } from '@cairn/errors';
import { LANGUAGES } from '../analysis/languages.ts';
import { inLanguages } from '../mapping/index-mapping.ts';
import { compileQuery } from '../plan/compiler.ts';
import { readWordBounds, toDocumentLikeness, toTextLikeness } from '../plan/likeness.ts';
import { type CompiledRelevance, compileRelevance } from '../plan/relevance.ts';
import { toQuery } from '../plan/request-query.ts';
import { compileAsYouType } from '../plan/typeahead.ts';
import type { VisibleIndex } from '../plan/visible-index.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import { checkWhole } from '../port/arguments.ts';
import type { Fuzziness, QueryType, ReadOperation, Relevance } from '../port/search-index.ts';
import type { Query } from '../query/query.ts';
import type { IndexView, PlanIndex } from './operation.ts';
import { lookUp, type Showing } from './presented.ts';

interface QueryRequest extends ReadOperation, Relevance {
  readonly query: string;
  readonly type?: QueryType | undefined;
  readonly fuzziness?: Fuzziness | undefined;
  readonly languages?: readonly string[] | undefined;
}

/** Makes the query of a request from what its viewer sees. Yields where it may pause. */
type ReadQuery = (views: readonly IndexView[], budget: WorkBudget) => Generator<void, Query>;

type ToVisibleIndex = (index: IndexView) => VisibleIndex;

/** An index as a request looks into it, in the languages that it names. */
export function toVisibleIndex(
  { store, views }: IndexView,
  { defaultSelectionOf }: CompiledRelevance,
  languages?: readonly string[],
): VisibleIndex {
  const mapping = inLanguages(store.mapping, languages);
  return { mapping, views, selection: defaultSelectionOf(mapping) };
}

/** Plans the query of a request, index by index. @throws `ERR_QUERY_SYNTAX`, `ERR_REQUEST`, `ERR_FIELD_BOOST` or `ERR_BOOST` (invalid) */
export function createQueryPlanner(request: QueryRequest, showing: Showing): PlanIndex {
  const { query: text, type = 'query', languages } = request;
  const { fuzziness = type === 'as-you-type' ? 'auto' : 0 } = request;
  if (languages !== undefined) checkLanguages(languages);
  const relevance = compileRelevance(request);
  const toIndex: ToVisibleIndex = (view) => toVisibleIndex(view, relevance, languages);
  const readQuery = type === 'as-you-type' ? undefined : toReadQuery(type, request, toIndex, showing);
  let known: { readonly views: readonly IndexView[]; readonly query: Query } | undefined;
  return function* (index, budget, all) {
    const { mapping, views, selection: defaultSelection } = toIndex(index);
    const context = { mapping, views, budget, defaultSelection, text, fuzziness };
    if (readQuery === undefined) return relevance.boosted(yield* compileAsYouType(context), mapping);
    // One query for all indices of one moment.
    if (known?.views !== all) {
      known = { views: all, query: typeof readQuery === 'function' ? yield* readQuery(all, budget) : readQuery };
    }
    return relevance.boosted(yield* compileQuery(known.query, context), mapping);
  };
}

function toReadQuery(
  type: Exclude<QueryType, 'as-you-type'>,
  { query: text, like }: QueryRequest,
  toIndex: ToVisibleIndex,
  showing: Showing,
): Query | ReadQuery {
  const bounds = readWordBounds(like);
  if (type === 'like') return (views, budget) => toTextLikeness(text, views.map(toIndex), bounds, budget);
  if (type === 'like-document') {
    return (views, budget) => {
      const found = lookUp(views, text, showing);
      if (found === undefined) throw noDocument();
      const liked = { id: text, document: found.document, home: toIndex(found.view) };
      return toDocumentLikeness(liked, views.map(toIndex), bounds, budget);
    };
  }
  return toQuery(text, type);
}

/** As where it is not there, so where it may not be seen. */
function noDocument(): CodedError {
  return new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no document with this id' });
}

const MAX_ASKED_LANGUAGES = 8;

/** @throws `ERR_REQUEST` (invalid) for none or too many, and for one that has no analyzer */
function checkLanguages(languages: readonly string[]): void {
  checkWhole('the number of languages', languages.length, 1, MAX_ASKED_LANGUAGES);
  for (const code of languages) if (!LANGUAGES.has(code)) refuseLanguage(code);
}

function refuseLanguage(code: string): never {
  const known = [...LANGUAGES.keys()].join(', ');
  const message = `each of languages must be one of ${known}; got ${JSON.stringify(code.slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_REQUEST', kind: 'invalid', message });
}
