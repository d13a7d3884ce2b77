import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { indexOf, NO_LIKED_DOCUMENT, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { FACETS, toFacets } from './facets-asked.ts';
import {
  FUZZINESS,
  INDICES,
  LANGUAGES,
  PAGE,
  QUERY,
  RANGE,
  SHOW_LABELS,
  TYPE_FILTER,
  toFilters,
  toFuzziness,
  toLanguages,
} from './filters.ts';
import { MARKING, toMarking } from './marking.ts';
import { RELEVANCE, toRelevance } from './relevance.ts';
import { SHAPE, toShape } from './shape.ts';

export const searchDocuments: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/documents',
  operation: 'searchDocuments',
  summary: 'Searches documents.',
  parameters: {
    ...QUERY,
    ...FUZZINESS,
    ...LANGUAGES,
    ...RELEVANCE,
    ...PAGE,
    ...MARKING,
    ...SHAPE,
    ...FACETS,
    ...TYPE_FILTER,
    ...RANGE,
    ...SHOW_LABELS,
    ...INDICES,
  },
  answers: [
    { status: 200, description: 'The page of results.', schema: 'SearchResults' },
    NO_LIKED_DOCUMENT,
    ...SEARCH_FAULTS,
  ],
  async handle(context, values) {
    const { query, type, limit, offset, showSecurityLabels } = values;
    const own = { query, type, limit, offset, showSecurityLabels, fuzziness: toFuzziness(values) };
    const words = { languages: toLanguages(values), facets: toFacets(values) };
    // Assigned, as a literal of so many spreads takes longer than many a search.
    const looks = Object.assign(toOperation(context, values), own, words, toRelevance(values));
    const shows = Object.assign(toShape(values), toMarking(values, context.source), await toFilters(context, values));
    return jsonAnswer(await indexOf(context).search(context.viewer, Object.assign(looks, shows)));
  },
});
