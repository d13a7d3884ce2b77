import type { PatternGraph, PatternTerm } from '../algebra/algebra.ts';
import type { GraphPlace, Place } from '../execute/pattern-join.ts';
import type { PlanInput } from './input.ts';
import type { Slots } from './slots.ts';

/** Says for each place of a pattern where its id comes from or goes to. */
export function toPlaces(terms: readonly (PatternTerm | PatternGraph)[], input: PlanInput, slots: Slots): GraphPlace[] {
  const seen = new Map<string, number>();
  return terms.map((term, at) => {
    if (term.type !== 'variable') return term;
    return toPlace(term.name, at, input, slots, seen);
  });
}

function toPlace(name: string, at: number, input: PlanInput, slots: Slots, seen: Map<string, number>): Place {
  if (input.certain.has(name)) return { type: 'bound', slot: slots.of(name) };
  const first = seen.get(name);
  const maybe = input.possible.has(name);
  if (first !== undefined) return { type: 'repeat', place: first, maybe };
  seen.set(name, at);
  if (maybe) return { type: 'maybe', slot: slots.of(name) };
  return { type: 'new', slot: input.needed.has(name) ? slots.of(name) : -1 };
}
