import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ExtractionLimitError } from './extraction-error.ts';

let collectGarbage: (() => void) | undefined;

/**
 * Fails the document when the objects of the current thread are more than it may hold.
 *
 * V8 ends the process, not only the thread, when one large allocation goes over a thread's heap limit by more than 16
 * MiB. So readers ask here on the way, and the heap limit of the thread lies far above.
 * @throws `ERR_EXTRACTION` naming the limit. Cost: microseconds below the limit; above it, one collection of garbage.
 */
export function checkHeap(maxHeapBytes: number): void {
  if (process.memoryUsage().heapUsed <= maxHeapBytes) return;
  collectGarbage ??= exposeGarbageCollection();
  collectGarbage();
  if (process.memoryUsage().heapUsed > maxHeapBytes) {
    throw new ExtractionLimitError('the memory of the reader', maxHeapBytes, 'bytes');
  }
}

/** Garbage that nobody collected yet must not count against a document. */
function exposeGarbageCollection(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
