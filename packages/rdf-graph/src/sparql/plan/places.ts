import type { PatternGraph, PatternTerm } from '../algebra/algebra.ts';
import type { GraphPlace, Place } from '../execute/pattern-join.ts';
import type { PlanInput } from './input.ts';
import type { Slots } from './slots.ts';

export type ToPlace = (term: PatternTerm, at: number) => Place;

/** Says for each term of one pattern, one after the other, where its id comes from or goes to. */
export function createToPlace(input: PlanInput, slots: Slots): ToPlace {
  const seen = new Map<string, number>();
  return (term, at) => {
    if (term.type === 'term') return term;
    const { name } = term;
    if (input.certain.has(name)) return { type: 'bound', slot: slots.of(name) };
    const first = seen.get(name);
    if (first !== undefined) return { type: 'repeat', place: first };
    seen.set(name, at);
    if (input.possible.has(name)) return { type: 'maybe', slot: slots.of(name) };
    return { type: 'new', slot: input.needed.has(name) ? slots.of(name) : -1 };
  };
}

export function toGraphPlace(graph: PatternGraph, toPlace: ToPlace): GraphPlace {
  return graph.type === 'default' || graph.type === 'loop' ? graph : toPlace(graph, 3);
}
