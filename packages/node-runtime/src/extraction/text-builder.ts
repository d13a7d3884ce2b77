import { ExtractionLimitError } from './extraction-error.ts';

/**
 * Collects the text of a document, paragraph by paragraph.
 *
 * Space at the ends of a paragraph is dropped, runs of it become one character, and empty paragraphs vanish.
 */
export class TextBuilder {
  readonly #maxBytes: number;
  readonly #paragraphs: string[] = [];
  #pending: string[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds to the current paragraph. */
  append(text: string): void {
    this.#count(text);
    this.#pending.push(text);
  }

  /** Ends the current paragraph; the next text starts a new one. */
  endParagraph(): void {
    if (this.#pending.length === 0) return;
    const paragraph = collapse(this.#pending.join(''));
    this.#pending = [];
    if (paragraph === '') return;
    this.#count('\n');
    this.#paragraphs.push(paragraph);
  }

  /** Adds text as it stands, with its own spaces and lines. */
  appendVerbatim(text: string): void {
    this.endParagraph();
    this.#count(text);
    this.#paragraphs.push(text);
  }

  /** The text so far, one paragraph to a line. */
  toText(): string {
    this.endParagraph();
    return this.#paragraphs.join('\n');
  }

  #count(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#maxBytes) throw new ExtractionLimitError('the extracted text', this.#maxBytes, 'bytes');
  }
}

/** Runs of white space as one space, or one tab where a tab is among them. */
function collapse(text: string): string {
  return text.trim().replaceAll(/[\s\u00a0]+/g, (run) => (run.includes('\t') ? '\t' : ' '));
}
