import type { QueryType, RangeFilter, TypeFilter, TypeFilterMode } from '@cairn/search';
import { withVisibleSubclasses } from '../ontology/subclasses.ts';
import { choice, flag, integer, optionalText, type Parameter, requiredText, texts } from '../parameters/parameter.ts';
import { type ParameterSource, parameterFault } from '../parameters/read.ts';
import type { Context } from '../routing/context.ts';

export interface RangeParameters {
  readonly rangeStart: Parameter<string | undefined>;
  readonly rangeEnd: Parameter<string | undefined>;
  readonly rangeFields: Parameter<readonly string[]>;
}

export const RANGE: RangeParameters = {
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

export interface TypeParameters {
  readonly typeFilter: Parameter<readonly string[]>;
  readonly isTypeFilterBase64: Parameter<boolean>;
  readonly typeFilterMode: Parameter<TypeFilterMode>;
}

export const TYPE_FILTER: TypeParameters = {
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

export const SHOW_LABELS: { readonly showSecurityLabels: Parameter<boolean> } = {
  showSecurityLabels: flag('show-security-labels', {
    description: 'Whether returned documents carry their security labels.',
  }),
};

export const INDICES: { readonly indices: Parameter<readonly string[]> } = {
  indices: texts('indices', {
    description: 'Indices to read, comma-separated or repeated; all by default. Others than the configured ones: 400.',
    commaSeparated: true,
    configured: ({ indices }) => indices.map(({ name }) => name),
    example: 'search',
  }),
};

export interface QueryParameters {
  readonly query: Parameter<string>;
  readonly type: Parameter<QueryType>;
}

export const QUERY: QueryParameters = {
  query: requiredText('query', { description: 'The search query.', example: 'eagle' }),
  type: choice('type', {
    description: 'How the query is read: the query language, a set of terms of which any matches, or one phrase.',
    choices: ['query', 'term', 'phrase'],
    fallback: 'query',
  }),
};

export interface PageParameters {
  readonly limit: Parameter<number>;
  readonly offset: Parameter<number>;
}

export const PAGE: PageParameters = {
  limit: integer('limit', { description: 'Most results of the page.', minimum: 1, maximum: 1000, fallback: 100 }),
  offset: integer('offset', {
    description: 'Rank of the first result, 1-based.',
    minimum: 1,
    maximum: 1_000_000,
    fallback: 1,
  }),
};

/** Parameters that name documents or entities. */
export interface IdsParameters {
  readonly ids: Parameter<readonly string[]>;
  readonly isBase64: Parameter<boolean>;
}

export const IDS: IdsParameters = {
  ids: texts('id', {
    description: 'Ids, repeated.',
    required: true,
    base64By: 'is-base64',
    example: 'https://example.org/apollo/11',
  }),
  isBase64: flag('is-base64', { description: 'Whether the ids are base64.' }),
};

/** The type filter of a request, `undefined` for none; with subclasses where the configuration says so. */
export async function toTypeFilter(
  context: Context,
  values: { readonly typeFilter: readonly string[]; readonly typeFilterMode: TypeFilterMode },
): Promise<TypeFilter | undefined> {
  if (values.typeFilter.length === 0) return undefined;
  return { values: await withVisibleSubclasses(context, values.typeFilter), mode: values.typeFilterMode };
}

/** The range filter of a request, `undefined` for none. @throws `ERR_PARAMETER` for a range without fields. */
export function toRange(
  values: {
    readonly rangeStart: string | undefined;
    readonly rangeEnd: string | undefined;
    readonly rangeFields: readonly string[];
  },
  source: ParameterSource,
): RangeFilter | undefined {
  const { rangeStart: start, rangeEnd: end, rangeFields: fields } = values;
  if (start === undefined && end === undefined) return undefined;
  if (fields.length === 0) throw parameterFault(source, 'range-fields', 'is required with range-start or range-end');
  return { start, end, fields };
}
