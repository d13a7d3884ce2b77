export type { Extraction, ExtractionRequest, Extractor } from './port/extractor.ts';
export type { UploadPart } from './port/upload-part.ts';
