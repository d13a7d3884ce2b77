import { availableParallelism } from 'node:os';
import { DEFAULT_STYLE_PREDICATE } from '@cairn/ontology';
import { z } from 'zod';
import type { Configuration } from './configuration.ts';

const port = z.int().min(0).max(65_535);
const milliseconds = z.int().min(1).max(86_400_000);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'a name: letters, digits, ., _ and -');
const pathPrefix = z.string().regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'a path such as /api/search, without a trailing slash');
const text = z.string().min(1);
const texts = z.array(text);
const httpUrl = z.string().regex(/^https?:\/\//, 'an http or https URL');
const fetchUrl = z.string().regex(/^(https?|file):\/\//, 'an http, https or file URL');

const attributeValue: z.ZodType<unknown> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.union([z.string(), z.number(), z.boolean()])),
    z.record(z.string(), attributeValue),
  ]),
);

const user = z.strictObject({
  attributes: z.record(z.string(), attributeValue).default({}),
  permissions: texts.optional(),
  roles: texts.default([]),
});

const limits = z.strictObject({
  maxHeaderBytes: z.int().min(1024).max(1_048_576).default(32_768),
  maxBodyBytes: z.int().min(1).max(1_073_741_824).default(4_194_304),
  maxRdfBytes: z.int().min(1).max(1_073_741_824).default(104_857_600),
  headersTimeoutMs: milliseconds.default(10_000),
  bodyTimeoutMs: milliseconds.default(30_000),
  requestTimeoutMs: milliseconds.default(900_000),
  keepAliveTimeoutMs: milliseconds.default(10_000),
  maxConnections: z.int().min(1).default(2_000),
  maxConcurrentRequests: z.int().min(1).default(512),
  maxConcurrentRequestsPerUser: z.int().min(1).optional(),
  answerStallMs: milliseconds.default(60_000),
  maxConcurrentUploads: z.int().min(1).default(16),
  maxConcurrentUploadsPerUser: z.int().min(1).optional(),
  minUploadBytesPerSecond: z.int().min(0).max(1_073_741_824).default(1_024),
  uploadGraceMs: milliseconds.default(10_000),
  uploadWindowMs: milliseconds.default(10_000),
  maxIds: z.int().min(1).max(10_000).default(1_000),
});

const server = z.strictObject({
  host: text.default('127.0.0.1'),
  port: port.default(8080),
  paths: z
    .strictObject({
      search: pathPrefix.default('/api/search'),
      graph: pathPrefix.default('/api/graph'),
      ingest: pathPrefix.default('/api/ingest'),
    })
    .prefault({}),
  ports: z.strictObject({ search: port.optional(), graph: port.optional(), ingest: port.optional() }).prefault({}),
  cors: z
    .strictObject({ origins: texts.default([]), maxAgeSeconds: z.int().min(0).max(86_400).default(600) })
    .prefault({}),
  metrics: z
    .strictObject({
      enabled: z.boolean().default(true),
      host: text.default('127.0.0.1'),
      port: port.default(0),
    })
    .prefault({}),
  limits: limits.prefault({}),
  logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
  slowRequestMs: z.int().min(0).max(86_400_000).default(5_000),
  shutdownDelayMs: z.int().min(0).max(86_400_000).default(5_000),
  shutdownGraceMs: milliseconds.default(10_000),
});

const auth = z.strictObject({
  mode: z.enum(['local', 'jwks', 'disabled']).default('local'),
  users: z.record(z.string().min(1).max(256), user).default({}),
  anonymous: user.prefault({}),
  hierarchies: z.record(z.string(), texts.min(1)).default({}),
  roles: z.record(z.string(), texts).default({}),
  requirePermissions: z.boolean().default(false),
  jwksUrl: fetchUrl.optional(),
  issuer: text.optional(),
  audience: z.union([text.transform((one) => [one]), texts.min(1)]).optional(),
  leewaySeconds: z.int().min(0).max(60).default(30),
  userinfoUrl: httpUrl.optional(),
  userinfoCacheSize: z.int().min(1).max(10_000_000).default(10_000),
  userinfoCacheSeconds: z.number().min(0).max(86_400).default(60),
  headerNames: texts.min(1).default(['Authorization', 'X-Amzn-Oidc-Data']),
  headerPrefixes: z.array(z.string()).default(['Bearer', '']),
  usernameClaims: texts.default(['preferred_name', 'email', 'username']),
  rolesClaim: text.default('roles'),
  tokenSeconds: z.int().min(1).max(31_536_000).default(86_400),
});

const dataset = z.strictObject({ defaultLabel: text.default('!') });

const synonymRow = z.union([texts.min(2), z.strictObject({ from: texts.min(1), to: texts.min(1) })]);
// The search package knows which numbers and texts are boosts.
const weight = z.number().optional();
const place = z.union([z.number(), z.string()]);
const boost = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('value'),
    field: z.string().min(1),
    curve: z.enum(['log1p', 'linear', 'reciprocal']),
    ...{ factor: weight, weight },
  }),
  z.strictObject({
    type: z.literal('decay'),
    field: z.string().min(1),
    curve: z.enum(['exp', 'gauss', 'linear']),
    ...{ origin: place, scale: place, offset: place.optional(), weight },
  }),
]);

const index = z.union([
  name.transform((one) => ({ name: one })),
  z.strictObject({
    name,
    fields: z
      .record(
        z.string().min(1),
        z.strictObject({
          type: z.enum(['auto', 'text', 'keyword', 'number', 'date', 'none']).optional(),
          analyzer: z.string().optional(),
          language: z.string().optional(),
          boost: z.number().min(0.0625).max(64).optional(),
        }),
      )
      .optional(),
    defaultFields: texts.optional(),
    boosts: z.array(boost).optional(),
    typeaheadFields: texts.optional(),
    languages: texts.min(1).max(8).optional(),
    languageField: text.optional(),
    synonyms: z.array(synonymRow).optional(),
  }),
]);

const DEFAULT_ROUTE = {
  name: 'local',
  topic: 'document.extractrequest',
  namespace: 'https://example.org/documents/',
} as const;

const GRAPHQL_LIMITS = [
  ...['maxBytes', 'maxTokens', 'maxDepth', 'maxAliases', 'maxDirectives', 'maxFields', 'maxCost', 'maxItems'],
  ...['maxErrors', 'maxAnswerBytes'],
];
const graphqlLimits = z.strictObject(
  Object.fromEntries(GRAPHQL_LIMITS.map((limit) => [limit, z.int().min(1).optional()])),
);

/** The schema of a whole configuration; parsing fills in every default. */
export const configurationSchema: z.ZodType<Configuration> = z.strictObject({
  server: server.prefault({}),
  auth: auth.prefault({}),
  // Made for each configuration: the schema copies a default, and not what is inside of it.
  datasets: z.record(name, dataset).default(() => ({
    knowledge: { defaultLabel: '!' },
    ontology: { defaultLabel: '*' },
    catalog: { defaultLabel: '!' },
  })),
  indices: z.array(index).min(1).prefault(['search', 'doc-content']),
  // Read by the ingest package, which knows what a route is.
  routes: z.array(z.unknown()).prefault([DEFAULT_ROUTE]),
  search: z
    .strictObject({ timeLimitMs: milliseconds.default(10_000), includeSubclasses: z.boolean().default(false) })
    .prefault({}),
  graph: z
    .strictObject({
      timeLimitMs: milliseconds.default(30_000),
      maxRows: z.int().min(1).default(10_000_000),
      maxMemoryMb: z.int().min(1).max(1_048_576).default(1_024),
      shortQueryMs: z.int().min(0).max(86_400_000).default(20),
      queryWorkers: z
        .int()
        .min(0)
        .max(64)
        .default(() => Math.max(1, availableParallelism() - 1)),
      queryWorkerMemoryMb: z.int().min(64).max(1_048_576).default(1_024),
      maxHeavyQueries: z.int().min(1).default(64),
      queryAliases: z.boolean().default(true),
      introspection: z.boolean().default(true),
      graphqlLimits: graphqlLimits.prefault({}),
      platformSegment: name.default('platform'),
      applyTimeoutMs: milliseconds.default(10_000),
    })
    .prefault({}),
  ontology: z.strictObject({ stylePredicate: z.url().default(DEFAULT_STYLE_PREDICATE) }).prefault({}),
  allowStatisticalLeak: z.boolean().default(false),
  snapshots: z
    .strictObject({
      intervalSeconds: z.number().min(0).max(86_400).default(300),
      events: z.int().min(0).default(10_000),
      megabytes: z.int().min(0).default(256),
    })
    .prefault({}),
}) as z.ZodType<Configuration>;
