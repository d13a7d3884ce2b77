export { hashContent } from './content/hash.ts';
export type { ExtractionLimits } from './extraction/limits.ts';
export { createExtractionPool, type ExtractionPoolOptions } from './extraction/pool.ts';
export type { MultipartLimits } from './multipart/limits.ts';
export { type MultipartRequest, readMultipart } from './multipart/reader.ts';
