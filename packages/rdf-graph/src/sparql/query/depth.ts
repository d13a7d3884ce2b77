import { tooDeep } from '../parse/syntax-error.ts';

/** Runs a step over a query's tree; one nested deeper than the stack goes is refused as `ERR_SPARQL_DEPTH` (too-large). */
export function withinStack<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeep(error);
  }
}
