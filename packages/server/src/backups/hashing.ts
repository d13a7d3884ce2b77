import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Size and hash of a file. */
export interface FileSum {
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, lower-case hex. */
  readonly sha256: string;
}

/** Size and SHA-256 of a file. @throws what the medium throws */
export async function hashFile(file: string): Promise<FileSum> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
