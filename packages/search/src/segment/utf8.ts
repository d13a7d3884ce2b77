const encoder = new TextEncoder();

/**
 * Writes a text in UTF-8 and returns where it ends; there must be room for three bytes for each UTF-16 unit. Most texts
 * here are short and ASCII, and copying their units beats a call of the encoder.
 */
export function writeUtf8(text: string, bytes: Uint8Array, start: number): number {
  const { length } = text;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return start + encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[start + i] = unit;
  }
  return start + length;
}
