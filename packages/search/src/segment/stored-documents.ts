import type { JsonObject } from '@cairn/security';
import { isObject } from '../port/arguments.ts';
import { ByteBuffer } from '../postings/growable.ts';
import { damagedSegment, type StoredDocuments } from './segment.ts';

const decoder = new TextDecoder();

/** Documents are collected in pieces of at least this many bytes: growing would copy all of them at once. */
const PIECE_BYTES: number = 1 << 20;

/** Collects documents as JSON. */
export class StoredDocumentsBuilder {
  readonly #full: Uint8Array[] = [];
  #bytes = new ByteBuffer(1 << 12);
  readonly #ends: number[] = [0];

  add(document: JsonObject): void {
    const before = this.#bytes.length;
    this.#bytes.writeText(JSON.stringify(document));
    this.#ends.push(this.#ends[this.#ends.length - 1] + this.#bytes.length - before);
    if (this.#bytes.length < PIECE_BYTES) return;
    this.#full.push(this.#bytes.toBytes());
    this.#bytes.length = 0;
  }

  /** Everything in one. Yields where it may pause. */
  *finish(): Generator<void, StoredDocuments> {
    const offset = new Float64Array(this.#ends);
    if (this.#full.length === 0) return { offset, bytes: this.#bytes.toBytes() };
    const bytes = new Uint8Array(this.#ends[this.#ends.length - 1]);
    let at = 0;
    for (const piece of [...this.#full, this.#bytes.toBytes()]) {
      bytes.set(piece, at);
      at += piece.length;
      yield;
    }
    return { offset, bytes };
  }
}

/** The JSON of a stored document in UTF-8. */
export function storedBytes(stored: StoredDocuments, document: number): Uint8Array {
  return stored.bytes.subarray(stored.offset[document], stored.offset[document + 1]);
}

/** A stored document. Cost: O(its size). @throws `ERR_SEGMENT_CORRUPT` (corrupt) when it is no JSON object. */
export function readStoredDocument(stored: StoredDocuments, document: number): JsonObject {
  const parsed = parseStored(stored, document);
  if (isObject(parsed)) return parsed;
  throw damagedSegment('a stored document is no JSON object');
}

function parseStored(stored: StoredDocuments, document: number): unknown {
  try {
    return JSON.parse(decoder.decode(storedBytes(stored, document)));
  } catch (error) {
    // The parser's message quotes what it cannot read, which may be what a reader may not see.
    throw damagedSegment(`a stored document is no JSON (${(error as Error).name})`);
  }
}
