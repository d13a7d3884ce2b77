import type { FieldSelection } from '../mapping/field-selection.ts';
import { recall, recallOf } from '../memory/recall.ts';
import type { SpaceName } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint, type TermDictionary, toBytes } from '../segment/term-dictionary.ts';
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

/** The terms within an edit distance of a word, visible or not; `keepsFirst`: of those that begin with its first letter. */
export function findNear(terms: TermDictionary, word: string, most: number, keepsFirst: boolean): NearTerms {
  const characters = Array.from(word);
  const distances = new Map<string, number>();
  const walk = new FuzzyWalk(terms, new SoughtWord(characters), most, distances);
  if (keepsFirst && characters.length > 0) walk.enterFirst(characters[0]);
  else walk.enter(0, terms.size, 0, NO_CHARACTER, 0);
  return { ordinals: walk.found, distances };
}

/** The ordinal of a term that is not there. */
const NOT_FOUND = -1;

/** Stands for the character before the first. */
const NO_CHARACTER = -1;

/** A word by code points, and what is left of it from each of them on, in UTF-8. */
class SoughtWord {
  readonly codePoints: Int32Array;
  readonly #characters: readonly string[];
  readonly #rests = new Map<number, Uint8Array>();
  readonly #swapped = new Map<number, Uint8Array>();

  constructor(characters: readonly string[]) {
    this.#characters = characters;
    this.codePoints = Int32Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  }

  restFrom(at: number): Uint8Array {
    return recall(this.#rests, at, () => toBytes(this.#characters.slice(at).join('')));
  }

  /** The rest behind a character that stands in the place of the one before it: that one, and those behind both. */
  restOfSwap(at: number): Uint8Array {
    return recall(this.#swapped, at, () => {
      return toBytes(this.#characters[at - 1] + this.#characters.slice(at + 1).join(''));
    });
  }
}

/**
 * Finds the ordinals of the terms within an edit distance of a word, ascending: insertions, deletions, substitutions and
 * swaps of neighbours. Walks the sorted dictionary as the tree of its prefixes and leaves every branch that is too far
 * off already; where all edits are spent, the few terms that end as the word does are looked up.
 */
class FuzzyWalk {
  readonly found: number[] = [];
  /** The distance of each term that was found. */
  readonly #distances: Map<string, number>;
  readonly #terms: TermDictionary;
  readonly #sought: SoughtWord;
  readonly #word: Int32Array;
  readonly #limit: number;
  /** The row of distances at each depth of the path. */
  readonly #rows: Int32Array[];

  constructor(terms: TermDictionary, sought: SoughtWord, limit: number, distances: Map<string, number>) {
    this.#distances = distances;
    this.#terms = terms;
    this.#sought = sought;
    this.#word = sought.codePoints;
    this.#limit = limit;
    this.#rows = [Int32Array.from({ length: this.#word.length + 1 }, (_, i) => i)];
  }

  /** Visits the terms that begin with a character. */
  enterFirst(character: string): void {
    const [start, end] = this.#terms.prefixRange(character);
    const letter = this.#word[0];
    const isNear = start < end && this.#advance(0, NO_CHARACTER, letter) <= this.#limit;
    if (isNear) this.enter(start, end, 1, letter, this.#terms.characterBytesAt(start, 0));
  }

  /** Visits the terms from `start` to `end`, which share `depth` characters in so many bytes, the last of them `last`. */
  enter(start: number, end: number, depth: number, last: number, bytes: number): void {
    const row = this.#rows[depth];
    let at = start;
    if (at < end && this.#terms.lengthInBytes(at) === bytes) {
      const distance = row[this.#word.length];
      if (distance <= this.#limit) this.#add(at, distance);
      at++;
    }
    if (at === end) return;
    if (row.every((distance) => distance >= this.#limit)) this.#lookUpRests(row, at, end, depth, last, bytes);
    else this.#branch(at, end, depth, last, bytes);
  }

  #add(ordinal: number, distance: number): void {
    this.found.push(ordinal);
    this.#distances.set(this.#terms.term(ordinal), distance);
  }

  /** All edits are spent: what follows must be the rest of the word, or its next two characters have changed places. */
  #lookUpRests(row: Int32Array, start: number, end: number, depth: number, last: number, bytes: number): void {
    const word = this.#word;
    const ordinals: number[] = [];
    for (let j = 0; j < word.length; j++) {
      if (row[j] === this.#limit) ordinals.push(this.#terms.findBelow(this.#sought.restFrom(j), bytes, start, end));
    }
    for (let j = 1; depth > 0 && j < word.length; j++) {
      if (word[j] !== last || this.#rows[depth - 1][j - 1] >= this.#limit) continue;
      ordinals.push(this.#terms.findBelow(this.#sought.restOfSwap(j), bytes, start, end));
    }
    if (ordinals.length > 1) ordinals.sort((a, b) => a - b);
    let previous = NOT_FOUND;
    for (const ordinal of ordinals) {
      if (ordinal !== previous) this.#add(ordinal, this.#limit);
      previous = ordinal;
    }
  }

  #branch(start: number, end: number, depth: number, last: number, bytes: number): void {
    let at = start;
    while (at < end) {
      const size = this.#terms.characterBytesAt(at, bytes);
      const next = this.#terms.endOfBranch(at, bytes, size, end);
      const letter = this.#terms.codePointAt(at, bytes, size);
      if (this.#advance(depth, last, letter) <= this.#limit) this.enter(at, next, depth + 1, letter, bytes + size);
      at = next;
    }
  }

  /** Computes the row below `depth` for one more letter and returns its least distance. */
  #advance(depth: number, last: number, letter: number): number {
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
