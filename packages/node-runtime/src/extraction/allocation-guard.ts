import { ExtractionLimitError } from './extraction-error.ts';

/** Smaller allocations are not looked at: they are cheap, and looking is not. */
const LOOKED_AT_BYTES = 1024 * 1024;

const CONSTRUCTORS = [
  'ArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
] as const;

type BufferConstructor = { new (...values: unknown[]): object; readonly BYTES_PER_ELEMENT?: number };

/**
 * Limits the memory of typed arrays in the current thread.
 *
 * The resource limits of a worker thread cover its JavaScript heap only; what typed arrays hold lies outside, and a
 * decoder that doubles its buffer until a bomb is inflated would take the whole process along.
 */
export class AllocationGuard {
  readonly #maxBytes: number;
  #tripped = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Replaces the global constructors of typed arrays by ones that ask first. */
  install(): void {
    for (const name of CONSTRUCTORS) {
      const original = Reflect.get(globalThis, name) as BufferConstructor;
      const bytesPerElement = original.BYTES_PER_ELEMENT ?? 1;
      const guarded = new Proxy(original, {
        construct: (target, values, newTarget) => {
          if (typeof values[0] === 'number') this.#ask(values[0] * bytesPerElement);
          return Reflect.construct(target, values, newTarget);
        },
      });
      Reflect.set(globalThis, name, guarded);
    }
  }

  /**
   * Runs one task, and fails it when it asked for too much, also where a library caught the refusal and went on.
   * @throws `ERR_EXTRACTION` naming the limit
   */
  async watch<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#tripped = false;
    try {
      return await task();
    } finally {
      this.#check();
    }
  }

  #check(): void {
    if (this.#tripped) throw new ExtractionLimitError('the memory of buffers', this.#maxBytes, 'bytes');
  }

  #ask(bytes: number): void {
    if (bytes < LOOKED_AT_BYTES || bytes + process.memoryUsage().arrayBuffers <= this.#maxBytes) return;
    this.#tripped = true;
    this.#check();
  }
}
