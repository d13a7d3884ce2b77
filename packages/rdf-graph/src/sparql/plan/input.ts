/** What is known of the rows that a plan will get and of what becomes of the rows it gives. */
export interface PlanInput {
  /** Variables that the rows may bind. */
  readonly possible: ReadonlySet<string>;
  /** Variables that every row binds. */
  readonly certain: ReadonlySet<string>;
  /** Variables whose values are wanted afterwards. */
  readonly needed: ReadonlySet<string>;
  /** Slots that travel along: row numbers. */
  readonly carried: readonly number[];
  /** Inside EXISTS the outer row's variables are visible everywhere. */
  readonly isCorrelated: boolean;
  /** Whether there is exactly one row, which binds nothing. */
  readonly isUnit: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The input of a plan that stands alone. */
export function aloneInput(needed: ReadonlySet<string>): PlanInput {
  return { possible: NOTHING, certain: NOTHING, needed, carried: [], isCorrelated: false, isUnit: true };
}

/** The union of some sets. */
export function together(...sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

/** The members of one set that are in another. */
export function shared(a: Iterable<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((name) => b.has(name));
}
