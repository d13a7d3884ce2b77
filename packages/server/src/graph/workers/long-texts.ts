import { LRUCache } from 'lru-cache';

/** Longer texts are not remembered, in UTF-16 units. */
const MAX_TEXT_LENGTH = 8_192;
const MAX_TEXTS = 1_000;

/** Queries that took long the last time, by text: there is no need to try those on the main thread again. */
export class LongTexts {
  readonly #texts = new LRUCache<string, true>({ max: MAX_TEXTS });

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Notes whether a query was long this time. */
  note(text: string, isLong: boolean): void {
    if (!isLong) this.#texts.delete(text);
    else if (text.length <= MAX_TEXT_LENGTH) this.#texts.set(text, true);
  }
}
