import { CodedError } from '@cairn/errors';
import type { DecayCurve, Relevance, ScoreBoost, ValueCurve } from '@cairn/search';
import { integer, type ParametersOf, texts } from '../parameters/parameter.ts';

/** Where queries look and by what their scores are raised, as it was asked for. */
interface RelevanceValues {
  readonly queryFields: readonly string[];
  readonly boostBy: readonly string[];
  readonly boostNear: readonly string[];
  readonly feedback: number;
  readonly feedbackTerms: number;
  readonly likeTerms: number;
  readonly likeMinTermFrequency: number;
  readonly likeMinDocumentFrequency: number;
  readonly likeMaxDocumentFrequency: number;
}

const MAX_FREQUENCY = 1_000_000_000;

export const RELEVANCE: ParametersOf<RelevanceValues> = {
  queryFields: texts('query-fields', {
    description:
      'Fields that a query looks at where it names none, comma-separated or repeated: paths with `*` and `^boost`. By default as the index is configured.',
    commaSeparated: true,
    example: 'primaryName^3,*',
  }),
  boostBy: texts('boost-by', {
    description:
      'Multiplies scores by `1 + weight * curve(factor * value)` of a field of numbers: `field,curve,factor,weight`; log1p, linear or reciprocal; factor and weight are 1 by default. In place of the boosts that the index is configured with. Repeated for several.',
    example: 'metadata.pages,log1p,0.5',
  }),
  boostNear: texts('boost-near', {
    description:
      'Multiplies scores by `1 + weight * decay` of the distance of a date or number from an origin: `field,curve,origin,scale,offset,weight`; exp, gauss or linear; up to the offset (0) the decay is 1, a scale (`30d`, or a number) further it is 0.5. The origin is a date, `now` or a number. Repeated for several.',
    example: 'start,exp,1969-07-20,365d',
  }),
  feedback: integer('feedback', {
    description:
      'How many of the best matches give words by which all are ordered once more; what matches stays the same. 0 for none.',
    minimum: 0,
    maximum: 50,
    fallback: 0,
  }),
  feedbackTerms: integer('feedback-terms', {
    description: 'By how many words of the best matches all are ordered once more, with `feedback`.',
    minimum: 1,
    maximum: 50,
    fallback: 10,
  }),
  likeTerms: integer('like-terms', {
    description: 'With the types `like` and `like-document`: by how many of the best words things are found.',
    minimum: 1,
    maximum: 100,
    fallback: 25,
  }),
  likeMinTermFrequency: integer('like-min-term-frequency', {
    description: 'How often a word must be in the text that others are to be like.',
    minimum: 1,
    maximum: MAX_FREQUENCY,
    fallback: 1,
  }),
  likeMinDocumentFrequency: integer('like-min-document-frequency', {
    description:
      'In how many visible documents a word must be; 0 for the default: 1, and 2 for `like-document`, the document itself among them.',
    minimum: 0,
    maximum: MAX_FREQUENCY,
    fallback: 0,
  }),
  likeMaxDocumentFrequency: integer('like-max-document-frequency', {
    description: 'In how many visible documents a word may be.',
    minimum: 1,
    maximum: MAX_FREQUENCY,
    fallback: MAX_FREQUENCY,
  }),
};

/** @throws `ERR_BOOST` (invalid) for texts that are no boosts. */
export function toRelevance(values: RelevanceValues): Relevance {
  const { queryFields, feedback, likeMinDocumentFrequency: least } = values;
  const boosts = [...values.boostBy.map(toValueBoost), ...values.boostNear.map(toDecayBoost)];
  return {
    queryFields: queryFields.length === 0 ? undefined : queryFields,
    boosts: boosts.length === 0 ? undefined : boosts,
    feedback: feedback === 0 ? undefined : { documents: feedback, terms: values.feedbackTerms },
    like: {
      maxTerms: values.likeTerms,
      minTermFrequency: values.likeMinTermFrequency,
      minDocumentFrequency: least === 0 ? undefined : least,
      maxDocumentFrequency: values.likeMaxDocumentFrequency,
    },
  };
}

function toValueBoost(text: string): ScoreBoost {
  const parts = partsOf(text, 2, 4);
  if (parts === undefined) throw noBoost('boost-by must be field,curve,factor,weight', text);
  const [field, curve, factor, weight] = parts;
  return { type: 'value', field, curve: curve as ValueCurve, factor: toNumber(factor), weight: toNumber(weight) };
}

function toDecayBoost(text: string): ScoreBoost {
  const parts = partsOf(text, 4, 6);
  if (parts === undefined) throw noBoost('boost-near must be field,curve,origin,scale,offset,weight', text);
  const [field, curve, origin, scale, offset, weight] = parts;
  // A scale without a unit is one of numbers.
  const isNumber = !Number.isNaN(Number(scale));
  const toPlace = (place: string): number | string => (isNumber ? Number(place) : place);
  return {
    type: 'decay',
    field,
    curve: curve as DecayCurve,
    origin: toPlace(origin),
    scale: toPlace(scale),
    offset: offset === undefined || offset === '' ? undefined : toPlace(offset),
    weight: toNumber(weight),
  };
}

/** The parts between commas; `undefined` when they are too few or too many. */
function partsOf(text: string, least: number, most: number): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.length < least || parts.length > most ? undefined : parts;
}

/** Blank counts as not given. */
function toNumber(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

function noBoost(expected: string, got: string): CodedError {
  const message = `${expected}; got ${JSON.stringify(got.slice(0, 100))}`;
  return new CodedError({ code: 'ERR_BOOST', kind: 'invalid', message });
}
