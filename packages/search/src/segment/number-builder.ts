import { grow } from '../memory/grow.ts';
import { ByteBuffer, IntBuffer } from '../postings/growable.ts';
import { copyInSteps } from '../postings/stepwise-copy.ts';
import type { NumericColumn } from './segment.ts';

/** Collects the numbers and instants of one field in document order. */
export class NumberBuilder {
  readonly #path: string;
  readonly #document: IntBuffer;
  readonly #labelSet: IntBuffer;
  readonly #isDate: ByteBuffer;
  #values: Float64Array;

  /** Makes room for some entries; more may come. */
  constructor(path: string, entries = 16) {
    this.#path = path;
    this.#document = new IntBuffer(entries);
    this.#labelSet = new IntBuffer(entries);
    this.#isDate = new ByteBuffer(entries);
    this.#values = new Float64Array(entries);
  }

  add(document: number, labelSet: number, value: number, isDate: boolean): void {
    const at = this.#document.length;
    if (at === this.#values.length) this.#values = grow(this.#values);
    this.#values[at] = value;
    this.#document.push(document);
    this.#labelSet.push(labelSet);
    this.#isDate.writeByte(isDate ? 1 : 0);
  }

  /** Everything that was added. Yields where it may pause. */
  *finish(): Generator<void, NumericColumn> {
    return {
      path: this.#path,
      document: yield* this.#document.toUint32(),
      labelSet: yield* this.#labelSet.toColumn(),
      value: yield* copyInSteps(this.#values.subarray(0, this.#document.length)),
      isDate: yield* this.#isDate.copyInSteps(),
    };
  }
}
