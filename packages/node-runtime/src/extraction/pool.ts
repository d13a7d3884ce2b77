import { availableParallelism } from 'node:os';
import { badArgument, checkObject, checkText, isCodedError } from '@cairn/errors';
import type { Extraction, ExtractionRequest, Extractor } from '@cairn/ingest';
import { WorkerPool } from '../worker-pool/pool.ts';
import { locateWorkerFile } from '../worker-pool/worker-file.ts';
import { malformed } from './extraction-error.ts';
import { type ExtractionLimits, resolveExtractionLimits } from './limits.ts';

/** Options of {@link createExtractionPool}. */
export interface ExtractionPoolOptions extends ExtractionLimits {
  /** Threads at most. Default: the processors less one, at least 2: one document that takes long leaves one free. */
  readonly workers?: number | undefined;
  /** JavaScript objects, and again as much in buffers, that one worker may hold, in MiB. Default 512. */
  readonly memoryMb?: number | undefined;
  /** For one document, in milliseconds. Default 30000. */
  readonly timeLimitMs?: number | undefined;
  /** Documents that may wait for a worker; more are refused with `ERR_WORKER_QUEUE`. Default 1000. */
  readonly maxQueued?: number | undefined;
}

const TIME_LIMIT_MS = 30_000;
/** The largest step in which a reader can grow its heap between two looks at it, and some more. */
const HEAP_MARGIN_MB = 512;

/** The ways in which a document, and not the pool, brings its worker down. */
const DOCUMENT_FAULTS: ReadonlySet<string> = new Set([
  'ERR_WORKER_TIME',
  'ERR_WORKER_MEMORY',
  'ERR_WORKER_DIED',
  'ERR_WORKER_TASK',
]);

/**
 * Creates an extractor that reads each document in a worker thread, under limits of time and memory.
 *
 * It starts no thread before the first document, and does not keep the process alive while idle. The bytes are copied
 * once on the way to the worker, unless they are handed over.
 * @throws `ERR_WORKER_MISSING` when the package was not built.
 */
export function createExtractionPool(options: ExtractionPoolOptions = {}): Extractor {
  checkObject(options, 'the options of a pool');
  const memoryMb = options.memoryMb ?? 512;
  const bytes = memoryMb * 1024 * 1024;
  const limits = resolveExtractionLimits({
    ...options,
    maxHeapBytes: options.maxHeapBytes ?? bytes,
    maxBufferBytes: options.maxBufferBytes ?? bytes,
  });
  const { workers = Math.max(2, availableParallelism() - 1), timeLimitMs, maxQueued } = options;
  const ownLimitMs = timeLimitMs ?? TIME_LIMIT_MS;
  const pool = new WorkerPool<ExtractionRequest, Extraction>({
    ...{ workers, timeLimitMs: ownLimitMs, maxQueued },
    url: locateWorkerFile('extraction/worker.js'),
    memoryMb: memoryMb + HEAP_MARGIN_MB,
    workerData: limits,
  });
  return {
    async extract(request, options = {}) {
      checkRequest(request);
      checkObject(options, 'the options of an extraction');
      const { bytes, isHandedOver, filename, declaredType } = request;
      const { signal, timeLimitMs: givenMs = ownLimitMs } = options;
      const own = isHandedOver && fillsItsBuffer(bytes) ? bytes : Uint8Array.prototype.slice.call(bytes);
      try {
        const task = { bytes: own, filename, declaredType };
        const limitMs = Math.min(givenMs, ownLimitMs);
        return await pool.run(task, { signal, timeLimitMs: limitMs, transfer: [own.buffer as ArrayBuffer] });
      } catch (error) {
        if (!isCodedError(error) || !DOCUMENT_FAULTS.has(error.code)) throw error;
        // Within the limit of the pool it may still be read.
        if (error.code === 'ERR_WORKER_TIME' && givenMs < ownLimitMs) throw error;
        throw malformed(`the document could not be read: ${error.message}`, error);
      }
    },
    close: () => pool.close(),
  };
}

function checkRequest(request: ExtractionRequest): void {
  checkObject(request, 'the document');
  const { bytes, filename, declaredType } = request;
  if (!(bytes instanceof Uint8Array)) throw badArgument('the content of a document', 'bytes', bytes);
  checkText(filename, 'the name of a document');
  if (declaredType !== undefined) checkText(declaredType, 'the declared type of a document');
}

/** Otherwise a view would take the whole buffer behind it along, which may hold other documents. */
function fillsItsBuffer({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
