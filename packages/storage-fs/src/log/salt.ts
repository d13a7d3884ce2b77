const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** By the highest byte of an entry of the table: which entry that is. Each occurs once. */
const BY_HIGH_BYTE = new Uint8Array(256);
for (let index = 0; index < 256; index++) BY_HIGH_BYTE[TABLE[index] >>> 24] = index;

/**
 * Runs a CRC32 backwards: returns the value it was begun with, from its result and the bytes. So any batch of a segment
 * tells its salt when the segment's own header is damaged.
 */
export function crcStart(bytes: Uint8Array, crc: number): number {
  let state = ~crc >>> 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const index = BY_HIGH_BYTE[state >>> 24];
    state = (((state ^ TABLE[index]) << 8) | (index ^ bytes[at])) >>> 0;
  }
  return ~state >>> 0;
}
