import { badArgument } from '@cairn/errors';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The SHA-256 of bytes, or of text as UTF-8: 64 characters of lower-case hex. */
export function contentHash(content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content;
  if (!(bytes instanceof Uint8Array)) throw badArgument('the content', 'bytes or text', bytes);
  return bytesToHex(sha256(bytes));
}

/** The SHA-256 of text as UTF-8: 32 bytes. */
export function textDigest(text: string): Uint8Array {
  return sha256(utf8.encode(text));
}

const utf8 = new TextEncoder();
