import { nextTurn } from '@cairn/events';
import { checkPiece } from './arguments.ts';
import { rdfSyntaxError } from './syntax-error.ts';

/** A text, whole or in pieces; bytes are UTF-8, those of RDF/XML in the encoding that the document says. */
export type TextSource = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A piece of text with the size that it had. */
interface TextPiece {
  readonly text: string;
  readonly sizeBytes: number;
}

/** The text in pieces of at most what the turns say each time, decoded, without a byte order mark. */
async function* decodePieces(
  source: TextSource,
  turns: ReadingTurns,
  findDecoder: FindDecoder | undefined,
): AsyncGenerator<TextPiece, void, void> {
  const decoder = new PieceDecoder(findDecoder);
  for await (const piece of typeof source === 'string' || source instanceof Uint8Array ? [source] : source) {
    checkPiece(piece);
    if (typeof piece === 'string') {
      yield* split(piece, turns);
      continue;
    }
    for (let at = 0; at < piece.length; ) {
      const bytes = piece.subarray(at, at + turns.pieceUnits);
      at += bytes.length;
      yield { text: decoder.decode(bytes), sizeBytes: bytes.length };
    }
  }
  const rest = decoder.finish();
  if (rest !== '') yield { text: rest, sizeBytes: 0 };
}

/** A parser turns so much into quads in a few milliseconds, whatever the syntax. */
const TURN_UNITS = 1 << 14;

/** After so many quads no further piece is read before a turn. */
const MAX_STRETCH_QUADS = 1 << 12;

/** A stretch may be this part of what was read before: a short text makes many turns, and those of a long one cost little. */
const STRETCH_SHARE = 1 / 8;

/** A stretch is read in about so many pieces, or in those of a turn: after each its quads are counted. */
const PIECES_OF_STRETCH = 4;

/** Says when a reader lets other events through. */
export class ReadingTurns {
  readonly #maxUnits: number;
  #unitsBefore = 0;
  #units = 0;
  #quads = 0;

  /** @param maxUnits how much text at most is read between two turns. Default 16 Ki UTF-16 units, and never fewer */
  constructor(maxUnits: number = TURN_UNITS) {
    this.#maxUnits = maxUnits;
  }

  get pieceUnits(): number {
    return Math.max(TURN_UNITS, Math.min(this.#maxUnits / PIECES_OF_STRETCH, this.#share));
  }

  get #share(): number {
    return Math.floor(this.#unitsBefore * STRETCH_SHARE);
  }

  /** Counts the quads or rows that the last piece gave. */
  made(quads: number): void {
    this.#quads += quads;
  }

  /** Takes a piece; whether a turn of the event loop comes before it. */
  isDueBefore(units: number): boolean {
    const stretch = this.#quads >= MAX_STRETCH_QUADS ? 0 : Math.max(TURN_UNITS, Math.min(this.#maxUnits, this.#share));
    const isDue = this.#units > 0 && this.#units + units > stretch;
    if (isDue) {
      this.#unitsBefore += this.#units;
      this.#units = 0;
      this.#quads = 0;
    }
    this.#units += units;
    return isDue;
  }
}

/**
 * The text in pieces, with a turn of the event loop where one is due: a parser that reads them, and counts what it makes of
 * them, holds nobody up.
 * @throws `ERR_RDF_SYNTAX` (invalid) when bytes are not in the encoding
 */
export async function* decodeInTurns(
  source: TextSource,
  turns: ReadingTurns,
  findDecoder?: FindDecoder,
): AsyncGenerator<TextPiece, void, void> {
  for await (const piece of decodePieces(source, turns, findDecoder)) {
    if (turns.isDueBefore(piece.text.length)) await nextTurn();
    yield piece;
  }
}

function* split(text: string, turns: ReadingTurns): Generator<TextPiece> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + turns.pieceUnits, text.length);
    const last = text.charCodeAt(end - 1);
    const isHighSurrogate = last >= 0xd800 && last < 0xdc00;
    if (isHighSurrogate) end++;
    const part = text.slice(at, end);
    yield { text: part, sizeBytes: part.length };
    at = end;
  }
}

/** Bytes of one encoding to text, piece by piece; `TextDecoder` is one. */
export interface ByteDecoder {
  /** Name of the encoding. */
  readonly encoding: string;
  /** @throws when bytes are not in the encoding */
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

/** The decoder of a text by its first bytes; `undefined` while more are needed. */
type FindDecoder = (bytes: Uint8Array, isWhole: boolean) => ByteDecoder | undefined;

/** The decoder of an encoding by its name in the Encoding Standard. @throws `RangeError` when there is none */
export function createDecoder(encoding: string): ByteDecoder {
  return new TextDecoder(encoding, { fatal: true });
}

/** Bytes to text, piece by piece; UTF-8 unless somebody finds another encoding. */
class PieceDecoder {
  readonly #find: FindDecoder;
  #decoder: ByteDecoder | undefined;
  /** Bytes by which the encoding could not be told yet. */
  #head: Uint8Array = new Uint8Array();

  constructor(find: FindDecoder = () => createDecoder('utf-8')) {
    this.#find = find;
  }

  decode(bytes: Uint8Array): string {
    return this.#decode(bytes, true);
  }

  finish(): string {
    return this.#decode(new Uint8Array(), false);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    if (this.#decoder !== undefined) return decodeStrictly(this.#decoder, bytes, stream);
    const head = this.#head.length === 0 ? bytes : join(this.#head, bytes);
    this.#decoder = this.#find(head, !stream);
    this.#head = this.#decoder === undefined ? head.slice() : new Uint8Array();
    return this.#decoder === undefined ? '' : decodeStrictly(this.#decoder, head, stream);
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function decodeStrictly(decoder: ByteDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    const name = decoder.encoding === 'utf-8' ? 'UTF-8' : decoder.encoding;
    throw rdfSyntaxError('RDF', `the bytes are not ${name}`, undefined, { cause });
  }
}
