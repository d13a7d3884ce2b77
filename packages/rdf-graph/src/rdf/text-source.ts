import { nextTurn } from '../store/scheduler.ts';
import { checkPiece } from './arguments.ts';
import { rdfSyntaxError } from './syntax-error.ts';

/** A text, whole or in pieces; bytes are UTF-8. */
export type TextSource = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A piece of text with the size that it had. */
export interface TextPiece {
  readonly text: string;
  readonly sizeBytes: number;
}

const PIECE_UNITS = 1 << 16;

/**
 * The text in pieces of at most 64 Ki UTF-16 units (or what `maxUnits` says), decoded, without a byte order mark.
 * @throws `ERR_RDF_SYNTAX` (invalid) when bytes are not UTF-8
 */
export async function* decodePieces(
  source: TextSource,
  maxUnits: number = PIECE_UNITS,
): AsyncGenerator<TextPiece, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of toPieces(source)) {
    checkPiece(piece);
    if (typeof piece === 'string') {
      yield* split(piece, maxUnits);
      continue;
    }
    for (let at = 0; at < piece.length; at += maxUnits) {
      const bytes = piece.subarray(at, at + maxUnits);
      yield { text: decode(decoder, bytes), sizeBytes: bytes.length };
    }
  }
  const rest = decode(decoder, undefined);
  if (rest !== '') yield { text: rest, sizeBytes: 0 };
}

/** A parser turns so much into quads in a few milliseconds, whatever the syntax. */
const TURN_UNITS = 1 << 14;

/**
 * The same in pieces of at most 16 Ki units, and with a turn of the event loop before what goes beyond so much: a parser
 * that reads them holds nobody up.
 */
export async function* decodeInTurns(source: TextSource): AsyncGenerator<TextPiece, void, void> {
  let units = 0;
  for await (const piece of decodePieces(source, TURN_UNITS)) {
    if (units > 0 && units + piece.text.length > TURN_UNITS) {
      await nextTurn();
      units = 0;
    }
    units += piece.text.length;
    yield piece;
  }
}

function toPieces(source: TextSource): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
  return typeof source === 'string' || source instanceof Uint8Array ? [source] : source;
}

function* split(text: string, maxUnits: number): Generator<TextPiece> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + maxUnits, text.length);
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    const part = text.slice(at, end);
    yield { text: part, sizeBytes: part.length };
    at = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw rdfSyntaxError('RDF', 'the bytes are not UTF-8', undefined, { cause });
  }
}
