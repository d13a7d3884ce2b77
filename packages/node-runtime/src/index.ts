export type { MultipartLimits } from './multipart/limits.ts';
export { type MultipartRequest, readMultipart } from './multipart/reader.ts';
