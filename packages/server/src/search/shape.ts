import type { SearchRequest } from '@cairn/search';
import { choice, flag, integer, optionalText, type ParametersOf, texts } from '../parameters/parameter.ts';

/** Order of the results, and what of them comes back, as it was asked for. */
interface ShapeValues {
  readonly sort: string | undefined;
  readonly missing: 'first' | 'last';
  readonly collapse: string | undefined;
  readonly collapseBound: number;
  readonly after: string | undefined;
  readonly total: boolean;
  readonly didYouMean: boolean;
  readonly totalBound: number;
  readonly fields: readonly string[];
  readonly excludeFields: readonly string[];
}

export const SHAPE: ParametersOf<ShapeValues> = {
  sort: optionalText('sort', {
    description:
      'Keys, comma-separated: `<field` ascending, `>field` or a bare field descending, `score` by score. Of several values the least or the greatest counts. By score by default.',
    example: '>start,score',
  }),
  missing: choice('missing', {
    description: 'Where results without a value of a sort field come.',
    choices: ['first', 'last'],
    fallback: 'last',
  }),
  collapse: optionalText('collapse', {
    description:
      'A field; of the matches with the same value of it the first alone comes back, with the number of those that it stands for in `collapsed`. Of several values the least counts; documents without one come as they are.',
    example: 'types',
  }),
  collapseBound: integer('collapse-bound', {
    description: 'Up to how many matches the count of a collapsed result is exact.',
    minimum: 1,
    maximum: 1_000_000,
    fallback: 10_000,
  }),
  after: optionalText('after', {
    description:
      'Goes on behind a page: its `next`, with the same query and sort. `*` begins, and makes answers carry `next`. Only without an offset.',
    example: '*',
  }),
  total: flag('total', { description: 'Whether the answer carries the `total` of visible matches.' }),
  didYouMean: flag('did-you-mean', {
    description:
      'Whether the answer carries `didYouMean`, the query with likelier words, where a word of it is in hardly any visible document.',
  }),
  totalBound: integer('total-bound', {
    description: 'Up to how many matches the total is exact.',
    minimum: 1,
    maximum: 1_000_000,
    fallback: 10_000,
  }),
  fields: texts('fields', {
    description:
      'Paths of the parts of documents that come back, comma-separated or repeated; `*` stands for any characters. All by default.',
    commaSeparated: true,
    example: 'primaryName',
  }),
  excludeFields: texts('exclude-fields', {
    description: 'Paths of the parts of documents that do not come back, comma-separated or repeated.',
    commaSeparated: true,
    example: 'text',
  }),
};

export function toShape(
  values: ShapeValues,
): Pick<
  SearchRequest,
  'sort' | 'missing' | 'collapse' | 'after' | 'total' | 'didYouMean' | 'fields' | 'excludeFields'
> {
  const { sort, missing, collapse, collapseBound, after, total, totalBound, didYouMean, fields, excludeFields } =
    values;
  return {
    sort,
    missing,
    collapse: collapse === undefined ? undefined : { field: collapse, bound: collapseBound },
    after,
    total: total && totalBound,
    didYouMean,
    fields: fields.length === 0 ? undefined : fields,
    excludeFields,
  };
}
