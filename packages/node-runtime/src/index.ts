export { hashContent } from './content/hash.ts';
export type { ExtractionLimits } from './extraction/limits.ts';
export { createExtractionPool, type ExtractionPoolOptions } from './extraction/pool.ts';
export type { MultipartLimits } from './multipart/limits.ts';
export { type MultipartRequest, readMultipart } from './multipart/reader.ts';
export { createShaclPool, type ShaclPool, type ShaclPoolOptions } from './shacl/pool.ts';
export type { RunOptions } from './worker-pool/job.ts';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool/pool.ts';
export { serveTasks } from './worker-pool/serve.ts';
