import type { HighlightOptions } from '@cairn/search';
import { jsonAnswer } from '../http/json-answer.ts';
import { flag, optionalText } from '../parameters/parameter.ts';
import { type ParameterSource, parameterFault } from '../parameters/read.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { FACETS, toFacets } from './facets-asked.ts';
import { INDICES, PAGE, QUERY, RANGE, SHOW_LABELS, TYPE_FILTER, toFilters } from './filters.ts';
import { SHAPE, toShape } from './shape.ts';

export const searchDocuments: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/documents',
  operation: 'searchDocuments',
  summary: 'Searches documents.',
  parameters: {
    ...QUERY,
    ...PAGE,
    highlighting: flag('highlighting', { description: 'Whether results carry `highlighted`.' }),
    preTag: optionalText('highlighting-pre-tag', {
      description: 'Tag put before highlighted terms, `<em>` by default; only together with the other.',
      example: '<b>',
    }),
    postTag: optionalText('highlighting-post-tag', {
      description: 'Tag put after highlighted terms, `</em>` by default; only together with the other.',
      example: '</b>',
    }),
    ...SHAPE,
    ...FACETS,
    ...TYPE_FILTER,
    ...RANGE,
    ...SHOW_LABELS,
    ...INDICES,
  },
  answers: [{ status: 200, description: 'The page of results.', schema: 'SearchResults' }, ...SEARCH_FAULTS],
  async handle(context, values) {
    const { query, type, limit, offset, showSecurityLabels } = values;
    const results = await indexOf(context).search(context.viewer, {
      ...toOperation(context, values),
      ...{ query, type, limit, offset, showSecurityLabels },
      highlight: toHighlight(values, context.source),
      ...toShape(values),
      facets: toFacets(values),
      ...(await toFilters(context, values)),
    });
    return jsonAnswer(results);
  },
});

function toHighlight(
  values: { readonly highlighting: boolean; readonly preTag: string | undefined; readonly postTag: string | undefined },
  source: ParameterSource,
): boolean | HighlightOptions {
  const { preTag, postTag } = values;
  if (preTag !== undefined && postTag === undefined) {
    throw parameterFault(source, 'highlighting-post-tag', 'is required with highlighting-pre-tag');
  }
  if (preTag === undefined && postTag !== undefined) {
    throw parameterFault(source, 'highlighting-pre-tag', 'is required with highlighting-post-tag');
  }
  if (!values.highlighting) return false;
  return preTag === undefined || postTag === undefined ? true : { preTag, postTag };
}
