import iconv from 'iconv-lite';

/** Encodings of the library that are not charsets of texts. */
const NO_CHARSETS: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'binary',
  'utf7',
  'utf-7',
  'utf7imap',
  'utf-7-imap',
]);

/** Decodes bytes from a charset; one that is unknown counts as windows-1252. */
export function decode(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (iconv.encodingExists(charset)) return iconv.decode(buffer, charset);
  return isWebCharset(charset) ? new TextDecoder(charset).decode(buffer) : iconv.decode(buffer, 'windows-1252');
}

/** Returns true if {@link decode} knows a charset. */
export function isKnownCharset(charset: string): boolean {
  return !NO_CHARSETS.has(charset.toLowerCase()) && (iconv.encodingExists(charset) || isWebCharset(charset));
}

function isWebCharset(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}
