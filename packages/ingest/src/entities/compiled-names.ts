import type { Automaton } from './automaton.ts';
import type { NameEntry } from './named-entity.ts';

/** A name as the automata know it. Its entries change; when it has none it is dead and found no more. */
export interface NameSlot {
  readonly tokens: readonly number[];
  /** By entity. */
  readonly entries: Map<string, readonly NameEntry[]>;
}

export interface CompiledNames {
  readonly automaton: Automaton;
  readonly slots: readonly NameSlot[];
}
