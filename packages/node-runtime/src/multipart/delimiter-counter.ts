const CRLF = Buffer.from('\r\n');
const DASHES = Buffer.from('--');

/**
 * Counts the parts of a body by their delimiters alone (RFC 2046, 5.1.1).
 *
 * The parser passes over parts that have no name for it; the difference to this count is what it did not report.
 */
export class DelimiterCounter {
  readonly #delimiter: Buffer;
  // The first delimiter may be at the very start.
  #rest: Buffer = CRLF;
  #closed = false;
  #parts = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  get parts(): number {
    return this.#parts;
  }

  /** Takes the next bytes of the body, cut anywhere. Cost: O(bytes); copies little more than a delimiter's length. */
  scan(chunk: Uint8Array): void {
    if (this.#closed) return;
    const enough = this.#delimiter.length + 1;
    if (chunk.length <= enough) {
      this.#search(Buffer.concat([this.#rest, chunk]), 0);
      return;
    }
    const before = this.#rest.length;
    const seam = Buffer.concat([this.#rest, chunk.subarray(0, enough)]);
    let from = 0;
    for (let at = seam.indexOf(this.#delimiter); at >= 0 && at < before; at = seam.indexOf(this.#delimiter, from)) {
      from = at + this.#delimiter.length;
      if (this.#count(seam.subarray(from, from + 2))) return;
    }
    this.#search(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length), Math.max(0, from - before));
  }

  #search(data: Buffer, start: number): void {
    let from = start;
    for (let at = data.indexOf(this.#delimiter, from); at >= 0; at = data.indexOf(this.#delimiter, from)) {
      from = at + this.#delimiter.length;
      if (from + 2 > data.length) {
        this.#rest = Buffer.from(data.subarray(at));
        return;
      }
      if (this.#count(data.subarray(from, from + 2))) return;
    }
    this.#rest = Buffer.from(data.subarray(Math.max(from, data.length - this.#delimiter.length + 1)));
  }

  /** Looks at what follows a delimiter; true after the last one. */
  #count(next: Buffer): boolean {
    if (next.equals(CRLF)) this.#parts++;
    this.#closed = next.equals(DASHES);
    return this.#closed;
  }
}
