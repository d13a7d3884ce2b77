type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string' };
const WHOLE: Json = { type: 'integer' };
const COUNT: Json = { type: 'integer', minimum: 0 };
const FLAG: Json = { type: 'boolean' };
/** Of what problems are made, also where a code goes on to say something else. */
const PROBLEM: Json = { ...texts('type', 'title'), status: WHOLE, ...texts('detail', 'instance') };
const FINDING = partly(['line', 'path', 'correction'], {
  rule: TEXT,
  severity: oneOf('error', 'warning', 'note'),
  ...texts('subject', 'message'),
  line: WHOLE,
  ...texts('path', 'correction'),
});
const STYLE = partly(
  ['faUnicode', 'faIcon'],
  texts('classUri', 'backgroundColor', 'color', 'iconFallbackText', 'alt', 'shape', 'faUnicode', 'faIcon'),
);
const INTERNAL = 'Internal; not for display.';

/** JSON Schemas of the answers, by name. */
export const SCHEMAS: Readonly<Record<string, Json>> = {
  Document: {
    type: 'object',
    description: 'A document as the user may see it. Security labels only when asked for.',
    additionalProperties: true,
  },
  Result: partly(['highlighted', 'snippets', 'collapsed'], {
    id: { type: 'string', description: INTERNAL },
    score: { type: 'number', description: INTERNAL },
    document: ref('Document'),
    highlighted: ref('Document'),
    snippets: {
      ...record(list(TEXT)),
      description: 'Fragments of texts around matches by the path of their field, best first.',
    },
    collapsed: ref('CollapsedValue'),
  }),
  CollapsedValue: object({
    value: TEXT,
    count: { ...ref('Total'), description: 'Visible matches with this value, the result among them.' },
  }),
  Total: object({
    value: COUNT,
    relation: { ...oneOf('eq', 'gte'), description: '`eq`: that many; `gte`: at least so many, the bound.' },
  }),
  FacetCounts: object({
    field: TEXT,
    maybeMore: { type: 'boolean', description: 'Whether there are more values than the limit.' },
    values: list(object({ value: { type: ['string', 'number'] }, count: COUNT })),
  }),
  DidYouMean: object({
    query: { type: 'string', description: 'The query with the likeliest replacement in place of each word.' },
    words: list(object({ word: TEXT, replacements: list(object({ text: TEXT, count: COUNT })) })),
  }),
  SearchResults: partly(['total', 'facets', 'didYouMean', 'next'], {
    maybeMore: { type: 'boolean', description: 'Whether more visible matches exist beyond this page; exact.' },
    ...{ limit: WHOLE, offset: WHOLE, query: TEXT, type: TEXT },
    total: ref('Total'),
    facets: list(ref('FacetCounts')),
    didYouMean: ref('DidYouMean'),
    next: { type: 'string', description: 'What to give as `after` for the next page.' },
    results: list(ref('Result')),
  }),
  DocumentSelection: record({ oneOf: [ref('Document'), { type: 'null' }] }),
  StatesSelection: record({ oneOf: [ref('SearchResults'), { type: 'null' }] }),
  FacetResult: object({ value: TEXT, count: COUNT, percentage: { type: 'number', minimum: 0, maximum: 1 } }),
  FacetResults: object({
    ...texts('query', 'type'),
    sampleSize: { ...COUNT, description: 'Documents really sampled.' },
    results: list(ref('FacetResult')),
  }),
  IndexList: object({ indices: list(TEXT) }),
  HealthStatus: partly(['reasons'], { healthy: FLAG, reasons: list(TEXT), config: record(true) }),
  HeaderConfig: object({
    ...texts('name', 'defaultValue'),
    priority: oneOf('CONFIGURATION', 'REQUEST', 'REQUEST_ONLY'),
  }),
  RouteConfig: object({
    ...texts('name', 'topic'),
    namespace: { type: 'string', format: 'iri' },
    securityLabel: { type: ['string', 'null'] },
    headers: list(ref('HeaderConfig')),
  }),
  IngesterHealth: partly(['reasons'], { healthy: FLAG, reasons: list(TEXT), config: record(ref('RouteConfig')) }),
  OntologyFindings: object({ findings: list(FINDING) }),
  OntologyStyles: object({ styles: list(STYLE) }),
  ComponentVersion: partly(
    ['artifactId'],
    texts('name', 'version', 'artifactId', 'groupId', 'buildEnv', 'revision', 'timestamp'),
  ),
  VersionInfo: record(ref('ComponentVersion')),
  UploadResult: object({
    successful: FLAG,
    filename: TEXT,
    id: { type: 'string', description: 'UUID of the document; empty when it was refused.' },
    status: TEXT,
  }),
  UploadResponse: object({ documents: list(ref('UploadResult')) }),
  UploadFailure: partly(['type', 'title', 'status', 'detail', 'instance', 'code'], {
    documents: list(ref('UploadResult')),
    ...PROBLEM,
    code: { type: 'string', description: 'Stable code of the error that refused the whole upload.' },
  }),
  GraphQLAnswer: partly(['data', 'errors'], {
    data: { type: ['object', 'null'] },
    errors: { type: 'array', minItems: 1, items: record(true) },
  }),
  Liveness: object({ status: oneOf('alive') }),
  Readiness: partly(['reasons'], {
    status: oneOf('starting', 'ready', 'unhealthy', 'stopping'),
    reasons: { ...list(TEXT), description: 'What an operator should look at.' },
  }),
  OpenApi: { type: 'object', description: 'An OpenAPI 3.1 document.', additionalProperties: true },
  Problem: partly(['detail', 'instance', 'code', 'position', 'expected'], {
    ...PROBLEM,
    code: { type: 'string', description: 'Stable code of the error behind it.' },
    position: object({ offset: WHOLE, line: WHOLE, column: WHOLE }),
    expected: list(TEXT),
  }),
};

export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: Json): Json {
  return partly([], properties);
}

/** An object in which some properties may be missing. */
function partly(optional: readonly string[], properties: Json): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function record(additionalProperties: Json | true): Json {
  return { type: 'object', additionalProperties };
}

function list(items: Json): Json {
  return { type: 'array', items };
}

function texts(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, TEXT]));
}

function oneOf(...words: readonly string[]): Json {
  return { type: 'string', enum: words };
}

export function anyOf(...schemas: readonly Json[]): Json {
  return { anyOf: schemas };
}
