import { resolveLimits } from '@cairn/errors';
import { type ASTNode, GraphQLError } from 'graphql';

/** Limits of one GraphQL request; all are checked before anything is read, save the last five. */
export interface GraphQLLimits {
  /** UTF-8 bytes of the query text (over HTTP: of the body or the query string). Default 100,000. */
  readonly maxBytes?: number | undefined;
  /** Tokens of the document. Default 5,000. */
  readonly maxTokens?: number | undefined;
  /** Fields inside one another, fragments included. Default 20. */
  readonly maxDepth?: number | undefined;
  /** Aliases in the document, a fragment's as often as it is spread. Default 50. */
  readonly maxAliases?: number | undefined;
  /** Directives in the document, a fragment's as often as it is spread. Default 50. */
  readonly maxDirectives?: number | undefined;
  /** Fields in the document, a fragment's as often as it is spread. Default 2,000. */
  readonly maxFields?: number | undefined;
  /** Objects that the answer could hold by its requested page sizes. Default 1,000,000. */
  readonly maxCost?: number | undefined;
  /** Items that the answer may list. Default 100,000. */
  readonly maxItems?: number | undefined;
  /** Errors of fields; with more of them the answer is one error instead. Default 100. */
  readonly maxErrors?: number | undefined;
  /** The answer in bytes of JSON; a list that is sure to be longer is not even made. Default 32 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Milliseconds by the clock that is given. Default 30,000. */
  readonly timeLimitMs?: number | undefined;
}

export type ResolvedLimits = { readonly [Name in keyof GraphQLLimits]-?: number };

const DEFAULTS: ResolvedLimits = {
  maxBytes: 100_000,
  maxTokens: 5_000,
  maxDepth: 20,
  maxAliases: 50,
  maxDirectives: 50,
  maxFields: 2_000,
  maxCost: 1_000_000,
  maxItems: 100_000,
  maxErrors: 100,
  maxAnswerBytes: 2 ** 25,
  timeLimitMs: 30_000,
};

/** Limits with the defaults for what is not given. @throws `ERR_ARGUMENT` (invalid) for what is no limit */
export function resolveGraphQLLimits(limits?: GraphQLLimits): ResolvedLimits {
  return limits === undefined ? DEFAULTS : resolveLimits(limits, DEFAULTS);
}

const NAMES = Object.keys(DEFAULTS) as readonly (keyof ResolvedLimits)[];

export function areSameLimits(a: ResolvedLimits, b: ResolvedLimits): boolean {
  return a === b || NAMES.every((name) => a[name] === b[name]);
}

/** The error of a document that exceeds a limit, with the place of a part of it. */
export function limitError(message: string, nodes?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'ERR_GRAPHQL_LIMIT' } });
}
