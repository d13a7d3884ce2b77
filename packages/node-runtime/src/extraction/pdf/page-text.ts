import type { TextBuilder } from '../text-builder.ts';

export interface PdfTextItem {
  readonly str: string;
  /** True when the next run is on another line. */
  readonly hasEOL: boolean;
  /** The text matrix; its last number is the height above the bottom of the page. */
  readonly transform: readonly number[];
  readonly height: number;
}

/** Lines this many times their height apart belong to different paragraphs. */
const PARAGRAPH_GAP = 1.5;
/** Lines whose heights differ by more than this part do too: a heading and what follows it. */
const HEIGHT_DIFFERENCE = 0.15;

/** A word that was broken at the end of a line, and how the next line goes on then. */
const BROKEN_WORD = /(\p{Ll})[-\u00ad]\s*$/u;
const REST_OF_WORD = /^\p{Ll}/u;

/**
 * Puts the runs of one page together as lines and paragraphs, in the order in which the page draws them.
 *
 * A word broken at the end of a line is joined again without its hyphen, so that it is found by search.
 */
export class PageText {
  readonly #out: TextBuilder;
  #last: PdfTextItem | undefined;
  /** The run before, not written yet, since what follows may take its hyphen away. */
  #held = '';
  #lineEnded = false;

  constructor(out: TextBuilder) {
    this.#out = out;
  }

  add(item: PdfTextItem): void {
    if (item.str.trim() === '') {
      this.#held += item.str;
    } else {
      this.#writeHeld(item);
      this.#held = item.str;
      this.#last = item;
      this.#lineEnded = false;
    }
    this.#lineEnded ||= item.hasEOL;
  }

  end(): void {
    this.#out.append(this.#held);
    this.#out.endParagraph();
  }

  #writeHeld(next: PdfTextItem): void {
    const goesOn = this.#lineEnded && this.#last !== undefined && !startsParagraph(this.#last, next);
    if (goesOn && BROKEN_WORD.test(this.#held) && REST_OF_WORD.test(next.str)) {
      this.#out.append(this.#held.replace(BROKEN_WORD, '$1'));
      return;
    }
    this.#out.append(this.#held);
    if (goesOn) this.#out.append(' ');
    else if (this.#lineEnded) this.#out.endParagraph();
  }
}

function startsParagraph(last: PdfTextItem, item: PdfTextItem): boolean {
  const height = Math.max(last.height, item.height);
  const distance = Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0));
  return distance > PARAGRAPH_GAP * height || Math.abs(last.height - item.height) > HEIGHT_DIFFERENCE * height;
}
