import type { JsonObject } from '../port/search-index.ts';
import { ByteBuffer } from '../postings/growable.ts';
import type { StoredDocuments } from './segment.ts';

const decoder = new TextDecoder();

/** Collects documents as JSON. */
export class StoredDocumentsBuilder {
  private readonly bytes = new ByteBuffer(1 << 12);
  private readonly ends: number[] = [0];

  add(document: JsonObject): void {
    this.bytes.writeText(JSON.stringify(document));
    this.ends.push(this.bytes.length);
  }

  addBytes(bytes: Uint8Array): void {
    this.bytes.writeBytes(bytes, 0, bytes.length);
    this.ends.push(this.bytes.length);
  }

  finish(): StoredDocuments {
    return { offset: Float64Array.from(this.ends), bytes: this.bytes.toBytes() };
  }
}

/** The JSON of a stored document in UTF-8. */
export function storedBytes(stored: StoredDocuments, document: number): Uint8Array {
  return stored.bytes.subarray(stored.offset[document], stored.offset[document + 1]);
}

/** A stored document. Cost: O(its size). */
export function readStoredDocument(stored: StoredDocuments, document: number): JsonObject {
  return JSON.parse(decoder.decode(storedBytes(stored, document))) as JsonObject;
}
