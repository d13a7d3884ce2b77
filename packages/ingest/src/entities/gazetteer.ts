import { Automaton } from './automaton.ts';
import { type CompiledNames, findNames, type NameMatch, type NameSlot } from './name-matches.ts';
import { type NamedEntity, type NameEntry, nameEntries, prefers } from './named-entity.ts';
import { tokenize } from './tokenizer.ts';

const MIN_NAME_LENGTH = 2;
const MAX_NAME_TOKENS = 32;
const MIN_REBUILD = 1000;

/**
 * The names that are looked for in texts, kept current as the graph changes.
 *
 * Most names are compiled once into a large automaton; those that came since are in a small one, until it has grown to
 * a quarter of the large one. A name that is gone is dead at once and leaves at the next compilation.
 */
export class Gazetteer {
  readonly #vocabulary = new Map<string, number>();
  readonly #slots = new Map<string, NameSlot>();
  readonly #entities = new Map<string, readonly NameSlot[]>();
  #main: CompiledNames = { automaton: Automaton.empty(), slots: [] };
  #delta: CompiledNames | undefined;
  #recent: NameSlot[] = [];
  /** Names that ever came, and how many of them are compiled. */
  #known = 0;
  #compiledUpTo = 0;
  #compiling: Generator<void, void, undefined> | undefined;

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
   * that its caller can let others run. Cost: O(text + matches), and O(names) where names have changed.
   */
  *find(text: string): Generator<void, NameMatch[], undefined> {
    return yield* findNames(text, this.#vocabulary, yield* this.#compiled());
  }

  /** Returns true if a text holds a name that some of the entities have now: a change of names can concern it. */
  finderOf(uris: Iterable<string>): (text: string) => Generator<void, boolean, undefined> {
    const slots = new Set<NameSlot>();
    for (const uri of uris) for (const slot of this.#entities.get(uri) ?? []) slots.add(slot);
    let compiled: CompiledNames | undefined;
    const width = this.#width;
    const vocabulary = this.#vocabulary;
    return function* find(text) {
      if (slots.size === 0) return false;
      compiled ??= yield* compile([...slots], width);
      const matches = yield* findNames(text, vocabulary, [compiled]);
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
    this.#known++;
    return slot;
  }

  #token(form: string): number {
    const known = this.#vocabulary.get(form);
    if (known !== undefined) return known;
    const token = this.#vocabulary.size;
    this.#vocabulary.set(form, token);
    return token;
  }

  /** At least the names that there are at the call. Texts that wait for one compilation each take steps of it. */
  *#compiled(): Generator<void, readonly CompiledNames[], undefined> {
    const wanted = this.#known;
    while (this.#compiledUpTo < wanted) {
      this.#compiling ??= this.#compile();
      if (this.#compiling.next().done) this.#compiling = undefined;
      else yield;
    }
    return this.#delta === undefined ? [this.#main] : [this.#main, this.#delta];
  }

  /** Names that come meanwhile are compiled next time. */
  *#compile(): Generator<void, void, undefined> {
    const [upTo, taken] = [this.#known, this.#recent.length];
    const isWhole = taken > Math.max(MIN_REBUILD, this.#main.slots.length / 4);
    if (isWhole) for (const [key, { entries }] of this.#slots) if (entries.size === 0) this.#slots.delete(key);
    const slots = isWhole ? [...this.#slots.values()] : [...this.#recent];
    const compiled = yield* compile(slots, this.#width);
    if (isWhole) {
      this.#main = compiled;
      this.#recent = this.#recent.slice(taken);
    }
    this.#delta = isWhole ? undefined : compiled;
    this.#compiledUpTo = upTo;
  }

  get #width(): number {
    return Math.max(1, this.#vocabulary.size);
  }
}

function* compile(slots: readonly NameSlot[], width: number): Generator<void, CompiledNames, undefined> {
  const automaton = yield* Automaton.build(
    slots.map(({ tokens }) => tokens),
    width,
  );
  return { automaton, slots };
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
