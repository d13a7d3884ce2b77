import type { TextBuilder } from '../text-builder.ts';

/** A run of text on a page, as the library gives it. */
export interface PdfTextItem {
  readonly str: string;
  /** Whether the next run stands on another line. */
  readonly hasEOL: boolean;
  /** The text matrix; its last number is the height above the bottom of the page. */
  readonly transform: readonly number[];
  readonly height: number;
}

/** Lines this many times their height apart belong to different paragraphs. */
const PARAGRAPH_GAP = 1.5;
/** Lines whose heights differ by more than this part do too: a heading and what follows it. */
const HEIGHT_DIFFERENCE = 0.15;

/** Puts the runs of one page together as lines and paragraphs, in the order in which the page draws them. */
export class PageText {
  readonly #out: TextBuilder;
  #last: PdfTextItem | undefined;
  #lineEnded = false;

  constructor(out: TextBuilder) {
    this.#out = out;
  }

  add(item: PdfTextItem): void {
    if (item.str.trim() !== '') {
      if (this.#lineEnded) this.#startLine(item);
      this.#last = item;
      this.#lineEnded = false;
    }
    this.#out.append(item.str);
    this.#lineEnded ||= item.hasEOL;
  }

  end(): void {
    this.#out.endParagraph();
  }

  #startLine(item: PdfTextItem): void {
    if (this.#last === undefined || startsParagraph(this.#last, item)) this.#out.endParagraph();
    else this.#out.append(' ');
  }
}

function startsParagraph(last: PdfTextItem, item: PdfTextItem): boolean {
  const height = Math.max(last.height, item.height);
  const distance = Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0));
  return distance > PARAGRAPH_GAP * height || Math.abs(last.height - item.height) > HEIGHT_DIFFERENCE * height;
}
