import iconv from 'iconv-lite';

/** Decodes bytes from a charset; one that is unknown counts as windows-1252. */
export function decode(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (iconv.encodingExists(charset)) return iconv.decode(buffer, charset);
  return isWebCharset(charset) ? new TextDecoder(charset).decode(buffer) : iconv.decode(buffer, 'windows-1252');
}

/** Whether {@link decode} knows a charset. */
export function isKnownCharset(charset: string): boolean {
  return iconv.encodingExists(charset) || isWebCharset(charset);
}

function isWebCharset(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}
