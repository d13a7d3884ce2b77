export {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterDetail,
  listDeadLetters,
  retryDeadLetter,
  showDeadLetter,
} from './dead-letters/dead-letters.ts';
export type { EraseValues, Erasure, Forgettable } from './deletion/forget.ts';
export type { EntityMappingOptions } from './entity-documents/mapping.ts';
export {
  type AnnotatedDocument,
  type Deletion,
  type DocumentText,
  EVENT_TYPE,
  INGEST_HEADER,
  PIPELINE_SCHEMA_VERSION,
  TOPIC,
} from './pipeline/contract.ts';
export type { Clock } from './port/clock.ts';
export type { Extraction, ExtractionRequest, Extractor } from './port/extractor.ts';
export type { HashContent } from './port/hash-content.ts';
export type { UploadPart } from './port/upload-part.ts';
export { deadLetterTopic, type FailedEvent } from './projector/dead-letter.ts';
export type { WaitOptions } from './projector/position-waiters.ts';
export type {
  BackOff,
  FlushPolicy,
  OnProjectorNotice,
  ProjectionTarget,
  Projector,
  ProjectorFigures,
  ProjectorNotice,
  ProjectorOptions,
  ProjectorState,
} from './projector/projector.ts';
export { createProjector } from './projector/runner.ts';
export type { RebuildOptions } from './rebuild/rebuild.ts';
export type { ParseYaml } from './replay/file-event.ts';
export { type ReplayOptions, replayFiles } from './replay/replay.ts';
export { parseRoute, parseRoutes, type RouteSource } from './routes/parser.ts';
export type { HeaderConfig, HeaderPriority, RouteConfig } from './routes/route.ts';
export type { UploadQueueOptions } from './upload/queue.ts';
export type { UploadOutcome, UploadRequest, UploadResult } from './upload/upload.ts';
export { createIngest } from './wiring/create-ingest.ts';
export type {
  CorrectionOutcome,
  ForgetOptions,
  Ingest,
  IngestFigures,
  LoadOutcome,
  LoadRequest,
  ReannotateRequest,
  RoutedUpload,
  UpdateOutcome,
  UpdateRequest,
} from './wiring/ingest.ts';
export type { DatasetOptions, IngestOptions, ReannotationPolicy } from './wiring/options.ts';
