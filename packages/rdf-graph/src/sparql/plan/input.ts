import type { Algebra } from '../algebra/algebra.ts';
import { type Scope, scopeOf } from '../algebra/variables.ts';

/** Knowledge about the rows that a plan will get, and the use of those it gives. */
export interface PlanInput extends Scope {
  /** Variables whose values are wanted afterwards. */
  readonly needed: ReadonlySet<string>;
  /** Slots that travel along: row numbers. */
  readonly carried: readonly number[];
  /** Inside EXISTS the row around it, whose values every part of the pattern sees. */
  readonly outer: OuterRow | undefined;
  /** True while the rows are the outer ones as they came: nothing beside the part has bound more. */
  readonly isOuterRow: boolean;
  /** True when there is exactly one row, which binds nothing. */
  readonly isUnit: boolean;
}

/** The variables of the row around EXISTS that its pattern mentions. */
export interface OuterRow {
  readonly names: ReadonlySet<string>;
  readonly certain: ReadonlySet<string>;
  /** Slots that keep the values of the others: what stands beside a part may bind them in the meantime. */
  readonly copies: ReadonlyMap<string, number>;
}

const NOTHING: ReadonlySet<string> = new Set();

export function aloneInput(needed: ReadonlySet<string>): PlanInput {
  const rows = { outer: undefined, isOuterRow: false, isUnit: true };
  return { possible: NOTHING, certain: NOTHING, needed, carried: [], ...rows };
}

/** The variables that an expression over a pattern may read: those of the pattern, inside EXISTS also the outer row's. */
export function visibleIn(pattern: Algebra, row: PlanInput | undefined): Scope {
  const own = scopeOf(pattern);
  if (row === undefined) return own;
  return { possible: together(own.possible, row.possible), certain: together(own.certain, row.certain) };
}

/** The part of an outer row that a pattern mentions. */
export function outerRowFor(mentioned: ReadonlySet<string>, { names, certain, copies }: OuterRow): OuterRow {
  return {
    names: new Set(shared(names, mentioned)),
    certain: new Set(shared(certain, mentioned)),
    copies: new Map([...copies].filter(([name]) => mentioned.has(name))),
  };
}

export function together(...sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

export function shared(a: Iterable<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((name) => b.has(name));
}
