import type {
  CorrectionRequest,
  DocumentRequest,
  ExplainRequest,
  FacetRequest,
  RangeFilter,
  ReadOperation,
  Relevance,
  SearchRequest,
  StatesRequest,
  TypeaheadRequest,
  TypeFilter,
} from '../port/search-index.ts';

/** Other values of every member of a request: a member that is new in the port and missing here does not compile. */
type Alternatives<Request> = { readonly [Member in keyof Request]-?: readonly Request[Member][] };

/** Every request that differs from a first one in at most so many members, each with each of its other values. */
function requestsOf<Request extends object>(
  first: Request,
  others: Partial<Alternatives<Request>>,
  mostMembers: number,
): Request[] {
  let requests: { readonly request: Request; readonly changed: number }[] = [{ request: first, changed: 0 }];
  for (const [member, values] of Object.entries(others) as [string, readonly unknown[]][]) {
    const open = requests.filter(({ changed }) => changed < mostMembers);
    const further = open.flatMap(({ request, changed }) =>
      values.map((value) => ({ request: { ...request, [member]: value }, changed: changed + 1 })),
    );
    requests = [...requests, ...further];
  }
  return requests.map(({ request }) => request);
}

/** Clauses of every kind. All match the documents of the law, most of them in hidden fields too. */
const QUERIES: readonly string[] = [
  'wrecks harbour',
  'wrecks AND (survey OR wall)',
  '+harbour -danger',
  '"old harbour"',
  '"survey harbour"~3',
  'content:wrecks^3 survey',
  'notes:hollow',
  'isIdentifiedBy.representationValue:b-7',
  'primary*:harbour',
  'start:[2019 TO 2020-12-31]',
  'depth:>=3',
  'light*',
  'harbuor~1',
  'harbuor AND hallow',
  '/lightho.+/',
  '_exists_:depth',
  '"http://example.org/Mission"',
  '*:*',
  'nothing',
  '(harbour',
  'open:survey',
];

const MODES = ['entity', 'identifier'] as const;
const TYPE_FILTERS: readonly TypeFilter[] = [
  { values: ['http://example.org/Mission', 'http://example.org/Repair'] },
  ...MODES.map((mode) => ({ values: ['http://example.org/Mission', 'http://example.org/Berth'], mode })),
];
const RANGES: readonly RangeFilter[] = [
  { start: '2019', fields: ['start'] },
  { end: '2025', fields: ['start'] },
  { start: '2', end: '12', fields: ['nothing', 'depth'] },
];

const READING: Required<Alternatives<ReadOperation>> = {
  indices: [['other'], ['nowhere']],
  signal: [new AbortController().signal],
  budget: [{ maxExpandedTerms: 2 }, { maxPostings: 12, timeLimitMs: 600_000 }],
  nextTurn: [() => Promise.resolve()],
  nowMs: [Date.UTC(2021, 0)],
};
const FILTERS = { typeFilter: TYPE_FILTERS, range: RANGES };
const RELEVANCE: Required<Alternatives<Relevance>> = {
  queryFields: [['notes', 'primaryName^3'], ['isIdentifiedBy.*']],
  like: [
    { maxTerms: 2, minTermFrequency: 2 },
    { minDocumentFrequency: 1, maxDocumentFrequency: 2 },
  ],
  feedback: [
    { documents: 2, terms: 4 },
    { documents: 1, terms: 2, weight: 3 },
  ],
  boosts: [
    [{ type: 'value', field: 'depth', curve: 'log1p', factor: 2 }],
    [{ type: 'decay', field: 'start', curve: 'gauss', origin: '2019-06-01', scale: '26w', offset: '1d', weight: 3 }],
    [{ type: 'decay', field: 'start', curve: 'exp', origin: 'now', scale: '365d' }],
  ],
};
const PAGE = { limit: [2], offset: [2] };
const LABELS = { showSecurityLabels: [true] };

const SEARCH: Alternatives<SearchRequest> = {
  ...READING,
  ...FILTERS,
  ...RELEVANCE,
  ...PAGE,
  ...LABELS,
  query: QUERIES,
  type: ['term', 'phrase', 'as-you-type', 'like', 'like-document'],
  fuzziness: ['auto', 2],
  languages: [['de'], ['en', 'fr'], ['xx']],
  highlight: [true, { preTag: '[', postTag: ']' }],
  didYouMean: [true],
  snippets: [true, { fragments: 2, length: 40, fields: ['content', 'notes'], preTag: '[', postTag: ']' }],
  total: [true, 2],
  sort: ['<start', '>notes,score'],
  missing: ['first'],
  collapse: [{ field: 'notes' }, { field: 'types', bound: 1 }],
  after: ['*'],
  facets: [
    [{ field: 'notes' }, { field: 'depth', limit: 1, order: 'value' }],
    [
      { field: 'start', interval: 'year' },
      { field: 'depth', interval: 5 },
      { field: 'depth', ranges: [{ to: 10 }] },
    ],
  ],
  fields: [['notes', 'isIdentifiedBy']],
  excludeFields: [['content']],
};
const TYPEAHEAD: Alternatives<TypeaheadRequest> = {
  ...READING,
  ...FILTERS,
  ...PAGE,
  ...LABELS,
  query: ['harbour s', 'wrecks l', 'harbuor su', '', 'nothing'],
  fuzziness: ['auto', 1],
  fields: [['content'], ['notes', 'isIdentifiedBy.*'], ['*']],
};
const FACETS: Alternatives<FacetRequest> = {
  ...READING,
  ...FILTERS,
  ...RELEVANCE,
  query: QUERIES,
  type: SEARCH.type,
  languages: SEARCH.languages,
  facet: ['notes', 'depth', 'isIdentifiedBy/representationValue', 'entities/text', 'nothing'],
  sampleSize: [2],
};
const STATES: Alternatives<StatesRequest> = {
  ...READING,
  ...LABELS,
  ids: [['open:survey', 'none']],
  sort: ['<start', '>depth', 'start,<depth', 'score', 'notes'],
  range: RANGES,
};
const DOCUMENTS: Alternatives<DocumentRequest> = { ...READING, ...LABELS };
const EXPLAIN: Alternatives<ExplainRequest> = { ...SEARCH, id: [] };
const CORRECTION: Alternatives<CorrectionRequest> = {
  ...READING,
  documentUri: [],
  entityText: ['Hollow', 'none'],
  entityCategory: ['http://example.org/Other'],
  resolvedEntityUri: ['http://example.org/corrected'],
  resolvedCategory: [],
};

/** Any two members together, and any three of some that decide what is found and shown. */
function pairsAndTriples<Request extends object>(
  first: Request,
  others: Alternatives<Request>,
  deciding: readonly (keyof Request & string)[],
): readonly Request[] {
  const few = Object.fromEntries(deciding.map((member) => [member, others[member]])) as Partial<Alternatives<Request>>;
  return [...requestsOf(first, others, 2), ...requestsOf(first, few, 3)];
}

export const searchRequests: readonly SearchRequest[] = pairsAndTriples({ query: 'harbour' }, SEARCH, [
  'type',
  'typeFilter',
  'range',
  'highlight',
  'showSecurityLabels',
]);
export const typeaheadRequests: readonly TypeaheadRequest[] = pairsAndTriples({ query: 'harb' }, TYPEAHEAD, [
  'fields',
  'typeFilter',
  'range',
  'showSecurityLabels',
]);
export const facetRequests: readonly FacetRequest[] = pairsAndTriples({ query: 'harbour', facet: 'types' }, FACETS, [
  'type',
  'typeFilter',
  'range',
  'sampleSize',
]);

/** The requests for the states of documents. */
export function stateRequests(ids: readonly string[]): readonly StatesRequest[] {
  return pairsAndTriples({ ids }, STATES, ['sort', 'range', 'showSecurityLabels']);
}

export const documentRequests: readonly DocumentRequest[] = requestsOf({}, DOCUMENTS, 2);

export function explainRequests(id: string): readonly ExplainRequest[] {
  const { type, typeFilter, range, indices } = EXPLAIN;
  const first: ExplainRequest = { query: 'harbour', id };
  return [...requestsOf(first, EXPLAIN, 1), ...requestsOf(first, { type, typeFilter, range, indices }, 2)];
}

export function correctionRequests(documentUri: string): readonly CorrectionRequest[] {
  const first = {
    documentUri,
    entityText: 'Wall',
    entityCategory: 'http://example.org/Thing',
    resolvedEntityUri: 'http://example.org/wall',
    resolvedCategory: 'http://example.org/Wall',
  };
  return requestsOf(first, CORRECTION, 2);
}
