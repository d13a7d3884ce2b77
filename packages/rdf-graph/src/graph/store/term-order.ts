import type { CompareTerms } from '../port/graph-reader.ts';
import { isLiteralKind, type TermId, TermKind } from '../port/term-kind.ts';
import type { TermDictionary } from './term-dictionary.ts';

const BACKSLASH = 0x5c;
const IRI_END = 0x3e << 8;
const LITERAL_END = 0x22 << 8;
const TEXT_END = -1;

/** For each byte of an IRI a number in the order of its N-Triples form, escapes included. */
const IRI_KEYS = keysOf((byte) =>
  byte <= 0x20 || '<>"{}|^`\\'.includes(String.fromCharCode(byte)) ? byte : undefined,
);

const ESCAPED: Readonly<Record<number, string>> = { 34: '"', 92: '\\', 10: 'n', 13: 'r' };

/** The same for the bytes of a literal's lexical form. */
const LITERAL_KEYS = keysOf((byte) => ESCAPED[byte]?.charCodeAt(0));

const TEXT_KEYS = keysOf(() => undefined);

function keysOf(escaped: (byte: number) => number | undefined): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    const second = byte < 128 ? escaped(byte) : undefined;
    return second === undefined ? byte << 8 : (BACKSLASH << 8) | second;
  });
}

/** Compares terms by the UTF-8 bytes of their N-Triples form, undecoded in the arena; blank nodes by their labels. */
export class TermOrder {
  readonly #dictionary: TermDictionary;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #kinds: Uint8Array;

  constructor(dictionary: TermDictionary) {
    const { bytes, starts, kinds } = dictionary.arrays();
    this.#dictionary = dictionary;
    this.#bytes = bytes;
    this.#starts = starts;
    this.#kinds = kinds;
  }

  /** Negative when `a` comes before `b`, 0 for the same term. */
  readonly compare: CompareTerms = (a, b) => {
    if (a === b) return 0;
    const kind = this.#kinds[a];
    const otherKind = this.#kinds[b];
    if (kind === TermKind.iri && otherKind === TermKind.iri) return this.#compareText(a, b, IRI_KEYS, IRI_END);
    const rank = rankOf(kind);
    if (rank !== rankOf(otherKind)) return rank - rankOf(otherKind);
    if (kind === TermKind.blankNode) return this.#compareText(a, b, TEXT_KEYS, TEXT_END);
    return kind === TermKind.triple ? this.#compareTriples(a, b) : this.#compareLiterals(a, b);
  };

  #compareLiterals(a: TermId, b: TermId): number {
    const kind = this.#kinds[a];
    const text = this.#compareText(a, b, LITERAL_KEYS, LITERAL_END);
    // The numbers of the kinds are in the order of what follows the quotation mark: nothing, @ and ^.
    if (text !== 0 || kind !== this.#kinds[b]) return text || kind - this.#kinds[b];
    const [companion, other] = [this.#dictionary.companion(a), this.#dictionary.companion(b)];
    if (kind === TermKind.typed) return this.compare(companion, other);
    return this.#compareText(companion, other, TEXT_KEYS, TEXT_END);
  }

  #compareTriples(a: TermId, b: TermId): number {
    const [left, right] = [this.#dictionary.tripleIds(a), this.#dictionary.tripleIds(b)];
    return this.compare(left[0], right[0]) || this.compare(left[1], right[1]) || this.compare(left[2], right[2]);
  }

  #compareText(a: TermId, b: TermId, keys: Uint16Array, end: number): number {
    const bytes = this.#bytes;
    let i = this.#starts[a];
    let j = this.#starts[b];
    const iEnd = this.#starts[a + 1];
    const jEnd = this.#starts[b + 1];
    const stop = i + Math.min(iEnd - i, jEnd - j);
    while (i < stop && bytes[i] === bytes[j]) {
      i++;
      j++;
    }
    return (i < iEnd ? keys[bytes[i]] : end) - (j < jEnd ? keys[bytes[j]] : end);
  }
}

/** By the first characters: `"` of literals, `<<` of triples, `<` of IRIs, `_` of blank nodes. */
function rankOf(kind: number): number {
  if (isLiteralKind(kind)) return 0;
  if (kind === TermKind.triple) return 1;
  return kind === TermKind.iri ? 2 : 3;
}
