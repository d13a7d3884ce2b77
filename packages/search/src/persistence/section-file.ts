import { CodedError } from '@cairn/errors';
import { checksum } from './checksum.ts';

/** The kinds of arrays that a file holds. */
type SectionArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Named arrays and a JSON header, as they are written to one blob. */
export interface SectionFile {
  readonly header: unknown;
  readonly sections: Readonly<Record<string, SectionArray>>;
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

/** Encodes a file: preamble, JSON header, then each array at a multiple of eight bytes. */
export function encodeSectionFile({ header, sections }: SectionFile): Uint8Array {
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
  for (const { name, offset } of entries) {
    const array = sections[name]!;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), dataStart + offset);
  }
  const view = new DataView(bytes.buffer);
  view.setUint32(8, head.length, true);
  view.setUint32(12, checksum(bytes.subarray(PREAMBLE_BYTES)), true);
  return bytes;
}

/**
 * Decodes a file. Its arrays are views of `source`, which must not change.
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt) or `ERR_SEGMENT_VERSION` (unsupported), naming the blob.
 */
export function decodeSectionFile(source: Uint8Array, blob: string): SectionFile {
  const bytes = source.byteOffset % 8 === 0 ? source : new Uint8Array(source);
  if (bytes.length < PREAMBLE_BYTES || new TextDecoder().decode(bytes.subarray(0, 7)) !== MAGIC) {
    throw corruptBlob(blob, 'it does not begin as a search segment does');
  }
  if (bytes[7]! > FORMAT_VERSION) throw newerFormat(blob, bytes[7]!);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (checksum(bytes.subarray(PREAMBLE_BYTES)) !== view.getUint32(12, true))
    throw corruptBlob(blob, 'its checksum differs');
  const headLength = view.getUint32(8, true);
  if (PREAMBLE_BYTES + headLength > bytes.length) throw corruptBlob(blob, 'its header is cut short');
  return readSections(bytes, headLength, blob);
}

function readSections(bytes: Uint8Array, headLength: number, blob: string): SectionFile {
  try {
    const text = new TextDecoder().decode(bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + headLength));
    const { header, entries } = JSON.parse(text) as { header: unknown; entries: readonly SectionEntry[] };
    const dataStart = bytes.byteOffset + align(PREAMBLE_BYTES + headLength);
    const sections: Record<string, SectionArray> = {};
    for (const { name, type, offset, length } of entries) {
      sections[name] = new ARRAY_TYPES[type](bytes.buffer as ArrayBuffer, dataStart + offset, length);
    }
    return { header, sections };
  } catch (error) {
    throw corruptBlob(blob, 'its header does not describe it', error);
  }
}

/** The error of a blob that is not what was written: `ERR_SEGMENT_CORRUPT` (corrupt). */
export function corruptBlob(blob: string, problem: string, cause?: unknown): CodedError {
  return new CodedError({
    code: 'ERR_SEGMENT_CORRUPT',
    kind: 'corrupt',
    message: `the blob ${blob} is damaged: ${problem}`,
    cause,
  });
}

function newerFormat(blob: string, version: number): CodedError {
  return new CodedError({
    code: 'ERR_SEGMENT_VERSION',
    kind: 'unsupported',
    message: `the blob ${blob} has format version ${version}; this software reads up to ${FORMAT_VERSION}`,
  });
}

function typeNameOf(array: SectionArray): ArrayTypeName {
  const names = Object.keys(ARRAY_TYPES) as ArrayTypeName[];
  return names.find((name) => array instanceof ARRAY_TYPES[name])!;
}

function align(size: number): number {
  return (size + 7) & ~7;
}
