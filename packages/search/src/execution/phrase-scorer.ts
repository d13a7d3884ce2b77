import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import type { PositionCursor } from '../postings/slot-cursor.ts';
import type { Space } from '../segment/segment.ts';
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
}

/** Scores the documents in which words stand as a phrase within one visible value. */
export class PhraseScorer implements Scorer {
  document = -1;
  #frequency = 0;
  readonly #parts: PhraseParts;
  readonly #weighing: Weighing;
  /** Documents that cannot score above what this says are passed over without reading positions. */
  isHopeless: ((bound: number, document: number) => boolean) | undefined;

  constructor(parts: PhraseParts, weighing: Weighing) {
    this.#parts = parts;
    this.#weighing = weighing;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    const { ofDocument, document } = this.#parts.space.slots;
    const slot = target + 1 < ofDocument.length ? this.#agree(ofDocument[target]) : END;
    this.document = slot === END ? END : document[slot];
    this.#frequency = 0;
    if (slot !== END) this.#sumDocument(this.document);
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

  #sumDocument(document: number): void {
    const { space, cursors, visible } = this.#parts;
    const end = space.slots.ofDocument[document + 1];
    let slot = cursors[0].slot;
    if (this.isHopeless?.(this.#boundOf(document, end), document) === true) return;
    while (slot < end) {
      if (this.#hasRepeats()) this.#frequency += this.#count() * visible.weigh(slot);
      slot = this.#agree(slot + 1);
    }
  }

  /** Returns true if each word is on the slot as often as in the phrase: each needs a place of its own. */
  #hasRepeats(): boolean {
    const { cursors, repeats } = this.#parts;
    for (let i = 0; i < cursors.length; i++) if (cursors[i].frequency < repeats[i]) return false;
    return true;
  }

  #count(): number {
    const { cursors, words, offsets, slop } = this.#parts;
    const positions = cursors.map((cursor) => cursor.positions());
    const ofWords = words.map((cursor) => positions[cursor]);
    return countPhrase(ofWords, offsets, slop);
  }

  /** The most that a document can score: its rarest word bounds an exact phrase. Known when one slot is all it has. */
  #boundOf(document: number, end: number): number {
    const { space, cursors, repeats, visible, slop } = this.#parts;
    const slot = cursors[0].slot;
    if (space.slots.ofDocument[document] + 1 < end && slot + 1 < end) return Number.POSITIVE_INFINITY;
    let [least, sum] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < cursors.length; i++) {
      least = Math.min(least, cursors[i].frequency);
      sum += cursors[i].frequency * repeats[i];
    }
    const most = slop === 0 ? least : sum;
    return weigh(this.#weighing, document, most * visible.weigh(slot));
  }

  /** The first slot at or after `target` on which every word is. */
  #agree(target: number): number {
    const { cursors } = this.#parts;
    let candidate = target;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i];
      const slot = cursor.slot < candidate ? cursor.advance(candidate) : cursor.slot;
      if (slot === END) return END;
      if (slot === candidate) continue;
      candidate = slot;
      i = -1;
    }
    return candidate;
  }
}
