import { badArgument, CodedError } from '@cairn/errors';

/** Gives zeroed memory, at least as much as is asked for: the one place that decides between private and shared buffers. */
export type Allocate = (byteLength: number) => ArrayBufferLike;

/** Memory that only this thread sees: the default. */
export const allocatePrivate: Allocate = (byteLength) => new ArrayBuffer(byteLength);

/** Memory that workers can read. */
export const allocateShared: Allocate = (byteLength) => new SharedArrayBuffer(byteLength);

/** The same memory, refused with `ERR_ARGUMENT` (invalid) where it is no buffer or too small. */
export function checkedAllocate(allocate: Allocate): Allocate {
  return (byteLength) => {
    const buffer: unknown = allocate(byteLength);
    const tag = Object.prototype.toString.call(buffer);
    if (tag !== '[object ArrayBuffer]' && tag !== '[object SharedArrayBuffer]') {
      throw badArgument('what allocate gives', 'an ArrayBuffer or a SharedArrayBuffer', buffer);
    }
    const given = (buffer as ArrayBufferLike).byteLength;
    if (given >= byteLength) return buffer as ArrayBufferLike;
    const message = `what allocate gives must have at least the ${byteLength} bytes that it was asked for; got ${given}`;
    throw new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
  };
}

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
