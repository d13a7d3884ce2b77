/** How long to wait between tries. */
export interface BackOff {
  /** First pause, milliseconds. Default 100. */
  readonly initialMs?: number;
  /** Longest pause, milliseconds. Default 30,000. */
  readonly maxMs?: number;
  /** Factor from one pause to the next. Default 2. */
  readonly factor?: number;
}

/** The pause before a try: 1 for the first repetition. */
export function pauseBefore(repetition: number, { initialMs = 100, maxMs = 30_000, factor = 2 }: BackOff = {}): number {
  return Math.min(maxMs, initialMs * factor ** (repetition - 1));
}
