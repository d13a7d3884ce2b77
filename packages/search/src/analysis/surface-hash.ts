/** The hash of no unit at all. */
export const NO_UNITS: number = 0x811c9dc5 | 0;

/** The hash of some units and one more (FNV-1a over UTF-16 units). */
export function mixUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function hashUnits(text: string, start: number, end: number): number {
  let hash = NO_UNITS;
  for (let i = start; i < end; i++) hash = mixUnit(hash, text.charCodeAt(i));
  return hash;
}
