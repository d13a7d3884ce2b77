import type { Scope } from '../algebra/variables.ts';

/** Knowledge about the rows that a plan will get, and the use of those it gives. */
export interface PlanInput extends Scope {
  /** Variables whose values are wanted afterwards. */
  readonly needed: ReadonlySet<string>;
  /** Slots that travel along: row numbers. */
  readonly carried: readonly number[];
  /** Inside EXISTS the outer row's variables are visible everywhere. */
  readonly isCorrelated: boolean;
  /** True when there is exactly one row, which binds nothing. */
  readonly isUnit: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

export function aloneInput(needed: ReadonlySet<string>): PlanInput {
  return { possible: NOTHING, certain: NOTHING, needed, carried: [], isCorrelated: false, isUnit: true };
}

export function together(...sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

export function shared(a: Iterable<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((name) => b.has(name));
}
