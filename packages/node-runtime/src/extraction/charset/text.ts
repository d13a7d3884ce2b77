import { decode } from './decode.ts';
import { type CharsetHints, detectCharset } from './detect.ts';

export interface DecodedText {
  readonly text: string;
  readonly charset: string;
}

/**
 * Decodes a text in a charset that is detected. What cannot be decoded becomes U+FFFD; a byte order mark is dropped.
 */
export function decodeText(bytes: Uint8Array, hints?: CharsetHints): DecodedText {
  const charset = detectCharset(bytes, hints);
  return { text: decode(bytes, charset), charset };
}
