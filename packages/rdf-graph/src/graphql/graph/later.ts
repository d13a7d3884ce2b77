/** A value that is at hand, or one that takes turns of the event loop to make. */
export type Later<Value> = Value | Promise<Value>;

/** Goes on with a value: at once where it is at hand. */
export function whenDone<Value, Result>(value: Later<Value>, next: (value: Value) => Later<Result>): Later<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
