/** A part of a text, by UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How much is read beyond a place to tell whether a word or a sentence ends there. */
const CONTEXT = 64;

let words: Intl.Segmenter | undefined;
let sentences: Intl.Segmenter | undefined;

/**
 * Widens a match to a fragment of at most `length` UTF-16 units between two bounds, without white space at its ends. It
 * begins where a sentence does, or else a word, with the match about in the middle, and ends likewise. A match that is
 * longer is cut. Cost: O(length).
 */
export function toFragmentSpan(text: string, match: Span, length: number, bounds: Span): Span {
  if (match.end - match.start >= length) return { start: match.start, end: cutBefore(text, match.start + length) };
  const low = Math.min(match.start, Math.max(bounds.start, match.end - length));
  const high = Math.max(match.end, Math.min(bounds.end, match.start + length));
  const breaks = new Breaks(text, low, high);
  const half = Math.max(low, match.start - Math.floor((length - (match.end - match.start)) / 2));
  const opened = breaks.sentenceWithin(half, match.start) ?? breaks.lastSentenceWithin(low, match.start);
  const begun = opened ?? breaks.wordFrom(half, match.start);
  const last = Math.min(high, begun + length);
  const isAll = last === high && high === text.length;
  const longEnough = Math.max(match.end, begun + Math.floor(length / 2));
  const closed = isAll ? high : breaks.lastSentenceWithin(longEnough, last);
  const end = closed ?? breaks.wordUpTo(last, match.end);
  // What the end leaves free is given to the beginning.
  const first = Math.max(low, end - length);
  const start = breaks.sentenceWithin(first, begun) ?? opened ?? breaks.wordFrom(first, begun);
  return trim(text, { start, end }, match);
}

/** Where words and sentences begin around a part of a text. */
class Breaks {
  readonly #offset: number;
  readonly #words: Intl.Segments;
  readonly #size: number;
  /** Where sentences begin, ascending. */
  readonly #sentences: readonly number[];

  constructor(text: string, low: number, high: number) {
    words ??= new Intl.Segmenter('en', { granularity: 'word' });
    sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
    this.#offset = Math.max(0, low - CONTEXT);
    const part = text.slice(this.#offset, high + CONTEXT);
    this.#size = part.length;
    this.#words = words.segment(part);
    const starts = Array.from(sentences.segment(part), ({ index }) => index + this.#offset);
    // What is cut off does not begin with a sentence.
    this.#sentences = this.#offset === 0 ? starts : starts.slice(1);
  }

  /** The first place of some at which a sentence begins. */
  sentenceWithin(first: number, last: number): number | undefined {
    return this.#sentences.find((at) => at >= first && at <= last);
  }

  lastSentenceWithin(first: number, last: number): number | undefined {
    return this.#sentences.findLast((at) => at >= first && at <= last);
  }

  /** The first place from one on where a word begins, `last` at the latest. */
  wordFrom(first: number, last: number): number {
    const around = this.#words.containing(first - this.#offset);
    if (around === undefined || around.index + this.#offset === first) return Math.min(first, last);
    return Math.min(around.index + this.#offset + around.segment.length, last);
  }

  /** The last place up to one where a word ends, `first` at the earliest. */
  wordUpTo(last: number, first: number): number {
    if (last - this.#offset >= this.#size) return last;
    const around = this.#words.containing(last - this.#offset);
    return Math.max(around === undefined ? last : around.index + this.#offset, first);
  }
}

const SPACE = /\s/;
/** Space, and marks that belong to the words before them. */
const TRAILING = /[\s,.;:!?)\]}’”»…、。，；：」』]/;

function trim(text: string, span: Span, match: Span): Span {
  let { start, end } = span;
  while (start < match.start && (start === 0 ? SPACE : TRAILING).test(text[start])) start++;
  while (end > match.end && SPACE.test(text[end - 1])) end--;
  return { start, end };
}

/** No place within a character that takes two units. */
function cutBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
