import type { QueryType, Relevance, ScoreBoost, SearchRequest } from '../port/search-index.ts';
import type { Random } from './random.ts';
import { randomText, VOCABULARY } from './random-corpus.ts';

const FIELDS = ['primaryName', 'body', 'notes', 'parts.name', 'parts.*', 'number', 'start', 'types', '*ame', 'nothing'];

export function randomQuery(random: Random, depth = 0): string {
  const clauses = random.list(1, 3, () => randomClause(random, depth));
  return clauses.join(random.pick([' ', ' ', ' AND ', ' OR ']));
}

function randomClause(random: Random, depth: number): string {
  const mark = random.pick(['', '', '', '', '', '+', '-', 'NOT ']);
  const boost = random.chance(0.1) ? random.pick(['^2', '^0.5']) : '';
  if (depth < 2 && random.chance(0.2)) return `${mark}(${randomQuery(random, depth + 1)})${boost}`;
  const leaf = random.pick(LEAVES)(random);
  const field = random.chance(0.3) && !leaf.includes(':>') ? `${random.pick(FIELDS)}:` : '';
  return `${mark}${field}${leaf}${boost}`;
}

const word = (random: Random): string => random.pick(VOCABULARY.WORDS);

const LEAVES: readonly ((random: Random) => string)[] = [
  word,
  word,
  word,
  (random) => `"${randomText(random, 3)}"`,
  (random) => `"${word(random)} ${random.pick(['moon', 'crew', 'rover'])}"~${random.below(4)}`,
  (random) => `${word(random).slice(0, 2)}*`,
  (random) => `*${word(random).slice(1)}`,
  (random) => `${word(random)[0]}?${word(random).slice(2)}`,
  (random) => `${word(random)}~${random.below(3)}`,
  (random) => `/${word(random).slice(0, 3).replaceAll(/[+/]/g, '.')}.*/`,
  (random) => `[${word(random)} TO ${word(random)}]`,
  (random) => `{${random.pick(['1', '-3', '2', '*'])} TO ${random.pick(['2', '2020', '*'])}]`,
  (random) => `number:>=${random.pick(['2020', '2020-01-01', '5', 'm'])}`,
  (random) => `"${random.pick(VOCABULARY.IDS)}"`,
  (random) => `"${random.pick(VOCABULARY.DATES)}"`,
];

export function randomSearch(random: Random): SearchRequest {
  const type = random.pick<QueryType>([
    ...(['query', 'query', 'query', 'query', 'term', 'phrase'] as const),
    ...(['as-you-type', 'like', 'like-document'] as const),
  ]);
  return {
    query: randomQueryText(random, type),
    type,
    fuzziness: random.pick([undefined, undefined, 'auto', 0, 1, 2]),
    limit: random.pick([1, 2, 3, 5, 100]),
    offset: random.pick([1, 1, 1, 2, 3]),
    highlight: random.chance(0.5),
    showSecurityLabels: random.chance(0.3),
    ...randomFilters(random),
    ...randomRelevance(random),
  };
}

function randomQueryText(random: Random, type: QueryType): string {
  if (type === 'like-document') return random.pick(VOCABULARY.IDS);
  if (type !== 'query') return randomText(random, 4);
  return random.chance(0.05) ? '*:*' : randomQuery(random);
}

const CURVES = ['log1p', 'linear', 'reciprocal'] as const;
const DECAYS = ['exp', 'gauss', 'linear'] as const;

/** Where a query looks and by what its scores are raised; mostly as it is without. */
export function randomRelevance(random: Random): Relevance & Pick<SearchRequest, 'nowMs'> {
  const nearDate = { type: 'decay' as const, field: 'start', origin: random.pick(['2020', 'now']), scale: '100d' };
  const nearNumber = { type: 'decay' as const, field: 'number', origin: 3, scale: 2.5, offset: random.below(3) };
  const makers: readonly (() => ScoreBoost)[] = [
    () => ({ type: 'value', field: 'number', curve: random.pick(CURVES), factor: random.pick([undefined, 0.5]) }),
    () => ({ ...nearDate, curve: random.pick(DECAYS), weight: random.pick([undefined, 2]) }),
    () => ({ ...nearNumber, curve: random.pick(DECAYS) }),
  ];
  const queryFields = random.list(0, 2, () => random.pick(['primaryName^3', '*', 'notes^0.5', 'parts.*', 'body']));
  return {
    ...(random.chance(0.2) && { queryFields }),
    ...(random.chance(0.3) && { like: { maxTerms: random.pick([1, 3]), minDocumentFrequency: random.pick([1, 3]) } }),
    ...(random.chance(0.1) && { like: { minTermFrequency: 2, maxDocumentFrequency: random.pick([2, 5]) } }),
    ...(random.chance(0.2) && {
      feedback: { documents: random.pick([1, 2, 10]), terms: random.pick([1, 3]), weight: random.pick([0.4, 2]) },
    }),
    ...(random.chance(0.2) && { boosts: random.list(0, 3, () => random.pick(makers)()) }),
    nowMs: Date.UTC(2020, 5),
  };
}

const PATHS = [
  'primaryName',
  'body',
  'number',
  'start',
  'types',
  'notes',
  'parts',
  'parts.name',
  '*.text',
  'securityLabels',
];
const FACETS = [
  ...['primaryName', 'number', 'start', 'types', 'notes', 'parts/title', 'body'].map((field) => ({ field, limit: 2 })),
  { field: 'number', interval: 3 },
  { field: 'start', interval: 'quarter' as const },
  { field: 'number', ranges: [{ to: 3 }, { from: 2, to: 11 }] },
];
const COLLAPSED = ['types', 'number', 'start', 'notes', 'parts/title', 'body', 'nothing'];
const SORTS = [
  '<number',
  '>number',
  '<start,score',
  'primaryName',
  '<notes,>parts.title',
  '<body',
  '>types,<score',
  ' ',
];

const SNIPPETS = [true, { fragments: 1, length: 20 }, { fields: ['body', 'parts'], preTag: '<', postTag: '>' }];

/** How an answer is ordered and what of it comes back; often as it comes without. */
export function randomShape(random: Random): Partial<SearchRequest> {
  const isPaged = random.chance(0.2);
  return {
    ...(random.chance(0.3) && { total: random.pick([true, 1, 3, 100]) }),
    ...(random.chance(0.3) && { sort: random.pick(SORTS), missing: random.pick(['first', 'last', undefined]) }),
    ...(random.chance(0.3) && { facets: random.list(0, 3, () => random.pick(FACETS)) }),
    ...(random.chance(0.2) && { collapse: { field: random.pick(COLLAPSED), bound: random.pick([1, 2, undefined]) } }),
    ...(random.chance(0.2) && { languages: random.pick([['fr'], ['ru', 'en'], ['de']]) }),
    ...(isPaged && { after: '*', offset: 1 }),
    ...(random.chance(0.3) && { didYouMean: true }),
    ...(random.chance(0.3) && { snippets: random.pick(SNIPPETS) }),
    ...(random.chance(0.2) && { fields: random.list(0, 3, () => random.pick(PATHS)) }),
    ...(random.chance(0.2) && { excludeFields: random.list(0, 3, () => random.pick(PATHS)) }),
  };
}

export function randomFilters(random: Random): Pick<SearchRequest, 'typeFilter' | 'range'> {
  const typeFilter = {
    values: random.list(1, 2, () => random.pick(VOCABULARY.TYPES)),
    mode: random.pick(['any', 'entity', 'identifier'] as const),
  };
  const range = {
    start: random.pick([undefined, '2020', '2020-01-01', '1', 'a']),
    end: random.pick([undefined, '2020', '10', '2020-05-31', 'n']),
    fields: random.list(1, 2, () => random.pick(['start', 'number', 'primaryName', 'types'])),
  };
  return {
    ...(random.chance(0.2) ? { typeFilter } : {}),
    ...(random.chance(0.2) ? { range } : {}),
  };
}
