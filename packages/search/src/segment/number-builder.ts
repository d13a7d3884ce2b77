import { IntBuffer } from '../postings/growable.ts';
import type { NumericColumn } from './segment.ts';

/** Collects the numbers and instants of one field in document order. */
export class NumberBuilder {
  private readonly path: string;
  private readonly document = new IntBuffer(16);
  private readonly labelSet = new IntBuffer(16);
  private readonly values: number[] = [];
  private readonly isDate: number[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(document: number, labelSet: number, value: number, isDate: boolean): void {
    this.document.push(document);
    this.labelSet.push(labelSet);
    this.values.push(value);
    this.isDate.push(isDate ? 1 : 0);
  }

  finish(): NumericColumn {
    return {
      path: this.path,
      document: this.document.toUint32(),
      labelSet: this.labelSet.toColumn(),
      value: new Float64Array(this.values),
      isDate: new Uint8Array(this.isDate),
    };
  }
}
