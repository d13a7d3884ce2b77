const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Writes text as UTF-8 and returns the offset after it. `target` must have room for three bytes per code unit. */
export function writeUtf8(target: Uint8Array, offset: number, text: string): number {
  const length = text.length;
  let at = offset;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return writeWide(target, at, i === 0 ? text : text.slice(i));
    target[at++] = unit;
  }
  return at;
}

function writeWide(target: Uint8Array, offset: number, text: string): number {
  const bytes = encoder.encode(text);
  target.set(bytes, offset);
  return offset + bytes.length;
}

/** The text of a range of UTF-8 bytes, from private or shared memory. */
export function decodeUtf8(source: Uint8Array, start: number, end: number): string {
  if (end - start > 256) return decoder.decode(source.slice(start, end));
  let text = '';
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const a = source[at]!;
    const b = source[at + 1]!;
    const c = source[at + 2]!;
    const d = source[at + 3]!;
    if ((a | b | c | d) > 127) return decoder.decode(source.slice(start, end));
    text += String.fromCharCode(a, b, c, d);
  }
  for (; at < end; at++) {
    const unit = source[at]!;
    if (unit > 127) return decoder.decode(source.slice(start, end));
    text += String.fromCharCode(unit);
  }
  return text;
}
