/**
 * The error of SPARQL's expressions: a filter takes it as false, BIND leaves its variable unbound. It never leaves the
 * engine. No stack is captured: a filter may raise one for every row.
 */
export class ExpressionError extends Error {
  constructor(message: string) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.name = 'ExpressionError';
  }
}

/** An {@link ExpressionError} about operands of a wrong type; thrown, never returned. */
export function typeError(operation: string): never {
  throw new ExpressionError(`type error in ${operation}`);
}
