type Json = Readonly<Record<string, unknown>>;

/** JSON Schemas of the answers, by name. */
export const SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Document: {
    type: 'object',
    description: 'A document as the user may see it. Security labels only when asked for.',
    additionalProperties: true,
  },
  Result: object(
    {
      id: { type: 'string', description: 'Internal; not for display.' },
      score: { type: 'number', description: 'Internal; not for display.' },
      document: ref('Document'),
      highlighted: ref('Document'),
    },
    ['id', 'score', 'document'],
  ),
  SearchResults: object({
    maybeMore: { type: 'boolean', description: 'Whether more visible matches exist beyond this page; exact.' },
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    query: { type: 'string' },
    type: { type: 'string' },
    results: { type: 'array', items: ref('Result') },
  }),
  DocumentSelection: {
    type: 'object',
    additionalProperties: { oneOf: [ref('Document'), { type: 'null' }] },
  },
  StatesSelection: {
    type: 'object',
    additionalProperties: { oneOf: [ref('SearchResults'), { type: 'null' }] },
  },
  FacetResult: object({
    value: { type: 'string' },
    count: { type: 'integer', minimum: 0 },
    percentage: { type: 'number', minimum: 0, maximum: 1 },
  }),
  FacetResults: object({
    query: { type: 'string' },
    type: { type: 'string' },
    sampleSize: { type: 'integer', minimum: 0, description: 'Documents really sampled.' },
    results: { type: 'array', items: ref('FacetResult') },
  }),
  IndexList: object({ indices: { type: 'array', items: { type: 'string' } } }),
  HealthStatus: object(
    {
      healthy: { type: 'boolean' },
      reasons: { type: 'array', items: { type: 'string' } },
      config: { type: 'object', additionalProperties: true },
    },
    ['healthy', 'config'],
  ),
  HeaderConfig: object({
    name: { type: 'string' },
    defaultValue: { type: 'string' },
    priority: { type: 'string', enum: ['CONFIGURATION', 'REQUEST', 'REQUEST_ONLY'] },
  }),
  RouteConfig: object({
    name: { type: 'string' },
    topic: { type: 'string' },
    namespace: { type: 'string', format: 'iri' },
    securityLabel: { type: ['string', 'null'] },
    headers: { type: 'array', items: ref('HeaderConfig') },
  }),
  IngesterHealth: object(
    {
      healthy: { type: 'boolean' },
      reasons: { type: 'array', items: { type: 'string' } },
      config: { type: 'object', additionalProperties: ref('RouteConfig') },
    },
    ['healthy', 'config'],
  ),
  OntologyFindings: object({
    findings: {
      type: 'array',
      items: object(
        {
          rule: { type: 'string' },
          severity: { type: 'string', enum: ['error', 'warning', 'note'] },
          subject: { type: 'string' },
          message: { type: 'string' },
          line: { type: 'integer' },
          path: { type: 'string' },
          correction: { type: 'string' },
        },
        ['rule', 'severity', 'subject', 'message'],
      ),
    },
  }),
  OntologyStyles: object({
    styles: {
      type: 'array',
      items: object(
        {
          classUri: { type: 'string' },
          backgroundColor: { type: 'string' },
          color: { type: 'string' },
          iconFallbackText: { type: 'string' },
          alt: { type: 'string' },
          shape: { type: 'string' },
          faUnicode: { type: 'string' },
          faIcon: { type: 'string' },
        },
        ['classUri', 'backgroundColor', 'color', 'iconFallbackText', 'alt', 'shape'],
      ),
    },
  }),
  ComponentVersion: object(
    {
      name: { type: 'string' },
      version: { type: 'string' },
      artifactId: { type: 'string' },
      groupId: { type: 'string' },
      buildEnv: { type: 'string' },
      revision: { type: 'string' },
      timestamp: { type: 'string' },
    },
    ['name', 'version', 'groupId', 'buildEnv', 'revision', 'timestamp'],
  ),
  VersionInfo: { type: 'object', additionalProperties: ref('ComponentVersion') },
  UploadResult: object({
    successful: { type: 'boolean' },
    filename: { type: 'string' },
    id: { type: 'string', description: 'UUID of the document; empty when it was refused.' },
    status: { type: 'string' },
  }),
  UploadResponse: object({ documents: { type: 'array', items: ref('UploadResult') } }),
  UploadFailure: {
    ...object(
      {
        documents: { type: 'array', items: ref('UploadResult') },
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        instance: { type: 'string' },
        code: { type: 'string', description: 'Stable code of the error that refused the whole upload.' },
      },
      ['documents'],
    ),
  },
  GraphQLAnswer: object(
    {
      data: { type: ['object', 'null'] },
      errors: { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: true } },
    },
    [],
  ),
  Liveness: object({ status: { type: 'string', enum: ['alive'] } }),
  Readiness: object(
    {
      status: { type: 'string', enum: ['starting', 'ready', 'unhealthy', 'stopping'] },
      reasons: { type: 'array', items: { type: 'string' }, description: 'What an operator should look at.' },
    },
    ['status'],
  ),
  OpenApi: { type: 'object', description: 'An OpenAPI 3.1 document.', additionalProperties: true },
  Problem: object(
    {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: { type: 'string', description: 'Stable code of the error behind it.' },
      position: object({ offset: { type: 'integer' }, line: { type: 'integer' }, column: { type: 'integer' } }),
      expected: { type: 'array', items: { type: 'string' } },
    },
    ['type', 'title', 'status'],
  ),
};

/** A reference to a schema of this table. */
export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function object(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function anyOf(...schemas: readonly Json[]): Json {
  return { anyOf: schemas };
}
