const CRLF = Buffer.from('\r\n');
const DASHES = Buffer.from('--');

/**
 * Counts the parts of a body by their delimiters alone (RFC 2046, 5.1.1).
 *
 * The parser passes over parts that have no name for it; the difference to this count is what it did not report.
 */
export class DelimiterCounter {
  readonly #delimiter: Buffer;
  // The first delimiter may stand at the very start.
  #rest: Buffer = CRLF;
  #closed = false;
  #parts = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Parts begun so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Takes the next bytes of the body, cut anywhere. Cost: O(bytes). */
  scan(chunk: Uint8Array): void {
    if (this.#closed) return;
    const data = Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = data.indexOf(this.#delimiter); at >= 0; at = data.indexOf(this.#delimiter, from)) {
      from = at + this.#delimiter.length;
      if (from + 2 > data.length) {
        this.#rest = data.subarray(at);
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
