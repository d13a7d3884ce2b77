import { CodedError } from '@cairn/errors';
import { type Allocate, allocatePrivate, allocateUint32, growUint8, growUint32 } from './memory.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind } from './term-kind.ts';
import { decodeUtf8, writeUtf8 } from './utf8.ts';

/** The arrays of a stretch of ids: what a snapshot stores. */
export interface DictionaryPart {
  readonly [name: string]: Uint8Array | Uint32Array;
  /** Text of the terms, one after the other, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Where each term's text starts, counted from any base; one more entry than terms. */
  readonly starts: Uint32Array;
  readonly kinds: Uint8Array;
  /** Datatype or language of a literal, as id; 0 for others. */
  readonly companions: Uint32Array;
  readonly hashes: Uint32Array;
}

/** The arrays of a whole dictionary: what a worker needs to read terms. */
export interface DictionaryArrays {
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly kinds: Uint8Array;
  readonly companions: Uint32Array;
  readonly hashes: Uint32Array;
  /** Ids by hash, 0 where free. */
  readonly slots: Uint32Array;
}

/**
 * Interns texts of a kind to dense ids. Append-only: an id never changes its meaning.
 *
 * Texts live in one byte arena and are found by open addressing. Cost of interning and finding: O(length of the text).
 */
export class TermTable {
  readonly #allocate: Allocate;
  #bytes: Uint8Array;
  #used = 0;
  #starts: Uint32Array;
  #kinds: Uint8Array;
  #companions: Uint32Array;
  #hashes: Uint32Array;
  #size = 0;
  #slots: Uint32Array;
  #mask: number;
  #isReader = false;

  constructor(allocate: Allocate = allocatePrivate, capacity = 1024) {
    this.#allocate = allocate;
    this.#bytes = new Uint8Array(allocate(1 << 16));
    this.#starts = allocateUint32(allocate, capacity + 1);
    this.#kinds = new Uint8Array(allocate(capacity));
    this.#companions = allocateUint32(allocate, capacity);
    this.#hashes = allocateUint32(allocate, capacity);
    let slots = 4096;
    while (slots < capacity * 2) slots *= 2;
    this.#slots = allocateUint32(allocate, slots);
    this.#mask = slots - 1;
    this.#append(TermKind.none, 0, 0, 0);
    this.#append(TermKind.defaultGraph, 0, 0, 0);
  }

  /** Terms `from` to `to` (exclusive) as arrays to store. Views: the terms before `to` never change. */
  part(from: TermId, to: TermId): DictionaryPart {
    const start = this.#starts[from]!;
    return {
      bytes: this.#bytes.subarray(start, this.#starts[to]!),
      starts: this.#starts.subarray(from, to + 1),
      kinds: this.#kinds.subarray(from, to),
      companions: this.#companions.subarray(from, to),
      hashes: this.#hashes.subarray(from, to),
    };
  }

  /** One past the largest id. Ids 0 (unbound) and 1 (default graph) stand for no stored text. */
  get size(): number {
    return this.#size;
  }

  /** Bytes held by the arena and the tables. */
  get byteLength(): number {
    return (
      this.#bytes.byteLength +
      this.#starts.byteLength +
      this.#kinds.byteLength +
      this.#companions.byteLength +
      this.#hashes.byteLength +
      this.#slots.byteLength
    );
  }

  /** Every array, for a reader in another thread: shared where the memory is. */
  arrays(): DictionaryArrays {
    return {
      size: this.#size,
      bytes: this.#bytes,
      starts: this.#starts,
      kinds: this.#kinds,
      companions: this.#companions,
      hashes: this.#hashes,
      slots: this.#slots,
    };
  }

  kind(id: TermId): number {
    return this.#kinds[id]!;
  }

  /** The id of the datatype (typed literals) or of the language tag (language strings). */
  companion(id: TermId): TermId {
    return this.#companions[id]!;
  }

  /** The IRI, label or lexical form of a term. */
  text(id: TermId): string {
    return decodeUtf8(this.#bytes, this.#starts[id]!, this.#starts[id + 1]!);
  }

  /** Compares the texts of two terms by code points: negative, zero or positive. */
  compareText(a: TermId, b: TermId): number {
    const bytes = this.#bytes;
    const startA = this.#starts[a]!;
    const startB = this.#starts[b]!;
    const lengthA = this.#starts[a + 1]! - startA;
    const lengthB = this.#starts[b + 1]! - startB;
    const end = Math.min(lengthA, lengthB);
    for (let i = 0; i < end; i++) {
      const difference = bytes[startA + i]! - bytes[startB + i]!;
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  /** Interns text of a kind with its companion id: the way in for parsers that make no term objects. */
  internText(kind: number, companion: TermId, text: string): TermId {
    return this.lookup(kind, companion, text, true);
  }

  /** The id of text of a kind, or 0. */
  findText(kind: number, companion: TermId, text: string): TermId {
    return this.lookup(kind, companion, text, false);
  }

  /** Interns UTF-8 bytes of a kind without decoding them. */
  internBytes(kind: number, companion: TermId, source: Uint8Array, start: number, end: number): TermId {
    this.#reserve(end - start);
    const arena = this.#bytes;
    let at = this.#used;
    for (let i = start; i < end; i++) arena[at++] = source[i]!;
    return this.#settle(kind, companion, at, true);
  }

  /** The id of text of a kind, made when it is new and `create` is set; else 0. */
  lookup(kind: number, companion: TermId, text: string, create: boolean): TermId {
    if (this.#isReader) return this.#read(kind, companion, text);
    this.#reserve(text.length * 3);
    return this.#settle(kind, companion, writeUtf8(this.#bytes, this.#used, text), create);
  }

  /** A reader writes nothing into the arena: another thread owns it. */
  #read(kind: number, companion: TermId, text: string): TermId {
    const scratch = new Uint8Array(text.length * 3);
    const length = writeUtf8(scratch, 0, text);
    return this.#search(kind, companion, scratch, 0, length, hashOf(kind, companion, scratch, 0, length));
  }

  /** Finds the term whose bytes were written at the end of the arena, or keeps them there as a new term. */
  #settle(kind: number, companion: TermId, end: number, create: boolean): TermId {
    const start = this.#used;
    const hash = hashOf(kind, companion, this.#bytes, start, end);
    const known = this.#search(kind, companion, this.#bytes, start, end - start, hash);
    if (known !== 0) return known;
    return create ? this.#append(kind, companion, hash, end) : 0;
  }

  #search(kind: number, companion: TermId, source: Uint8Array, start: number, length: number, hash: number): TermId {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[slot]!;
      if (id === 0) return 0;
      if (this.#hashes[id] === hash && this.#matches(id, kind, companion, source, start, length)) return id;
    }
  }

  #matches(id: TermId, kind: number, companion: TermId, source: Uint8Array, start: number, length: number): boolean {
    if (this.#kinds[id] !== kind || this.#companions[id] !== companion) return false;
    const from = this.#starts[id]!;
    if (this.#starts[id + 1]! - from !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== source[start + i]) return false;
    return true;
  }

  #append(kind: number, companion: TermId, hash: number, end: number): TermId {
    const id = this.#size;
    if (id + 1 >= this.#starts.length || id >= this.#hashes.length) this.#growTables();
    this.#kinds[id] = kind;
    this.#companions[id] = companion;
    this.#hashes[id] = hash;
    this.#starts[id] = this.#used;
    this.#used = Math.max(end, this.#used);
    this.#starts[id + 1] = this.#used;
    this.#size = id + 1;
    if (id > DEFAULT_GRAPH_ID) this.#place(id, hash);
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #place(id: TermId, hash: number): void {
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = id;
  }

  #rehash(): void {
    this.#slots = allocateUint32(this.#allocate, this.#slots.length * 2);
    this.#mask = this.#slots.length - 1;
    for (let id = DEFAULT_GRAPH_ID + 1; id < this.#size; id++) this.#place(id, this.#hashes[id]!);
  }

  #growTables(): void {
    const capacity = Math.max(1024, this.#hashes.length * 2, this.#size * 2);
    this.#starts = growUint32(this.#allocate, this.#starts, capacity + 1);
    this.#kinds = growUint8(this.#allocate, this.#kinds, capacity);
    this.#companions = growUint32(this.#allocate, this.#companions, capacity);
    this.#hashes = growUint32(this.#allocate, this.#hashes, capacity);
  }

  #reserve(byteLength: number): void {
    const needed = this.#used + byteLength;
    if (needed <= this.#bytes.length) return;
    if (needed > 0xffff_fff0) {
      throw new CodedError({
        code: 'ERR_DICTIONARY_FULL',
        kind: 'exhausted',
        message: `the terms of a dataset may take 4294967280 bytes; ${needed} are needed`,
      });
    }
    this.#bytes = growUint8(
      this.#allocate,
      this.#bytes,
      Math.min(0xffff_fff0, Math.max(needed, this.#bytes.length * 2)),
    );
  }

  #restore(part: DictionaryPart): void {
    const from = this.#size;
    const shift = this.#used - part.starts[0]!;
    this.#bytes.set(part.bytes, this.#used);
    this.#kinds.set(part.kinds, from);
    this.#companions.set(part.companions, from);
    this.#hashes.set(part.hashes, from);
    this.#size = from + part.kinds.length;
    for (let i = 0; i <= part.kinds.length; i++) this.#starts[from + i] = part.starts[i]! + shift;
    this.#used = this.#starts[this.#size]!;
    for (let id = Math.max(from, DEFAULT_GRAPH_ID + 1); id < this.#size; id++) this.#place(id, this.#hashes[id]!);
  }

  /** The ids of the terms of a quoted triple: subject, predicate, object. */
  tripleIds(id: TermId): [TermId, TermId, TermId] {
    const start = this.#starts[id]!;
    const at = (offset: number) =>
      (this.#bytes[start + offset]! |
        (this.#bytes[start + offset + 1]! << 8) |
        (this.#bytes[start + offset + 2]! << 16) |
        (this.#bytes[start + offset + 3]! << 24)) >>>
      0;
    return [at(0), at(4), at(8)];
  }

  /** The id of bytes of a kind, or 0. */
  findBytes(kind: number, companion: TermId, bytes: Uint8Array): TermId {
    return this.#search(kind, companion, bytes, 0, bytes.length, hashOf(kind, companion, bytes, 0, bytes.length));
  }

  /** Becomes what some stored parts hold, in the order of ids. */
  restore(parts: readonly DictionaryPart[]): void {
    this.#size = 0;
    this.#used = 0;
    this.#reserve(parts.reduce((sum, part) => sum + part.bytes.length, 0));
    for (const part of parts) this.#restore(part);
  }

  /** Becomes a reader of the arrays of another table. */
  adopt(arrays: DictionaryArrays): void {
    this.#size = arrays.size;
    this.#used = arrays.starts[arrays.size]!;
    this.#bytes = arrays.bytes;
    this.#starts = arrays.starts;
    this.#kinds = arrays.kinds;
    this.#companions = arrays.companions;
    this.#hashes = arrays.hashes;
    this.#slots = arrays.slots;
    this.#mask = arrays.slots.length - 1;
    this.#isReader = true;
  }
}

function hashOf(kind: number, companion: TermId, bytes: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(kind + 0x9e3779b1, 0x85ebca6b) ^ Math.imul(companion, 0xc2b2ae35);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
