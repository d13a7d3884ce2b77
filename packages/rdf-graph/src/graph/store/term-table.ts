import { CodedError } from '@cairn/errors';
import { isAllowedInIri } from '../../rdf/iri.ts';
import { isWellFormed } from '../../rdf/well-formed.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind } from '../port/term-kind.ts';
import { type Allocate, allocatePrivate, allocateUint32 } from './memory.ts';
import { copyInSlices, Pace } from './scheduler.ts';
import { prepared, Successor } from './successor.ts';
import { decodeUtf8, writeUtf8 } from './utf8.ts';

/** The arrays of a stretch of ids: what a snapshot stores. */
export type DictionaryPart = {
  /** Text of the terms, one after the other, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Where each term's text starts, counted from any base; one more entry than terms. */
  readonly starts: Uint32Array;
  readonly kinds: Uint8Array;
  /** Datatype or language of a literal, as id; 0 for others. */
  readonly companions: Uint32Array;
  readonly hashes: Uint32Array;
};

/** The arrays of a whole dictionary: what a worker needs to read terms. */
export interface DictionaryArrays extends DictionaryPart {
  readonly size: number;
  /** Ids by hash, 0 where free. */
  readonly slots: Uint32Array;
}

/** Terms between two looks at what must grow. */
const TERMS_PER_STEP = 256;

/** Finding the slot of a term, somewhere in memory, in the unit of {@link Pace}. */
const WORK_PER_PLACE = 8;

/** Bytes of text between two looks at whether the arena must grow. */
const BYTES_PER_STEP = 1 << 16;

export interface TermLimits {
  /** Offsets are 32 bits wide. */
  readonly maxBytes: number;
  /** Larger ids stand for the terms of one evaluation. */
  readonly maxTerms: number;
}

const LIMITS: TermLimits = { maxBytes: 0xffff_fff0, maxTerms: 0x7fff_ff00 };

/** From so many equal bytes on the comparison of two texts is work that counts. */
const MANY_ALIKE = 64;
/** Bytes that are compared in about ten nanoseconds. */
const BYTES_COMPARED_PER_STEP = 8;

/**
 * Interns texts of a kind to dense ids. Append-only: an id never changes its meaning.
 * Texts live in one byte arena and are found by open addressing. Cost of interning and finding: O(length of the text);
 * arrays that are nearly full are copied to larger ones with each term a little, so that none waits for all.
 */
export class TermTable {
  readonly #allocate: Allocate;
  readonly #limits: TermLimits;
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
  /** When so many bytes are used, or so many terms are there, something must be done for growth. */
  #bytesMark = 0;
  #termsMark = 0;
  #largerBytes: Successor<Uint8Array> | undefined;
  #largerTables: ReturnType<typeof createTables> | undefined;
  /** A larger hash table, that holds the ids below `placed`. */
  #largerSlots: { readonly slots: Uint32Array; placed: TermId } | undefined;

  constructor(allocate: Allocate = allocatePrivate, capacity = 1024, limits: TermLimits = LIMITS) {
    this.#allocate = allocate;
    this.#limits = limits;
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
    const start = this.#starts[from];
    return {
      bytes: this.#bytes.subarray(start, this.#starts[to]),
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
    return this.#kinds[id];
  }

  /** The id of the datatype (typed literals) or of the language tag (language strings). */
  companion(id: TermId): TermId {
    return this.#companions[id];
  }

  /** The IRI, label or lexical form of a term. */
  text(id: TermId): string {
    return decodeUtf8(this.#bytes, this.#starts[id], this.#starts[id + 1]);
  }

  /** The length of the IRI, label or lexical form of a term in UTF-8. */
  textBytes(id: TermId): number {
    return this.#starts[id + 1] - this.#starts[id];
  }

  /**
   * Compares the texts of two terms by code points: negative, zero or positive.
   * @param work is told of the steps, of about ten nanoseconds, when many bytes were alike
   */
  compareText(a: TermId, b: TermId, work: { note(steps: number): void }): number {
    const bytes = this.#bytes;
    const startA = this.#starts[a];
    const startB = this.#starts[b];
    const lengthA = this.#starts[a + 1] - startA;
    const lengthB = this.#starts[b + 1] - startB;
    const end = Math.min(lengthA, lengthB);
    let at = 0;
    while (at < end && bytes[startA + at] === bytes[startB + at]) at++;
    if (at >= MANY_ALIKE) work.note(at / BYTES_COMPARED_PER_STEP);
    return at < end ? bytes[startA + at] - bytes[startB + at] : lengthA - lengthB;
  }

  /** The id of bytes of a kind, made when they are new. */
  internBytes(kind: number, bytes: Uint8Array): TermId {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#used);
    return this.#settle(kind, 0, this.#used + bytes.length, true);
  }

  /**
   * The id of text of a kind, made when it is new and `create` is set; else 0.
   * @throws `ERR_TERM_UNSUPPORTED` (invalid) for what would not read back, where it is to be made: an IRI that is none,
   *   and text that is not well-formed
   */
  lookup(kind: number, companion: TermId, text: string, create: boolean): TermId {
    if (this.#isReader) return this.#read(kind, companion, text);
    this.#reserve(text.length * 3);
    const end = writeUtf8(this.#bytes, this.#used, text);
    // Text of ASCII alone is always well-formed.
    if (end - this.#used !== text.length && !isWellFormed(text)) {
      if (create) throw unreadable('text of whole characters', JSON.stringify(text.slice(0, SHOWN_UNITS)));
      return 0;
    }
    return this.#settle(kind, companion, end, create);
  }

  /** A reader writes nothing into the arena: another thread owns it. */
  #read(kind: number, companion: TermId, text: string): TermId {
    if (!isWellFormed(text)) return 0;
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
    if (!create) return 0;
    if (kind === TermKind.iri) checkIri(this.#bytes, start, end);
    return this.#append(kind, companion, hash, end);
  }

  #search(kind: number, companion: TermId, source: Uint8Array, start: number, length: number, hash: number): TermId {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[slot];
      if (id === 0) return 0;
      if (this.#hashes[id] === hash && this.#matches(id, kind, companion, source, start, length)) return id;
    }
  }

  #matches(id: TermId, kind: number, companion: TermId, source: Uint8Array, start: number, length: number): boolean {
    if (this.#kinds[id] !== kind || this.#companions[id] !== companion) return false;
    const from = this.#starts[id];
    if (this.#starts[id + 1] - from !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== source[start + i]) return false;
    return true;
  }

  #append(kind: number, companion: TermId, hash: number, end: number): TermId {
    const id = this.#size;
    if (id >= this.#termsMark) this.#makeRoomForTerms();
    this.#kinds[id] = kind;
    this.#companions[id] = companion;
    this.#hashes[id] = hash;
    this.#starts[id] = this.#used;
    this.#used = Math.max(end, this.#used);
    this.#starts[id + 1] = this.#used;
    this.#size = id + 1;
    if (id > DEFAULT_GRAPH_ID) place(this.#slots, id, hash);
    return id;
  }

  /** Brings growth as far as the number of terms demands. Afterwards there is room for {@link TERMS_PER_STEP} more. */
  #makeRoomForTerms(): void {
    const { maxTerms } = this.#limits;
    if (this.#size >= maxTerms) throw full(maxTerms, 'terms');
    const wanted = Math.min(maxTerms, this.#size + TERMS_PER_STEP);
    this.#growTables(wanted);
    this.#growSlots(wanted);
    this.#termsMark = wanted;
  }

  #growTables(wanted: number): void {
    const capacity = this.#hashes.length;
    const target = prepared(wanted, capacity);
    if (target === 0) return;
    this.#largerTables ??= createTables(this.#allocate, Math.max(capacity * 2, wanted));
    const { starts, kinds, companions, hashes } = this.#largerTables;
    const end = Math.min(target, this.#size);
    starts.fill(this.#starts, wanted > capacity ? this.#size + 1 : end);
    kinds.fill(this.#kinds, end);
    companions.fill(this.#companions, end);
    hashes.fill(this.#hashes, end);
    if (wanted <= capacity) return;
    this.#starts = starts.items;
    this.#kinds = kinds.items;
    this.#companions = companions.items;
    this.#hashes = hashes.items;
    this.#largerTables = undefined;
  }

  /** Half of the slots stay free. */
  #growSlots(wanted: number): void {
    const capacity = this.#slots.length / 2;
    const target = prepared(wanted, capacity);
    if (target === 0) return;
    this.#largerSlots ??= {
      slots: allocateUint32(this.#allocate, this.#slots.length * 2),
      placed: DEFAULT_GRAPH_ID + 1,
    };
    const { slots } = this.#largerSlots;
    const end = Math.min(target, this.#size);
    for (let id = this.#largerSlots.placed; id < end; id++) place(slots, id, this.#hashes[id]);
    this.#largerSlots.placed = Math.max(end, this.#largerSlots.placed);
    if (wanted <= capacity) return;
    this.#slots = slots;
    this.#mask = slots.length - 1;
    this.#largerSlots = undefined;
  }

  #reserve(byteLength: number): void {
    const needed = this.#used + byteLength;
    if (needed > this.#bytesMark) this.#makeRoomForBytes(needed);
  }

  #makeRoomForBytes(needed: number): void {
    const { maxBytes } = this.#limits;
    if (needed > maxBytes) throw full(maxBytes, 'bytes');
    const capacity = this.#bytes.length;
    const target = capacity === maxBytes ? 0 : prepared(needed, capacity);
    if (target > 0) {
      this.#largerBytes ??= this.#createArena(Math.max(needed, capacity * 2));
      this.#largerBytes.fill(this.#bytes, Math.min(target, this.#used));
    }
    if (needed > capacity) this.#takeLargerBytes(needed);
    this.#bytesMark = Math.min(this.#bytes.length, needed + BYTES_PER_STEP);
  }

  #takeLargerBytes(needed: number): void {
    // One long text may need more than was prepared.
    const prepared = this.#largerBytes;
    const larger =
      prepared !== undefined && prepared.items.length >= needed ? prepared : this.#createArena(needed * 1.25);
    larger.fill(this.#bytes, this.#used);
    this.#bytes = larger.items;
    this.#largerBytes = undefined;
  }

  #createArena(byteLength: number): Successor<Uint8Array> {
    const size = Math.min(this.#limits.maxBytes, Math.ceil(byteLength));
    return new Successor(new Uint8Array(this.#allocate(size), 0, size));
  }

  *#restore(part: DictionaryPart): Generator<void, void> {
    const from = this.#size;
    const shift = this.#used - part.starts[0];
    yield* copyInSlices(part.bytes, this.#bytes, this.#used);
    yield* copyInSlices(part.kinds, this.#kinds, from);
    yield* copyInSlices(part.companions, this.#companions, from);
    yield* copyInSlices(part.hashes, this.#hashes, from);
    this.#size = from + part.kinds.length;
    const pace = new Pace();
    for (let i = 0; i <= part.kinds.length; i++) {
      this.#starts[from + i] = part.starts[i] + shift;
      if (pace.did(1)) yield;
    }
    this.#used = this.#starts[this.#size];
    for (let id = Math.max(from, DEFAULT_GRAPH_ID + 1); id < this.#size; id++) {
      place(this.#slots, id, this.#hashes[id]);
      if (pace.did(WORK_PER_PLACE)) yield;
    }
  }

  /** The ids of the terms of a quoted triple: subject, predicate, object. */
  tripleIds(id: TermId): [TermId, TermId, TermId] {
    const start = this.#starts[id];
    const at = (offset: number) =>
      (this.#bytes[start + offset] |
        (this.#bytes[start + offset + 1] << 8) |
        (this.#bytes[start + offset + 2] << 16) |
        (this.#bytes[start + offset + 3] << 24)) >>>
      0;
    return [at(0), at(4), at(8)];
  }

  /** The id of bytes of a kind, or 0. */
  findBytes(kind: number, bytes: Uint8Array): TermId {
    return this.#search(kind, 0, bytes, 0, bytes.length, hashOf(kind, 0, bytes, 0, bytes.length));
  }

  /** Becomes what some stored parts hold, in the order of ids, in slices. */
  *restore(parts: readonly DictionaryPart[]): Generator<void, void> {
    this.#size = 0;
    this.#used = 0;
    this.#reserve(parts.reduce((sum, part) => sum + part.bytes.length, 0));
    for (const part of parts) yield* this.#restore(part);
  }

  adopt(arrays: DictionaryArrays): void {
    this.#size = arrays.size;
    this.#used = arrays.starts[arrays.size];
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

function createTables(allocate: Allocate, capacity: number) {
  return {
    starts: new Successor(allocateUint32(allocate, capacity + 1)),
    kinds: new Successor(new Uint8Array(allocate(capacity))),
    companions: new Successor(allocateUint32(allocate, capacity)),
    hashes: new Successor(allocateUint32(allocate, capacity)),
  };
}

/** Of a text that is refused so much is shown, in UTF-16 units. */
const SHOWN_UNITS = 100;

/** Uses of a byte in an IRI: 1 in a scheme, 2 first in a scheme, 4 elsewhere. */
const IRI_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const inScheme = /[a-zA-Z0-9+.-]/.test(character) ? 1 : 0;
  const isFirst = /[a-zA-Z]/.test(character) ? 2 : 0;
  return inScheme | isFirst | (isAllowedInIri(character) ? 4 : 0);
});
const COLON = 0x3a;

/** Once for each IRI, so on the bytes that were just written. @throws `ERR_TERM_UNSUPPORTED` (invalid) */
function checkIri(bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  if (at < end && (IRI_BYTES[bytes[at]] & 2) !== 0) while (at < end && (IRI_BYTES[bytes[at]] & 1) !== 0) at++;
  const hasScheme = at > start && at < end && bytes[at] === COLON;
  if (hasScheme) while (at < end && (IRI_BYTES[bytes[at]] & 4) !== 0) at++;
  if (hasScheme && at === end) return;
  throw unreadable('an absolute IRI', `<${decodeUtf8(bytes, start, end).slice(0, SHOWN_UNITS)}>`);
}

function unreadable(expected: string, got: string): CodedError {
  const message = `what a term says must be ${expected}, or it would not read back; got ${got}`;
  return new CodedError({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid', message });
}

/** Puts an id into the first free slot from where its hash points. */
function place(slots: Uint32Array, id: TermId, hash: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id;
}

function full(most: number, unit: string): CodedError {
  const message = `a dataset may hold ${most} ${unit} of terms; there is no room for another one`;
  return new CodedError({ code: 'ERR_DICTIONARY_FULL', kind: 'exhausted', message });
}

function hashOf(kind: number, companion: TermId, bytes: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(kind + 0x9e3779b1, 0x85ebca6b) ^ Math.imul(companion, 0xc2b2ae35);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
