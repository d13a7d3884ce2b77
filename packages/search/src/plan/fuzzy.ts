import type { FieldSelection } from '../mapping/field-selection.ts';
import { recallOf } from '../memory/recall.ts';
import type { SpaceName } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint, type TermDictionary } from '../segment/term-dictionary.ts';
import { expandTerms, type TermPattern } from './expand.ts';
import type { WorkBudget } from './work-budget.ts';

/** Terms that a fuzzy word stands for at most: the nearest. */
const MAX_FUZZY_TERMS = 64;

/** Words whose near terms a dictionary remembers. */
const MAX_REMEMBERED_WORDS = 64;

/** A word that stands for the terms near it. */
export interface FuzzyWord {
  readonly space: SpaceName;
  readonly selection: FieldSelection;
  readonly word: string;
  /** Edits at most. */
  readonly most: number;
  /** True when terms must begin with the word's first letter. */
  readonly keepsFirst: boolean;
}

/** A term near a word, and how many edits away it is. */
export interface NearTerm {
  readonly term: string;
  readonly distance: number;
}

/** Ordinals of terms near a word, ascending, and the distance of each term. */
interface NearTerms {
  readonly ordinals: readonly number[];
  readonly distances: ReadonlyMap<string, number>;
}

const remembered = new WeakMap<TermDictionary, Map<string, NearTerms>>();

/** The visible terms near a word, the nearest first, equally near ones by code point. Yields. */
export function* expandFuzzy(
  views: readonly SegmentView[],
  { space, selection, word, most, keepsFirst }: FuzzyWord,
  budget: WorkBudget,
): Generator<void, NearTerm[]> {
  const distances = new Map<string, number>();
  const key = `${most}${keepsFirst}${word}`;
  const candidates: TermPattern['candidates'] = (terms) => {
    const near = recallOf(remembered, terms, key, () => findNear(terms, word, most, keepsFirst), MAX_REMEMBERED_WORDS);
    for (const [term, distance] of near.distances) distances.set(term, distance);
    return near.ordinals;
  };
  const terms = yield* expandTerms(views, space, selection, { candidates }, budget);
  return terms
    .map((term) => ({ term, distance: distances.get(term) ?? most }))
    .sort((a, b) => a.distance - b.distance || compareByCodePoint(a.term, b.term))
    .slice(0, MAX_FUZZY_TERMS);
}

/** From 1 for the word itself down, the further away a term is, so that exact hits come first. */
export function toSimilarity(word: string, distance: number): number {
  return 1 - distance / (Array.from(word).length + 1);
}

function findNear(terms: TermDictionary, word: string, most: number, keepsFirst: boolean): NearTerms {
  const characters = Array.from(word);
  const distances = new Map<string, number>();
  const walk = new FuzzyWalk(terms, characters, most, distances);
  if (keepsFirst && characters.length > 0) walk.enterFirst(characters[0]);
  else walk.enter(0, terms.size, 0, '', '');
  return { ordinals: walk.found, distances };
}

/**
 * Finds the ordinals of the terms within an edit distance of a word, ascending: insertions, deletions, substitutions and
 * swaps of neighbours. Walks the sorted dictionary as the tree of its prefixes and leaves every branch that is too far
 * off already; where all edits are spent, only the letters that can still match are looked for.
 */
class FuzzyWalk {
  readonly found: number[] = [];
  /** The distance of each term that was found. */
  readonly #distances: Map<string, number>;
  readonly #terms: TermDictionary;
  readonly #word: readonly string[];
  readonly #limit: number;
  /** The row of distances at each depth of the path. */
  readonly #rows: Int32Array[];

  constructor(terms: TermDictionary, word: readonly string[], limit: number, distances: Map<string, number>) {
    this.#distances = distances;
    this.#terms = terms;
    this.#word = word;
    this.#limit = limit;
    this.#rows = [Int32Array.from({ length: word.length + 1 }, (_, i) => i)];
  }

  /** Visits the terms that begin with a letter. */
  enterFirst(letter: string): void {
    const [low, high] = this.#terms.prefixRange(letter);
    if (low < high) this.#descend(low, high, 0, '', letter, '');
  }

  /** Visits the terms from `start` to `end`, which share a prefix of `depth` characters that end in `last`. */
  enter(start: number, end: number, depth: number, last: string, prefix: string): void {
    const row = this.#rows[depth];
    let at = start;
    if (at < end && this.#terms.lengthInBytes(at) === utf8Length(prefix)) {
      const distance = row[this.#word.length];
      if (distance <= this.#limit) {
        this.found.push(at);
        this.#distances.set(prefix, distance);
      }
      at++;
    }
    const exact = this.#exactLetters(row, depth, last);
    if (exact !== undefined) this.#probe(exact, at, end, depth, last, prefix);
    else this.#branch(at, end, depth, last, prefix);
  }

  /** The only letters that can follow when every column of the row is at the limit or above it. */
  #exactLetters(row: Int32Array, depth: number, last: string): string[] | undefined {
    const letters = new Set<string>();
    for (let j = 0; j <= this.#word.length; j++) {
      if (row[j] < this.#limit) return undefined;
      if (row[j] === this.#limit && j < this.#word.length) letters.add(this.#word[j]);
    }
    const before = depth > 0 ? this.#rows[depth - 1] : undefined;
    for (let j = 1; before !== undefined && j < this.#word.length; j++) {
      if (before[j - 1] < this.#limit && this.#word[j] === last) letters.add(this.#word[j - 1]);
    }
    return [...letters].sort();
  }

  #probe(letters: readonly string[], start: number, end: number, depth: number, last: string, prefix: string): void {
    for (const letter of letters) {
      const [low, high] = this.#terms.prefixRange(prefix + letter, start, end);
      if (low < high) this.#descend(low, high, depth, last, letter, prefix);
    }
  }

  #branch(start: number, end: number, depth: number, last: string, prefix: string): void {
    let at = start;
    while (at < end) {
      const letter = this.#terms.characterAt(at, utf8Length(prefix));
      const [, high] = this.#terms.prefixRange(prefix + letter, at, end);
      this.#descend(at, high, depth, last, letter, prefix);
      at = high;
    }
  }

  #descend(start: number, end: number, depth: number, last: string, letter: string, prefix: string): void {
    if (this.#advance(depth, last, letter) > this.#limit) return;
    this.enter(start, end, depth + 1, letter, prefix + letter);
  }

  /** Computes the row below `depth` for one more letter and returns its least distance. */
  #advance(depth: number, last: string, letter: string): number {
    const word = this.#word;
    const above = this.#rows[depth];
    const before = depth > 0 ? this.#rows[depth - 1] : undefined;
    this.#rows[depth + 1] ??= new Int32Array(word.length + 1);
    const row = this.#rows[depth + 1];
    row[0] = depth + 1;
    let least = row[0];
    for (let j = 1; j <= word.length; j++) {
      const change = word[j - 1] === letter ? 0 : 1;
      let distance = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + change);
      const isSwap = before !== undefined && j > 1 && word[j - 2] === letter && word[j - 1] === last;
      if (isSwap) distance = Math.min(distance, before[j - 2] + 1);
      row[j] = distance;
      if (distance < least) least = distance;
    }
    // A swap may still come from the row above.
    for (let j = 0; j <= word.length; j++) if (above[j] + 1 < least) least = above[j] + 1;
    return least;
  }
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}
