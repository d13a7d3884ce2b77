import { isCodedError } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { GraphQLError, locatedError } from 'graphql';
import type { RequestContext } from './request-context.ts';

/**
 * Errors as they may leave: those of ours with their message and `extensions.code`, GraphQL's own as they are, defects
 * without what they say. In the order of the document and then of their paths: which field fails first would tell how
 * much was read for it.
 */
export function toGraphQLErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  return [...errors].sort(compareErrors).map((error) => {
    const { originalError: cause } = error;
    if (isCodedError(cause)) return rewritten(error, cause.message, { code: cause.code, kind: cause.kind });
    if (cause === undefined || cause === null || cause instanceof GraphQLError) return error;
    return rewritten(error, 'internal error', { code: 'ERR_INTERNAL', kind: 'internal' });
  });
}

/**
 * Errors of which each stands for all under the null that it left: the first of them, in the order of
 * {@link toGraphQLErrors}. graphql-js keeps the one that came first in time, which tells how much was read for the
 * others. Waits until no field is at work, so that all of them are known.
 */
export async function firstFailures(
  errors: readonly GraphQLError[],
  data: unknown,
  { fields, guard }: Pick<RequestContext, 'fields' | 'guard'>,
): Promise<GraphQLError[]> {
  do await nextTurn();
  while (fields.open > 0 && guard.failure === undefined);
  const failures = fields.failures.map(({ error, nodes, path }) => locatedError(error, nodes, path));
  return errors.map((error) => {
    const hole = holeOf(error.path ?? [], data);
    const others = failures.filter(({ path = [] }) => hole.every((key, at) => path[at] === key));
    return others.reduce((first, other) => (compareErrors(other, first) < 0 ? other : first), error);
  });
}

/** The start of a path that ends at the first null on it. */
function holeOf(path: readonly (string | number)[], data: unknown): readonly (string | number)[] {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, depth);
    value = (value as Record<string | number, unknown>)[key];
  }
  return path;
}

function compareErrors(a: GraphQLError, b: GraphQLError): number {
  const placeOf = ({ positions }: GraphQLError): number => positions?.[0] ?? 0;
  return placeOf(a) - placeOf(b) || comparePaths(a.path ?? [], b.path ?? []);
}

function rewritten(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path, originalError } = error;
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
}

function comparePaths(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (left === right) continue;
    return typeof left === 'number' && typeof right === 'number' ? left - right : left < right ? -1 : 1;
  }
  return a.length - b.length;
}
