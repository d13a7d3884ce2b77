import { CodedError } from '@cairn/errors';

/** Runs a step over a query's tree; one nested deeper than the stack goes is refused as `ERR_SPARQL_DEPTH` (too-large). */
export function withinStack<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CodedError({
      code: 'ERR_SPARQL_DEPTH',
      kind: 'too-large',
      message: 'the groups and expressions of the query are nested too deeply',
      cause: error,
    });
  }
}
