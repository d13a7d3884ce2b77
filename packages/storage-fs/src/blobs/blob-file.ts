import { crc32 } from 'node:zlib';
import { CodedError } from '@cairn/errors';
import { type EnvelopeFormat, newerFormat } from '../files/envelope.ts';
import { isNoFile, type OpenFile } from '../files/file-system.ts';

/**
 * Size of the header before the content of a blob's file: magic, version, CRC32 of this header, size, CRC32 of the
 * content.
 */
export const BLOB_HEADER_BYTES = 32;

const MAGIC = 'CAIRNBLB';
const VERSION = 1;

export const MANIFEST: EnvelopeFormat = {
  magic: 'CAIRNMAN',
  version: 1,
  corrupt: 'ERR_BLOB_CORRUPT',
  newer: 'ERR_BLOB_VERSION',
};

export interface BlobHeader {
  readonly sizeBytes: number;
  readonly contentCrc: number;
}

export function createBlobHeader({ sizeBytes, contentCrc }: BlobHeader): Buffer {
  const bytes = Buffer.alloc(BLOB_HEADER_BYTES);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(VERSION, 8);
  bytes.writeDoubleLE(sizeBytes, 16);
  bytes.writeUInt32LE(contentCrc, 24);
  bytes.writeUInt32LE(headerCrc(bytes), 12);
  return bytes;
}

/**
 * Reads the header of an open blob's file.
 * @throws `ERR_BLOB_CORRUPT` (corrupt) when damaged or cut, `ERR_BLOB_VERSION` (unsupported) when of a later release
 */
export async function readBlobHeader(handle: OpenFile, file: string): Promise<BlobHeader> {
  const bytes = Buffer.alloc(BLOB_HEADER_BYTES);
  const count = await handle.read(bytes, 0);
  if (count < BLOB_HEADER_BYTES) throw blobCorrupt(file, count, 'its header is cut short');
  if (bytes.toString('latin1', 0, 8) !== MAGIC) throw blobCorrupt(file, 0, `it does not start with ${MAGIC}`);
  if (bytes.readUInt32LE(8) > VERSION) throw newerFormat('ERR_BLOB_VERSION', file, bytes.readUInt32LE(8), VERSION);
  if (bytes.readUInt32LE(12) !== headerCrc(bytes)) throw blobCorrupt(file, 0, 'its header fails its checksum');
  const header = { sizeBytes: bytes.readDoubleLE(16), contentCrc: bytes.readUInt32LE(24) };
  const size = await handle.size();
  if (size === BLOB_HEADER_BYTES + header.sizeBytes) return header;
  throw blobCorrupt(file, size, 'it is not as long as its header says');
}

/** Runs a step that reads a file. @throws `ERR_BLOB_CORRUPT` (corrupt) when it is none, else what the step throws */
export async function readingFile<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isNoFile(error) ? blobCorrupt(file, 0, `it is no file (${(error as NodeJS.ErrnoException).code})`) : error;
  }
}

export function blobCorrupt(file: string, offset: number, reason: string): CodedError {
  const message = `${file} is damaged at offset ${offset}: ${reason}`;
  return new CodedError({ code: 'ERR_BLOB_CORRUPT', kind: 'corrupt', message });
}

function headerCrc(bytes: Buffer): number {
  return crc32(bytes.subarray(16), crc32(bytes.subarray(0, 12)));
}
