export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The numbers of an array in one with room for so many, or for twice as many as it had. */
export function grow<T extends NumberArray>(array: T, needed = 0): T {
  const grown = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  grown.set(array);
  return grown;
}
