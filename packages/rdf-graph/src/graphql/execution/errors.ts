import { isCodedError } from '@cairn/errors';
import { GraphQLError } from 'graphql';

/**
 * Errors as they may leave: those of ours with their message and `extensions.code`, GraphQL's own as they are, defects
 * without what they say. In the order of the document and then of their paths: which field fails first would tell how
 * much was read for it.
 */
export function toGraphQLErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  const placeOf = ({ positions }: GraphQLError): number => positions?.[0] ?? 0;
  const sorted = [...errors].sort((a, b) => placeOf(a) - placeOf(b) || comparePaths(a.path ?? [], b.path ?? []));
  return sorted.map((error) => {
    const { originalError: cause } = error;
    if (isCodedError(cause)) return rewritten(error, cause.message, { code: cause.code, kind: cause.kind });
    if (cause === undefined || cause === null || cause instanceof GraphQLError) return error;
    return rewritten(error, 'internal error', { code: 'ERR_INTERNAL', kind: 'internal' });
  });
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
