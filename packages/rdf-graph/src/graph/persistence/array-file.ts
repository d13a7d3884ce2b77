import { CodedError } from '@cairn/errors';
import type { Allocate } from '../store/memory.ts';
import { copyInSlices } from '../store/scheduler.ts';

export type NamedArrays = Readonly<Record<string, Uint8Array | Uint16Array | Uint32Array>>;

/** `CGA` and the version of the layout: magic, length of the head, head in JSON, arrays at multiples of 8 bytes. */
const MAGIC = 0x0141_4743;
const ALIGNMENT = 8;
const CHUNK_BYTES = 1 << 20;

interface ArrayEntry {
  readonly name: string;
  readonly width: 1 | 2 | 4;
  readonly offset: number;
  readonly length: number;
}

/** The bytes of a blob in pieces, with its size and checksum. */
export interface ArrayFile {
  readonly sizeBytes: number;
  readonly pieces: readonly Uint8Array[];
}

/** Lays arrays out as the pieces of one blob, without copying them. */
export function toArrayFile(arrays: NamedArrays): ArrayFile {
  const entries: ArrayEntry[] = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    entries.push({ name, width: array.BYTES_PER_ELEMENT as 1 | 2 | 4, offset, length: array.length });
    offset += aligned(array.byteLength);
  }
  const head = new TextEncoder().encode(JSON.stringify(entries));
  const start = new Uint8Array(aligned(8 + head.length));
  new DataView(start.buffer).setUint32(0, MAGIC, true);
  new DataView(start.buffer).setUint32(4, head.length, true);
  start.set(head, 8);
  const pieces: Uint8Array[] = [start];
  for (const array of Object.values(arrays)) {
    pieces.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const padding = aligned(array.byteLength) - array.byteLength;
    if (padding > 0) pieces.push(new Uint8Array(padding));
  }
  return { sizeBytes: start.length + offset, pieces };
}

/** Reads arrays back into memory of their own, in slices. @throws `ERR_GRAPH_SNAPSHOT` (corrupt). */
export function* fromArrayFile(bytes: Uint8Array, allocate: Allocate, name: string): Generator<void, NamedArrays> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC)
    throw damaged(name, 'it does not start as a graph blob does');
  const headLength = view.getUint32(4, true);
  if (headLength > bytes.length - 8) throw damaged(name, 'its head ends beyond it');
  const entries = toEntries(bytes.subarray(8, 8 + headLength), name);
  const start = aligned(8 + headLength);
  let room = bytes.length;
  const arrays: Record<string, Uint8Array | Uint16Array | Uint32Array> = {};
  for (const entry of entries) {
    const byteLength = entry.length * entry.width;
    const from = start + entry.offset;
    // Arrays that overlap could take far more memory than the blob has bytes.
    room -= byteLength;
    if (from + byteLength > bytes.length || room < 0) throw damaged(name, `array ${entry.name} ends beyond it`);
    const copy = new Uint8Array(allocate(byteLength), 0, byteLength);
    yield* copyInSlices(bytes.subarray(from, from + byteLength), copy, 0);
    arrays[entry.name] = viewOf(copy, entry);
  }
  return arrays;
}

function toEntries(head: Uint8Array, name: string): ArrayEntry[] {
  let entries: unknown;
  try {
    entries = JSON.parse(new TextDecoder().decode(head));
  } catch (error) {
    throw damaged(name, 'its head is not JSON', error);
  }
  if (!Array.isArray(entries) || !entries.every(isEntry)) throw damaged(name, 'its head does not list arrays');
  return entries;
}

function isEntry(entry: unknown): entry is ArrayEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, width, offset, length } = entry as Partial<Record<keyof ArrayEntry, unknown>>;
  const isWidth = width === 1 || width === 2 || width === 4;
  return typeof name === 'string' && isWidth && isCount(offset) && isCount(length);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function viewOf(bytes: Uint8Array, { width, length }: ArrayEntry): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return bytes;
  return width === 2 ? new Uint16Array(bytes.buffer, 0, length) : new Uint32Array(bytes.buffer, 0, length);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** Pieces in chunks of at most 1 MiB, of private memory. */
export async function* toChunks(file: ArrayFile): AsyncGenerator<Uint8Array> {
  for (const piece of file.pieces) {
    for (let start = 0; start < piece.length; start += CHUNK_BYTES) {
      yield piece.slice(start, start + CHUNK_BYTES);
    }
  }
}

/** The checksum of bytes, in slices. @param kin a checksum of the kind that is wanted; those of old blobs are by bytes */
export function* checksumOf(bytes: Uint8Array, kin: string): Generator<void, string> {
  const checksum = kin.startsWith(BY_WORDS) ? new WordChecksum() : new Checksum();
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    if (start > 0) yield;
    checksum.update(bytes.subarray(start, start + CHUNK_BYTES));
  }
  return checksum.digest();
}

/** Odd, so that no two words give the same. */
const MULTIPLIER = 0x9e3779b1;

function mix(state: number, word: number): number {
  const mixed = Math.imul(state ^ word, MULTIPLIER);
  return (mixed << 13) | (mixed >>> 19);
}

/** How a checksum by words begins; one by bytes begins with a digit of its hex. */
const BY_WORDS = 'w';

/** A 64-bit checksum, `w` and hex, by words: faster than by bytes. It finds any damage within one word, not malice. */
export class WordChecksum {
  #a = 0x811c9dc5 | 0;
  #b = 0x9e3779b9 | 0;
  #length = 0;
  /** The bytes past the last whole word. */
  #rest = 0;

  update(bytes: Uint8Array): void {
    let at = 0;
    while (this.#length % 4 !== 0 && at < bytes.length) this.#addByte(bytes[at++]);
    const end = at + (bytes.length - at - ((bytes.length - at) % 4));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let a = this.#a;
    let b = this.#b;
    this.#length += end - at;
    for (; at < end; at += 4) {
      a = mix(a, view.getInt32(at, true));
      b = (b + a) | 0;
    }
    this.#a = a;
    this.#b = b;
    while (at < bytes.length) this.#addByte(bytes[at++]);
  }

  digest(): string {
    const a = Math.imul(this.#a ^ this.#rest, MULTIPLIER);
    return BY_WORDS + toHex(a) + toHex((this.#b + a) ^ this.#length);
  }

  #addByte(byte: number): void {
    this.#rest |= byte << (8 * (this.#length % 4));
    this.#length++;
    if (this.#length % 4 !== 0) return;
    this.#a = mix(this.#a, this.#rest);
    this.#b = (this.#b + this.#a) | 0;
    this.#rest = 0;
  }
}

function toHex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** A 64-bit checksum in hex over bytes that come in pieces, byte after byte. It finds damage, not malice. */
export class Checksum {
  #a = 0x811c9dc5;
  #b = 0x9e3779b9;
  #length = 0;

  update(bytes: Uint8Array): void {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < bytes.length; i++) {
      a = Math.imul(a ^ bytes[i], 0x01000193);
      b = (b + a) | 0;
    }
    this.#a = a;
    this.#b = b;
    this.#length += bytes.length;
  }

  digest(): string {
    return toHex(this.#a) + toHex(this.#b ^ this.#length);
  }
}

/** The error for stored bytes that cannot be right. */
export function damaged(name: string, reason: string, cause?: unknown): CodedError {
  const message = `graph snapshot ${name} is damaged: ${reason}`;
  return new CodedError({ code: 'ERR_GRAPH_SNAPSHOT', kind: 'corrupt', message, cause });
}
