import { CodedError } from '@cairn/errors';
import { tooDeep } from '../parse/syntax-error.ts';

/**
 * Runs a step over a query's tree; one nested deeper than the stack goes is refused as `ERR_SPARQL_DEPTH` (too-large),
 * and one that needs a larger text, number or array than there can be as `ERR_QUERY_MEMORY` (exhausted).
 */
export function withinStack<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw /call stack/i.test(error.message) ? tooDeep(error) : tooLarge(error);
  }
}

/** Runs a computation by slices, each {@link withinStack}. */
export function* slicesWithinStack<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  for (;;) {
    const step = withinStack(() => steps.next());
    if (step.done) return step.value;
    yield;
  }
}

function tooLarge(cause: RangeError): CodedError {
  const message = `the evaluation needs more than a value may hold: ${cause.message}`;
  return new CodedError({ code: 'ERR_QUERY_MEMORY', kind: 'exhausted', message, cause });
}
