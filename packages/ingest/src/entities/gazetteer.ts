import { Automaton } from './automaton.ts';
import { findNames, type NameMatch } from './name-matches.ts';
import { type NamedEntity, type NameEntry, nameEntries, prefers } from './named-entity.ts';
import { tokenize } from './tokenizer.ts';

/** A name as the automata know it. Its entries change; when it has none it is dead and found no more. */
export interface NameSlot {
  readonly tokens: readonly number[];
  /** By entity. */
  readonly entries: Map<string, readonly NameEntry[]>;
}

/** Some of the names, compiled. */
export interface CompiledNames {
  readonly automaton: Automaton;
  readonly slots: readonly NameSlot[];
}

const MIN_NAME_LENGTH = 2;
const MAX_NAME_TOKENS = 32;
const MIN_REBUILD = 1000;

/**
 * The names that are looked for in texts, kept current as the graph changes.
 *
 * Most names are compiled once into a large automaton; those that came since stand in a small one, until it has grown
 * to a quarter of the large one. A name that is gone is dead at once and leaves at the next compilation.
 */
export class Gazetteer {
  readonly #vocabulary = new Map<string, number>();
  readonly #slots = new Map<string, NameSlot>();
  readonly #entities = new Map<string, readonly NameSlot[]>();
  #main: CompiledNames = { automaton: new Automaton([], 1), slots: [] };
  #delta: CompiledNames | undefined;
  #recent: NameSlot[] = [];

  /** How many entities have a name. */
  get size(): number {
    return this.#entities.size;
  }

  /** Replaces what is known of an entity; without names it is forgotten. */
  set(entity: NamedEntity): void {
    this.#forget(entity.uri);
    const slots = new Set<NameSlot>();
    for (const [name, entries] of nameEntries(entity)) {
      const slot = this.#slot(name);
      if (slot === undefined) continue;
      slot.entries.set(entity.uri, mergeEntries(slot.entries.get(entity.uri), entries));
      slots.add(slot);
    }
    if (slots.size > 0) this.#entities.set(entity.uri, [...slots]);
  }

  /**
   * The names in a text, per label the longest at each place. A generator that pauses every few thousand words, so
   * that its caller can let others run. Cost: O(text + matches).
   */
  find(text: string): Generator<void, NameMatch[], undefined> {
    return findNames(text, this.#vocabulary, this.#compiled());
  }

  /** Whether a text holds a name that some of the entities have now: tells which texts a change of names can concern. */
  finderOf(uris: Iterable<string>): (text: string) => Generator<void, boolean, undefined> {
    const slots = new Set<NameSlot>();
    for (const uri of uris) for (const slot of this.#entities.get(uri) ?? []) slots.add(slot);
    const compiled = [this.#compile([...slots])];
    const vocabulary = this.#vocabulary;
    return function* find(text) {
      if (slots.size === 0) return false;
      const matches = yield* findNames(text, vocabulary, compiled);
      return matches.length > 0;
    };
  }

  #forget(uri: string): void {
    for (const slot of this.#entities.get(uri) ?? []) slot.entries.delete(uri);
    this.#entities.delete(uri);
  }

  #slot(name: string): NameSlot | undefined {
    const forms = [...tokenize(name)].map(({ form }) => form);
    const key = forms.join(' ');
    if (key.length < MIN_NAME_LENGTH || forms.length > MAX_NAME_TOKENS) return undefined;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot: NameSlot = { tokens: forms.map((form) => this.#token(form)), entries: new Map() };
    this.#slots.set(key, slot);
    this.#recent.push(slot);
    this.#delta = undefined;
    return slot;
  }

  #token(form: string): number {
    const known = this.#vocabulary.get(form);
    if (known !== undefined) return known;
    const token = this.#vocabulary.size;
    this.#vocabulary.set(form, token);
    return token;
  }

  #compiled(): readonly CompiledNames[] {
    if (this.#recent.length > Math.max(MIN_REBUILD, this.#main.slots.length / 4)) this.#recompile();
    this.#delta ??= this.#compile(this.#recent);
    return this.#recent.length === 0 ? [this.#main] : [this.#main, this.#delta];
  }

  #recompile(): void {
    for (const [key, { entries }] of this.#slots) if (entries.size === 0) this.#slots.delete(key);
    this.#main = this.#compile([...this.#slots.values()]);
    this.#recent = [];
    this.#delta = undefined;
  }

  #compile(slots: readonly NameSlot[]): CompiledNames {
    const width = Math.max(1, this.#vocabulary.size);
    return {
      automaton: new Automaton(
        slots.map(({ tokens }) => tokens),
        width,
      ),
      slots: [...slots],
    };
  }
}

/** Two names of an entity that fold alike: one entry per label, whatever order they came in. */
function mergeEntries(known: readonly NameEntry[] = [], more: readonly NameEntry[]): readonly NameEntry[] {
  const byLabel = new Map(known.map((entry) => [entry.label, entry]));
  for (const entry of more) {
    const other = byLabel.get(entry.label);
    if (other === undefined || prefers(entry.category, other.category)) byLabel.set(entry.label, entry);
  }
  return [...byLabel.values()];
}
