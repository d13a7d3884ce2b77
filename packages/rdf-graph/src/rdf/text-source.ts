import { nextTurn } from '@cairn/events';
import { checkPiece } from './arguments.ts';
import { rdfSyntaxError } from './syntax-error.ts';

/** A text, whole or in pieces; bytes are UTF-8. */
export type TextSource = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A piece of text with the size that it had. */
interface TextPiece {
  readonly text: string;
  readonly sizeBytes: number;
}

/** The text in pieces of at most what the turns say each time, decoded, without a byte order mark. */
async function* decodePieces(source: TextSource, turns: ReadingTurns): AsyncGenerator<TextPiece, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of typeof source === 'string' || source instanceof Uint8Array ? [source] : source) {
    checkPiece(piece);
    if (typeof piece === 'string') {
      yield* split(piece, turns);
      continue;
    }
    for (let at = 0; at < piece.length; ) {
      const bytes = piece.subarray(at, at + turns.pieceUnits);
      at += bytes.length;
      yield { text: decode(decoder, bytes), sizeBytes: bytes.length };
    }
  }
  const rest = decode(decoder, undefined);
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
 * @throws `ERR_RDF_SYNTAX` (invalid) when bytes are not UTF-8
 */
export async function* decodeInTurns(source: TextSource, turns: ReadingTurns): AsyncGenerator<TextPiece, void, void> {
  for await (const piece of decodePieces(source, turns)) {
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

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw rdfSyntaxError('RDF', 'the bytes are not UTF-8', undefined, { cause });
  }
}
