import { contentHash } from '@cairn/events';

/** The SHA-256 of bytes, lower-case hex. An adapter has a faster one than {@link hashContent}. */
export type HashContent = (bytes: Uint8Array) => string | Promise<string>;

const SMALL_BYTES = 4096;

/** By the Web Cryptography API, beside the event loop; what is small at once. */
export const hashContent: HashContent = async (bytes) => {
  if (bytes.length <= SMALL_BYTES) return contentHash(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
