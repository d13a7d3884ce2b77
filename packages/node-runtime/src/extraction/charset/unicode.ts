// UTF-32 little-endian starts as UTF-16 little-endian does, so it comes first.
const BOMS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The charset that a byte order mark at the start says, if there is one. */
export function findBom(bytes: Uint8Array): string | undefined {
  return BOMS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** UTF-16 without a mark: text with many ASCII characters has a zero in every other byte, on one side only. */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(bytes.length, 4096) & ~1;
  if (length < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++;
    if (bytes[i + 1] === 0) odd++;
  }
  const many = length / 2 / 5;
  if (odd > many && even * 20 < odd) return 'utf-16le';
  if (even > many && odd * 20 < even) return 'utf-16be';
  return undefined;
}
