import { crc32 } from 'node:zlib';
import { CodedError, type ErrorCode } from '@cairn/errors';

const HEADER_BYTES = 24;

/** Magic of a small file, and the codes of its errors. */
export interface EnvelopeFormat {
  /** 8 ASCII characters. */
  readonly magic: string;
  readonly version: number;
  readonly corrupt: ErrorCode;
  readonly newer: ErrorCode;
}

/** Returns a small file's content: magic, format version, CRC32, length, then the bytes. */
export function sealEnvelope(format: EnvelopeFormat, bytes: Uint8Array): Buffer {
  const file = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  file.write(format.magic, 0, 8, 'latin1');
  file.writeUInt32LE(format.version, 8);
  file.writeUInt32LE(crc32(bytes), 12);
  file.writeDoubleLE(bytes.length, 16);
  file.set(bytes, HEADER_BYTES);
  return file;
}

/**
 * Returns the bytes in a file of {@link sealEnvelope}.
 * @throws the format's `corrupt` code (corrupt) when damaged, its `newer` code (unsupported) when of a later version
 */
export function openEnvelope(format: EnvelopeFormat, file: Buffer, name: string): Buffer {
  const known = file.length >= HEADER_BYTES && file.toString('latin1', 0, 8) === format.magic;
  if (!known) throw damaged(format, name, `does not start with ${format.magic}`, 0);
  const version = file.readUInt32LE(8);
  if (version > format.version) throw newerFormat(format.newer, name, version, format.version);
  const bytes = file.subarray(HEADER_BYTES);
  if (file.readDoubleLE(16) !== bytes.length) throw damaged(format, name, 'is cut short', file.length);
  if (file.readUInt32LE(12) !== crc32(bytes)) throw damaged(format, name, 'fails its checksum', HEADER_BYTES);
  return bytes;
}

export function newerFormat(code: ErrorCode, file: string, version: number, known: number): CodedError {
  const message = `${file} has format version ${version}; this release reads up to version ${known}`;
  return new CodedError({ code, kind: 'unsupported', message });
}

function damaged(format: EnvelopeFormat, name: string, reason: string, offset: number): CodedError {
  const message = `${name} ${reason}, at offset ${offset}`;
  return new CodedError({ code: format.corrupt, kind: 'corrupt', message });
}
