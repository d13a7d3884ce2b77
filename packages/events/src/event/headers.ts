/**
 * Headers of an event: names compare without case, keep the case they were first given, and may have several values.
 * Immutable.
 */
export interface Headers extends Iterable<readonly [name: string, value: string]> {
  /** Returns the first value of a name, else `undefined`. */
  get(name: string): string | undefined;
  /** Returns every value of a name in order. */
  getAll(name: string): readonly string[];
  has(name: string): boolean;
  /**
   * Returns a copy in which a name has exactly these values, in the place of the old ones. No value removes the name.
   */
  with(name: string, ...values: readonly string[]): Headers;
  /** Returns a copy with one more value of a name. */
  append(name: string, value: string): Headers;
  /** Returns name and value pairs in order, as `createHeaders` takes them. */
  toArray(): [name: string, value: string][];
}
