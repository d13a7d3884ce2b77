import type { Fuzziness, QueryType, RangeFilter, SearchFilters, TypeFilterMode } from '@cairn/search';
import { withVisibleSubclasses } from '../ontology/subclasses.ts';
import {
  choice,
  flag,
  integer,
  optionalText,
  type ParametersOf,
  requiredText,
  texts,
} from '../parameters/parameter.ts';
import { type ParameterSource, parameterFault } from '../parameters/read.ts';
import type { Context } from '../routing/context.ts';

/** A range as it was asked for. */
interface RangeValues {
  readonly rangeStart: string | undefined;
  readonly rangeEnd: string | undefined;
  readonly rangeFields: readonly string[];
}

export const RANGE: ParametersOf<RangeValues> = {
  rangeStart: optionalText('range-start', {
    description: 'Start of a range filter, inclusive.',
    example: '1969-07-01',
  }),
  rangeEnd: optionalText('range-end', { description: 'End of a range filter, inclusive.', example: '1969-07-31' }),
  rangeFields: texts('range-fields', {
    description: 'Fields the range applies to; a value in any of them suffices.',
    example: 'start',
  }),
};

interface TypeFilterValues {
  readonly typeFilter: readonly string[];
  readonly isTypeFilterBase64: boolean;
  readonly typeFilterMode: TypeFilterMode;
}

export const TYPE_FILTER: ParametersOf<TypeFilterValues> = {
  typeFilter: texts('type-filter', {
    description: 'Entity or identifier type to filter by, compared exactly; several mean any of them.',
    base64By: 'is-type-filter-base64',
    example: 'https://example.org/apollo#Mission',
  }),
  isTypeFilterBase64: flag('is-type-filter-base64', { description: 'Whether type-filter is base64.' }),
  typeFilterMode: choice('type-filter-mode', {
    description: 'Whether to filter by the type of the document, of its nested objects, or either.',
    choices: ['any', 'entity', 'identifier'],
    fallback: 'any',
  }),
};

export const SHOW_LABELS: ParametersOf<{ showSecurityLabels: boolean }> = {
  showSecurityLabels: flag('show-security-labels', {
    description: 'Whether returned documents carry their security labels.',
  }),
};

export const INDICES: ParametersOf<{ indices: readonly string[] }> = {
  indices: texts('indices', {
    description: 'Indices to read, comma-separated or repeated; all by default. Others than the configured ones: 400.',
    commaSeparated: true,
    configured: ({ indices }) => indices.map(({ name }) => name),
    example: 'search',
  }),
};

export const LANGUAGES: ParametersOf<{ languages: readonly string[] }> = {
  languages: texts('languages', {
    description:
      'ISO 639-1 codes of the languages in which words of the query are read, comma-separated or repeated; all of the index by default. One that has no analyzer: 400.',
    commaSeparated: true,
    example: 'en',
  }),
};

/** The languages that were asked for; `undefined` for those of the index. */
export function toLanguages({ languages }: { readonly languages: readonly string[] }): readonly string[] | undefined {
  return languages.length === 0 ? undefined : languages;
}

export const QUERY: ParametersOf<{ query: string; type: QueryType }> = {
  query: requiredText('query', { description: 'The search query.', example: 'eagle' }),
  type: choice('type', {
    description:
      'How the query is read: the query language, a set of terms of which any matches, one phrase, a text that is being typed, whose last word may be unfinished, a text of which any of the best words matches, or the id of a document for what is like it.',
    choices: ['query', 'term', 'phrase', 'as-you-type', 'like', 'like-document'],
    fallback: 'query',
  }),
};

const FUZZINESS_OF = { default: undefined, auto: 'auto', '0': 0, '1': 1, '2': 2 } as const;

export const FUZZINESS: ParametersOf<{ fuzziness: keyof typeof FUZZINESS_OF }> = {
  fuzziness: choice('fuzziness', {
    description:
      'How many letters of a word may be wrong after the first, two swapped neighbours counting once; `auto`: none up to three letters, one up to seven, else two. What has the word itself comes first. By default `auto` for `as-you-type`, else 0.',
    choices: ['default', 'auto', '0', '1', '2'],
    fallback: 'default',
  }),
};

export function toFuzziness({ fuzziness }: { readonly fuzziness: keyof typeof FUZZINESS_OF }): Fuzziness | undefined {
  return FUZZINESS_OF[fuzziness];
}

export const PAGE: ParametersOf<{ limit: number; offset: number }> = {
  limit: integer('limit', { description: 'Most results of the page.', minimum: 1, maximum: 1000, fallback: 100 }),
  offset: integer('offset', {
    description: 'Rank of the first result, 1-based.',
    minimum: 1,
    maximum: 1_000_000,
    fallback: 1,
  }),
};

/** Parameters that name documents or entities. */
export const IDS: ParametersOf<{ ids: readonly string[]; isBase64: boolean }> = {
  ids: texts('id', {
    description: 'Ids, repeated.',
    required: true,
    base64By: 'is-base64',
    example: 'https://example.org/apollo/11',
  }),
  isBase64: flag('is-base64', { description: 'Whether the ids are base64.' }),
};

/**
 * The filters of a request; types with their subclasses where the configuration says so.
 * @throws `ERR_PARAMETER` for a range without fields
 */
export async function toFilters(context: Context, values: TypeFilterValues & RangeValues): Promise<SearchFilters> {
  const { typeFilter: types, typeFilterMode: mode } = values;
  const typeFilter = types.length === 0 ? undefined : { values: await withVisibleSubclasses(context, types), mode };
  return { typeFilter, range: toRange(values, context.source) };
}

/** The range filter of a request, `undefined` for none. @throws `ERR_PARAMETER` for a range without fields. */
export function toRange(values: RangeValues, source: ParameterSource): RangeFilter | undefined {
  const { rangeStart: start, rangeEnd: end, rangeFields: fields } = values;
  if (start === undefined && end === undefined) return undefined;
  if (fields.length === 0) throw parameterFault(source, 'range-fields', 'is required with range-start or range-end');
  return { start, end, fields };
}
