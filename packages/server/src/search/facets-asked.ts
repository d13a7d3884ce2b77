import { CodedError } from '@cairn/errors';
import type { AskedFacet, CalendarInterval } from '@cairn/search';
import { choice, integer, optionalText, type ParametersOf, texts } from '../parameters/parameter.ts';

/** Facets beside the results, as they were asked for. */
interface FacetsValues {
  readonly facets: readonly string[];
  readonly facetLimit: number;
  readonly facetOrder: 'count' | 'value';
  readonly facetPrefix: string | undefined;
  readonly histograms: readonly string[];
  readonly facetRanges: readonly string[];
}

export const FACETS: ParametersOf<FacetsValues> = {
  facets: texts('facets', {
    description:
      'Fields of which all visible matches are counted by value, comma-separated or repeated. With histograms and ranges at most 16.',
    commaSeparated: true,
    example: 'types',
  }),
  facetLimit: integer('facet-limit', {
    description: 'Most values of each of `facets`.',
    minimum: 1,
    maximum: 1000,
    fallback: 10,
  }),
  facetOrder: choice('facet-order', {
    description: 'Whether the values of `facets` come by falling count, or by value.',
    choices: ['count', 'value'],
    fallback: 'count',
  }),
  facetPrefix: optionalText('facet-prefix', {
    description: 'Counts those values of `facets` alone that begin with it.',
  }),
  histograms: texts('histograms', {
    description:
      'Fields and the width of their buckets, `field:10` for numbers, `field:month` for dates (year, quarter, month, week, day or hour, in UTC), comma-separated or repeated.',
    commaSeparated: true,
    example: 'start:year',
  }),
  facetRanges: texts('facet-ranges', {
    description:
      'A field and ranges of its values, `field:..10,10..20,20..`; numbers or dates, the second bound not included. Repeated for several fields.',
    example: 'start:..1969-07,1969-07..',
  }),
};

/** The facets of a request, `undefined` for none. @throws `ERR_FACET` (invalid) for what is no histogram or range. */
export function toFacets(values: FacetsValues): AskedFacet[] | undefined {
  const { facetLimit: limit, facetOrder: order, facetPrefix: prefix } = values;
  const asked: AskedFacet[] = [
    ...values.facets.map((field) => ({ field, limit, order, prefix })),
    ...values.histograms.map((text) => toHistogram(text)),
    ...values.facetRanges.map((text) => toRanges(text)),
  ];
  return asked.length === 0 ? undefined : asked;
}

function toHistogram(text: string): AskedFacet {
  const [field, width] = parted(text);
  if (field === '' || width === '') throw noFacet('histograms must be fields with widths, field:10', text);
  const number = Number(width);
  return { field, interval: Number.isNaN(number) ? (width as CalendarInterval) : number };
}

function toRanges(text: string): AskedFacet {
  const [field, list] = parted(text);
  const ranges = list.split(',').map((range) => range.split('..'));
  if (field === '' || ranges.some((bounds) => bounds.length !== 2)) {
    throw noFacet('facet-ranges must be a field with ranges, field:..10,10..', text);
  }
  return { field, ranges: ranges.map(([from, to]) => ({ from, to })) };
}

/** The parts before and after the last colon, since names of fields may hold colons; ranges and widths hold none. */
function parted(text: string): readonly [field: string, rest: string] {
  const at = text.lastIndexOf(':');
  return [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
}

function noFacet(expected: string, got: string): CodedError {
  const message = `${expected}; got ${JSON.stringify(got.slice(0, 100))}`;
  return new CodedError({ code: 'ERR_FACET', kind: 'invalid', message });
}
