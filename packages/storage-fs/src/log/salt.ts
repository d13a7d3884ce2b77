const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** By the highest byte of an entry of the table: which entry that is. Each occurs once. */
const BY_HIGH_BYTE = new Map([...TABLE].map((value, index) => [value >>> 24, index]));

/**
 * The value that a CRC32 over bytes was begun with, from its result: a checksum run backwards. So the salt of a segment
 * is known from any of its batches when its own header is damaged.
 */
export function crcStart(bytes: Uint8Array, crc: number): number {
  let state = ~crc >>> 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const index = BY_HIGH_BYTE.get(state >>> 24)!;
    state = (((state ^ TABLE[index]) << 8) | (index ^ bytes[at])) >>> 0;
  }
  return ~state >>> 0;
}
