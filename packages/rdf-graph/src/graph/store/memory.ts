/** Gives zeroed memory: the one place that decides between private and shared buffers. */
export type Allocate = (byteLength: number) => ArrayBufferLike;

/** Memory that only this thread sees: the default. */
export const allocatePrivate: Allocate = (byteLength) => new ArrayBuffer(byteLength);

/** Memory that workers can read. */
export const allocateShared: Allocate = (byteLength) => new SharedArrayBuffer(byteLength);

/** An array of `length` 32-bit numbers, all 0. */
export function allocateUint32(allocate: Allocate, length: number): Uint32Array {
  return new Uint32Array(allocate(length * 4), 0, length);
}

/** A copy of `source` with room for `length` numbers. */
export function growUint32(source: Uint32Array, length: number): Uint32Array {
  const grown = new Uint32Array(length);
  grown.set(source);
  return grown;
}
