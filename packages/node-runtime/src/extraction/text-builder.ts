import { TooMuchTextError } from './extraction-error.ts';
import { checkHeap } from './heap-guard.ts';
import type { ResolvedExtractionLimits } from './limits.ts';

/** How often the heap is looked at. */
const PIECES_PER_LOOK = 8192;
const BYTES_PER_LOOK = 1024 * 1024;

/** Collects a document's text by paragraphs: space at their ends goes, runs of it become one, empty ones vanish. */
export class TextBuilder {
  readonly #limits: ResolvedExtractionLimits;
  readonly #paragraphs: string[] = [];
  #pending: string[] = [];
  #bytes = 0;
  #untilLook = 1;

  constructor(limits: ResolvedExtractionLimits) {
    this.#limits = limits;
  }

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

  /** Adds text as it is, with its own spaces and lines. */
  appendVerbatim(text: string): void {
    this.endParagraph();
    this.#count(text);
    this.#paragraphs.push(text);
  }

  /** How many paragraphs there are; a place for {@link insertParagraph}. */
  get length(): number {
    this.endParagraph();
    return this.#paragraphs.length;
  }

  /** Puts a paragraph before the one at a place: a heading that is known only after what is under it was read. */
  insertParagraph(at: number, text: string): void {
    this.endParagraph();
    this.#count(text);
    this.#paragraphs.splice(at, 0, collapse(text));
  }

  /** The text so far, one paragraph to a line. */
  toText(): string {
    this.endParagraph();
    return this.#paragraphs.join('\n');
  }

  #count(text: string): void {
    const { maxTextBytes, maxHeapBytes } = this.#limits;
    const bytes = Buffer.byteLength(text);
    this.#bytes += bytes;
    if (this.#bytes > maxTextBytes) throw new TooMuchTextError('the extracted text', maxTextBytes, 'bytes');
    this.#untilLook -= 1 / PIECES_PER_LOOK + bytes / BYTES_PER_LOOK;
    if (this.#untilLook > 0) return;
    this.#untilLook = 1;
    checkHeap(maxHeapBytes);
  }
}

/** Runs of white space as one space, or one tab where a tab is among them. */
function collapse(text: string): string {
  return text.trim().replaceAll(/[\s\u00a0]+/g, (run) => (run.includes('\t') ? '\t' : ' '));
}
