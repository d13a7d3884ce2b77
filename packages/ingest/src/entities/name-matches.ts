import type { Automaton } from './automaton.ts';
import type { NameEntry } from './named-entity.ts';
import { tokenize } from './tokenizer.ts';

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

export interface NameMatch {
  readonly start: number;
  readonly end: number;
  readonly entry: NameEntry;
}

/** A name found, before the longest are chosen. */
type Candidate = Pick<NameMatch, 'start' | 'end'> & { readonly slot: NameSlot };

const SLICE_TOKENS = 4096;
/** Between two words of a name at most this many characters, and no empty line. */
const MAX_GAP = 3;
const EMPTY_LINE = /\n\s*\n/;

/** The names of a text. See {@link Gazetteer.find}. */
export function* findNames(
  text: string,
  vocabulary: ReadonlyMap<string, number>,
  compiled: readonly CompiledNames[],
): Generator<void, NameMatch[], undefined> {
  const scan = new Scan(text, compiled);
  let untilPause = SLICE_TOKENS;
  for (const { form, start, end } of tokenize(text)) {
    scan.take(vocabulary.get(form) ?? -1, start, end);
    if (--untilPause > 0) continue;
    untilPause = SLICE_TOKENS;
    yield;
  }
  return longestPerLabel(scan.candidates);
}

class Scan {
  readonly candidates: Candidate[] = [];
  readonly #text: string;
  readonly #compiled: readonly CompiledNames[];
  readonly #states: number[];
  readonly #starts: number[] = [];
  /** For each token how many gaps too wide for a name lie before it. */
  readonly #breaks: number[] = [];
  #lastEnd = 0;

  constructor(text: string, compiled: readonly CompiledNames[]) {
    this.#text = text;
    this.#compiled = compiled;
    this.#states = compiled.map(() => 0);
  }

  take(token: number, start: number, end: number): void {
    const at = this.#starts.length;
    this.#starts.push(start);
    this.#breaks.push((this.#breaks[at - 1] ?? 0) + (this.#isWide(start) ? 1 : 0));
    this.#lastEnd = end;
    this.#compiled.forEach(({ automaton, slots }, which) => {
      const state = automaton.step(this.#states[which], token);
      this.#states[which] = state;
      if (state !== 0) automaton.report(state, at, (pattern) => this.#match(slots[pattern], at, end));
    });
  }

  #match(slot: NameSlot, last: number, end: number): void {
    const first = last - slot.tokens.length + 1;
    if (slot.entries.size === 0 || this.#breaks[first] !== this.#breaks[last]) return;
    this.candidates.push({ start: this.#starts[first], end, slot });
  }

  #isWide(start: number): boolean {
    const gap = start - this.#lastEnd;
    return gap > MAX_GAP || (gap > 1 && EMPTY_LINE.test(this.#text.slice(this.#lastEnd, start)));
  }
}

/** For each label on its own: from left to right the longest match, none overlapping another. */
function longestPerLabel(candidates: readonly Candidate[]): NameMatch[] {
  const byLabel = new Map<string, NameMatch[]>();
  for (const { start, end, slot } of candidates) {
    for (const entries of slot.entries.values()) {
      for (const entry of entries) {
        const matches = byLabel.get(entry.label);
        if (matches === undefined) byLabel.set(entry.label, [{ start, end, entry }]);
        else matches.push({ start, end, entry });
      }
    }
  }
  return [...byLabel.values()].flatMap(leftmostLongest);
}

/** Matches of the very same place stay together: a name may stand for several things. */
export function leftmostLongest<Span extends { readonly start: number; readonly end: number }>(
  matches: readonly Span[],
): Span[] {
  const sorted = [...matches].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  let last: Span | undefined;
  for (const match of sorted) {
    const samePlace = last !== undefined && match.start === last.start && match.end === last.end;
    if (last !== undefined && match.start < last.end && !samePlace) continue;
    kept.push(match);
    last = match;
  }
  return kept;
}
