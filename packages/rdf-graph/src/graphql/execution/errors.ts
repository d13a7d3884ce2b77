import { isCodedError } from '@cairn/errors';
import { GraphQLError } from 'graphql';

/**
 * Errors as they may leave: those of ours with their message and `extensions.code`, GraphQL's own as they are, defects
 * without what they say.
 */
export function toGraphQLErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  return errors.map((error) => {
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
