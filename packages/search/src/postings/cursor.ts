/** The document of a cursor that is past its last. */
export const END = 0x7fffffff;

/** Walks matching documents in ascending order. Before the first `next` or `advance` it is at -1. */
export interface Cursor {
  readonly document: number;
  /** Steps to the next document and returns it, or `END`. */
  next(): number;
  /** Steps to the first document at or after `target`, which lies past the current one, and returns it. */
  advance(target: number): number;
}
