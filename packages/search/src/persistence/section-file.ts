import { CodedError } from '@cairn/errors';
import { bytesOf, copyBytesInSteps, copyInSteps } from '../postings/stepwise-copy.ts';
import { checksumInSteps } from './checksum.ts';

export type SectionArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Named arrays and a JSON header, as they are written to one blob. */
export interface SectionFile {
  readonly header: unknown;
  readonly sections: Readonly<Record<string, SectionArray>>;
}

/** The bytes of a blob, its name, and the checksum that whoever names it knows. */
export interface SectionSource {
  readonly blob: string;
  readonly bytes: Uint8Array;
  readonly checksum?: number | undefined;
}

const ARRAY_TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const;
type ArrayTypeName = keyof typeof ARRAY_TYPES;

interface SectionEntry {
  readonly name: string;
  readonly type: ArrayTypeName;
  /** Bytes from the start of the file, a multiple of 8. */
  readonly offset: number;
  readonly length: number;
}

const MAGIC = 'CAIRNSR';
/** Version of the layout. A newer one is refused by name. */
export const FORMAT_VERSION = 1;
/** Magic, version byte, length of the header, checksum of everything behind. */
const PREAMBLE_BYTES = 16;

/** Encodes a file: preamble, JSON header, then each array at a multiple of eight bytes. Yields where it may pause. */
export function* encodeSectionFile({ header, sections }: SectionFile): Generator<void, Uint8Array> {
  const entries: SectionEntry[] = [];
  let size = 0;
  for (const [name, array] of Object.entries(sections)) {
    entries.push({ name, type: typeNameOf(array), offset: size, length: array.length });
    size = align(size + array.byteLength);
  }
  const head = new TextEncoder().encode(JSON.stringify({ header, entries }));
  const dataStart = align(PREAMBLE_BYTES + head.length);
  const bytes = new Uint8Array(dataStart + size);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes[7] = FORMAT_VERSION;
  bytes.set(head, PREAMBLE_BYTES);
  for (const { name, offset } of entries) yield* copyBytesInSteps(bytesOf(sections[name]), bytes, dataStart + offset);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, head.length, true);
  view.setUint32(12, yield* checksumInSteps(bytes.subarray(PREAMBLE_BYTES)), true);
  return bytes;
}

export function checksumOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(12, true);
}

/**
 * Decodes a file. Its arrays are views of the source's bytes, which must not change. Yields where it may pause.
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt) or `ERR_SEGMENT_VERSION` (unsupported), naming the blob.
 */
export function* decodeSectionFile(source: SectionSource): Generator<void, SectionFile> {
  const { blob } = source;
  const { buffer, byteOffset, length } = source.bytes;
  // A copy begins where its memory does. A subclass, such as `Buffer`, would make a copy of its own kind.
  const bytes = byteOffset % 8 === 0 ? source.bytes : yield* copyInSteps(new Uint8Array(buffer, byteOffset, length));
  if (bytes.length < PREAMBLE_BYTES || new TextDecoder().decode(bytes.subarray(0, 7)) !== MAGIC) {
    throw corruptBlob(blob, 'it does not begin as a search segment does');
  }
  if (bytes[7] > FORMAT_VERSION) throw newerFormat(`blob ${blob}`, bytes[7]);
  const sum = yield* checksumInSteps(bytes.subarray(PREAMBLE_BYTES));
  if (bytes[7] !== FORMAT_VERSION || sum !== checksumOf(bytes)) throw corruptBlob(blob, 'its checksum differs');
  if (source.checksum !== undefined && source.checksum !== sum)
    throw corruptBlob(blob, 'it is not the one that is named');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headLength = view.getUint32(8, true);
  if (PREAMBLE_BYTES + headLength > bytes.length) throw corruptBlob(blob, 'its header is cut short');
  return readSections(bytes, headLength, blob);
}

function readSections(bytes: Uint8Array, headLength: number, blob: string): SectionFile {
  try {
    const text = new TextDecoder().decode(bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + headLength));
    const { header, entries } = JSON.parse(text) as { header: unknown; entries: readonly SectionEntry[] };
    const dataStart = align(PREAMBLE_BYTES + headLength);
    const sections = entries.map(({ name, type, offset, length }) => {
      const array = new ARRAY_TYPES[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + dataStart + offset, length);
      // The bytes may be a part of a larger buffer, of which this file is not.
      if (!(offset >= 0) || dataStart + offset + array.byteLength > bytes.length) throw new RangeError(name);
      return [name, array] as const;
    });
    return { header, sections: Object.fromEntries(sections) };
  } catch (error) {
    throw corruptBlob(blob, 'its header does not describe it', error);
  }
}

/** The error of a blob that is not what was written: `ERR_SEGMENT_CORRUPT` (corrupt). */
export function corruptBlob(blob: string, problem: string, cause?: unknown): CodedError {
  const message = `the blob ${blob} is damaged: ${problem}`;
  return new CodedError({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt', message, cause });
}

/** `ERR_SEGMENT_VERSION` (unsupported) of a blob or a manifest. */
export function newerFormat(name: string, version: number): CodedError {
  const message = `the ${name} has format version ${version}; this software reads up to ${FORMAT_VERSION}`;
  return new CodedError({ code: 'ERR_SEGMENT_VERSION', kind: 'unsupported', message });
}

function typeNameOf(array: SectionArray): ArrayTypeName {
  for (const name of Object.keys(ARRAY_TYPES) as ArrayTypeName[]) if (array instanceof ARRAY_TYPES[name]) return name;
  throw new TypeError('an array of a section has no known type');
}

function align(size: number): number {
  return Math.ceil(size / 8) * 8;
}
