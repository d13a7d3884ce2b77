import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import type { PositionCursor } from '../postings/slot-cursor.ts';
import type { Space } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import type { VisibleSlots } from '../segment/segment-view.ts';
import { countPhrase } from './phrase-frequency.ts';
import { explainWeight, type Weighing, weigh } from './term-scorer.ts';

export interface PhraseParts {
  readonly space: Space;
  /** One for each word that is another, and how often the phrase has it. */
  readonly cursors: readonly PositionCursor[];
  readonly repeats: readonly number[];
  readonly words: readonly number[];
  readonly offsets: readonly number[];
  readonly slop: number;
  readonly visible: VisibleSlots;
  readonly live: Uint32Array | undefined;
}

/** The best matches so far. */
export interface BestSoFar {
  /** The score of the worst of them; below every score while there is room. */
  readonly threshold: number;
  /** True when a document cannot get among them with a score up to `bound`. */
  isHopeless(bound: number, document: number): boolean;
}

/** Scores the documents in which words stand as a phrase within one visible value. */
export class PhraseScorer implements Scorer {
  document = -1;
  #frequency = 0;
  readonly #parts: PhraseParts;
  /** The words, that with the fewest slots first: it leads through the others. */
  readonly #byRarity: readonly PositionCursor[];
  readonly #weighing: Weighing;
  /** Slots of the current document on which every word is; the places of each slot's words follow one another. */
  readonly #slots: number[] = [];
  readonly #places: number[] = [];
  readonly #positions: (readonly number[])[] = [];
  readonly #ofWords: (readonly number[])[] = [];
  /** Documents that cannot score above these are passed over without reading positions. */
  best: BestSoFar | undefined;

  constructor(parts: PhraseParts, weighing: Weighing) {
    this.#parts = parts;
    this.#byRarity = parts.cursors.toSorted((a, b) => a.size - b.size);
    this.#weighing = weighing;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    const { ofDocument, document } = this.#parts.space.slots;
    const slot = target + 1 < ofDocument.length ? this.#agree(ofDocument[target]) : END;
    this.document = slot === END ? END : document[slot];
    this.#frequency = slot === END ? 0 : this.#countIn(this.document, slot);
    return this.document;
  }

  get matches(): boolean {
    return this.#frequency > 0;
  }

  score(): number {
    return weigh(this.#weighing, this.document, this.#frequency);
  }

  explain(): Explanation {
    return explainWeight(this.#weighing, this.document, this.#frequency);
  }

  /**
   * The weighted frequency of the phrase in a document whose first slot with all words is given; 0 when it cannot get
   * in. No document straddles two blocks, so all its slots are at hand before the first position is read.
   */
  #countIn(document: number, first: number): number {
    const bound = this.#gatherSlots(document, first);
    if (this.#isBelow(bound, document)) return 0;
    const { cursors, words, offsets, slop, visible } = this.#parts;
    let frequency = 0;
    for (let i = 0; i < this.#slots.length; i++) {
      for (let c = 0; c < cursors.length; c++) {
        this.#positions[c] = cursors[c].positionsAt(this.#places[i * cursors.length + c]);
      }
      for (let word = 0; word < words.length; word++) this.#ofWords[word] = this.#positions[words[word]];
      frequency += countPhrase(this.#ofWords, offsets, slop) * visible.weigh(this.#slots[i]);
    }
    return frequency;
  }

  /** Gathers the slots of a document on which every word is; returns the most that the phrase's frequency can be. */
  #gatherSlots(document: number, first: number): number {
    const { space, cursors, visible } = this.#parts;
    const end = space.slots.ofDocument[document + 1];
    this.#slots.length = 0;
    this.#places.length = 0;
    let bound = 0;
    for (let slot = first; slot < end; slot = this.#meetBefore(slot + 1, end)) {
      const most = this.#mostOccurrences() * visible.weigh(slot);
      if (most === 0) continue;
      bound += most;
      this.#slots.push(slot);
      for (let c = 0; c < cursors.length; c++) this.#places.push(cursors[c].place);
    }
    return bound;
  }

  /** How often the phrase can be on the current slot: 0 unless each word is there as often as in the phrase. */
  #mostOccurrences(): number {
    const { cursors, repeats, slop } = this.#parts;
    let [least, sum] = [Number.POSITIVE_INFINITY, 0];
    for (let c = 0; c < cursors.length; c++) {
      const { frequency } = cursors[c];
      if (frequency < repeats[c]) return 0;
      least = Math.min(least, frequency);
      sum += frequency * repeats[c];
    }
    // The rarest word bounds an exact phrase.
    return slop === 0 ? least : sum;
  }

  #isBelow(frequency: number, document: number): boolean {
    if (frequency === 0) return true;
    const { best } = this;
    if (best === undefined || best.threshold === Number.NEGATIVE_INFINITY) return false;
    return best.isHopeless(weigh(this.#weighing, document, frequency), document);
  }

  /** The first visible slot at or after `target` on which every word is, but for documents that cannot get in. */
  #agree(target: number): number {
    const cursors = this.#byRarity;
    let candidate = target;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i];
      const slot = cursor.slot < candidate ? cursor.advance(candidate) : cursor.slot;
      if (slot === END) return END;
      if (i === 0) {
        candidate = this.#passHopeless(slot);
        if (candidate === slot) continue;
      } else if (slot === candidate) {
        continue;
      } else {
        candidate = slot;
      }
      i = -1;
    }
    return candidate;
  }

  /**
   * The slot of the leading word from which to go on: itself, where its document may get in. Visibility and the leading
   * word's frequency are looked at before the other words are looked for.
   */
  #passHopeless(slot: number): number {
    const { space, visible, live, slop } = this.#parts;
    const document = space.slots.document[slot];
    const end = space.slots.ofDocument[document + 1];
    if (!isLive(live, document)) return end;
    if (visible.weigh(slot) === 0) return slot + 1;
    if (this.best === undefined || this.best.threshold === Number.NEGATIVE_INFINITY || slop > 0) return slot;
    return this.#isBelow(this.#byRarity[0].sumBefore(end, visible), document) ? end : slot;
  }

  /** The next slot on which every word is, within the current document; `END` when there is none. */
  #meetBefore(target: number, end: number): number {
    const { cursors } = this.#parts;
    let candidate = target;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i];
      const slot = cursor.slot < candidate ? cursor.advanceBefore(candidate, end) : cursor.slot;
      if (slot === END) return END;
      if (slot === candidate) continue;
      candidate = slot;
      i = -1;
    }
    return candidate;
  }
}
