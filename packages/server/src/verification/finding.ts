/** Something stored that is not as it was written, and what to do about it. */
export interface Finding {
  /** `cut` is what was lost before and waits for an operator to take note of it. */
  readonly area: 'cut' | 'log' | 'value' | 'cache';
  /** A file or a thing, relative to the data directory. */
  readonly what: string;
  /** What is wrong with it. */
  readonly reason: string;
  readonly remedy: string;
}
