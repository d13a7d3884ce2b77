import type { BlobInfo, BlobStore } from '../blobs/blob-store.ts';
import { concatenateBytes } from '../content/bytes.ts';

/** Implementation that the cases of {@link BlobStore} run against: an empty store for each case. */
export interface BlobStoreHarness {
  readonly blobs: BlobStore;
  /** Size of the largest source in bytes, 1 MiB and up. Default 3 MiB; 64 MiB approaches real loads. */
  readonly sourceBytes?: number | undefined;
  /** Number of random sources. Default 6. */
  readonly sourceCount?: number | undefined;
  /** For durable stores: closes the store and opens what it stored. The new store is closed by the case. */
  readonly reopen?: () => Promise<BlobStore>;
  /**
   * For stores whose bytes can be damaged beneath them: flips a bit in the middle of a blob, or cuts off its last
   * bytes, without the store knowing.
   */
  readonly damage?: (name: string, how: 'flip' | 'cut') => Promise<void>;
  /** Called once after the case, even a failed one. Closing a closed store does no harm. */
  readonly dispose?: () => Promise<void>;
}

/** Returns bytes that differ from place to place. */
export function patternBytes(count: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: count }, (_, n) => (n * 31 + (n >> 8) * 7 + seed) & 255);
}

export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return concatenateBytes(parts);
}

export async function listAll(blobs: BlobStore, prefix?: string): Promise<BlobInfo[]> {
  const infos: BlobInfo[] = [];
  for await (const info of blobs.list(prefix)) infos.push(info);
  return infos;
}
