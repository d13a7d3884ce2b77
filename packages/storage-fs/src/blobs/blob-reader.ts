import { crc32 } from 'node:zlib';
import { readableOnce } from '@cairn/errors';
import { type ByteRange, clampRange } from '@cairn/events';
import { withFile } from '../files/durable-file.ts';
import { type FileSystem, isNoFile, type OpenFile } from '../files/file-system.ts';
import { BLOB_HEADER_BYTES, type BlobHeader, blobCorrupt, readBlobHeader, readingFile } from './blob-file.ts';

const CHUNK_BYTES = 256 * 1024;

/** Read and hashed at once: others have their turn while the medium gives the next piece. */
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Reads a blob's file or a range of it; `undefined` when there is none. A whole read is checked.
 * @throws `ERR_BLOB_CORRUPT` (corrupt) on damage
 */
export async function readBlob(fs: FileSystem, file: string, range?: ByteRange): Promise<Uint8Array | undefined> {
  return withBlob(fs, file, async (handle) => {
    const header = await readBlobHeader(handle, file);
    const { start, end } = clampRange(range, header.sizeBytes);
    const bytes = new Uint8Array(end - start);
    let crc = 0;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      await readFully(handle, file, piece, start + at);
      crc = crc32(piece, crc);
    }
    if (bytes.length === header.sizeBytes) checkContent(file, header, crc);
    return bytes;
  });
}

/** Streams the same in chunks. The file is open while they are read, and closed when the reader stops early. */
export async function streamBlob(
  fs: FileSystem,
  file: string,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  return withBlob(fs, file, async (handle) => {
    const header = await readBlobHeader(handle, file);
    return readableOnce(chunksOf(fs, file, header, clampRange(range, header.sizeBytes)));
  });
}

function withBlob<T>(fs: FileSystem, file: string, use: (handle: OpenFile) => Promise<T>): Promise<T | undefined> {
  return readingFile(file, () => withFile(fs, file, use));
}

/** Returns the size of a blob, `undefined` when there is none; 0 when it is damaged so that it is no file. */
export async function blobSize(fs: FileSystem, file: string): Promise<number | undefined> {
  const size = await fs.sizeOf(file).catch((error: unknown) => {
    if (isNoFile(error)) return 0;
    throw error;
  });
  return size === undefined ? undefined : Math.max(0, size - BLOB_HEADER_BYTES);
}

/** Opens the file anew, so that a stream that nobody reads holds nothing. */
async function* chunksOf(
  fs: FileSystem,
  file: string,
  header: BlobHeader,
  { start, end }: Required<ByteRange>,
): AsyncGenerator<Uint8Array> {
  const handle = await readingFile(file, () => fs.open(file, 'read'));
  try {
    let crc = 0;
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
      await readFully(handle, file, chunk, at);
      crc = crc32(chunk, crc);
      if (at + chunk.length === header.sizeBytes && start === 0) checkContent(file, header, crc);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

async function readFully(handle: OpenFile, file: string, bytes: Uint8Array, start: number): Promise<void> {
  const count = await handle.read(bytes, BLOB_HEADER_BYTES + start);
  if (count < bytes.length) throw blobCorrupt(file, BLOB_HEADER_BYTES + start + count, 'it is cut short');
}

function checkContent(file: string, header: BlobHeader, crc: number): void {
  if (crc !== header.contentCrc) throw blobCorrupt(file, BLOB_HEADER_BYTES, 'its content fails its checksum');
}
