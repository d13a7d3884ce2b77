export { type DocumentIdentity, documentIdentity } from './accept/identity.ts';
export { applyCorrection, type Correction } from './corrections/correction.ts';
export {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterDetail,
  listDeadLetters,
  retryDeadLetter,
  showDeadLetter,
} from './dead-letters/dead-letters.ts';
export {
  type EraseValues,
  type Erasure,
  type ErasurePorts,
  eraseDocument,
  eraseDocuments,
  type Forgettable,
} from './deletion/forget.ts';
export { endErasure } from './deletion/unfinished.ts';
export { findMentions, type MentionRequest } from './entities/find-mentions.ts';
export { Gazetteer } from './entities/gazetteer.ts';
export type { Mention } from './entities/mention.ts';
export { type Labelled, type NamedEntity, UNTYPED_CATEGORY } from './entities/named-entity.ts';
export { findPatterns, PATTERN_CATEGORY, type PatternMatch } from './entities/patterns.ts';
export { DEFAULT_ENTITY_MAPPING, type EntityMappingOptions } from './entity-documents/mapping.ts';
export {
  type AnnotatedDocument,
  type Deletion,
  type DocumentText,
  EVENT_TYPE,
  INGEST_HEADER,
  PIPELINE_SCHEMA_VERSION,
  TOPIC,
} from './pipeline/contract.ts';
export { noteGivenUpValues } from './pipeline/given-up.ts';
export { createStageTarget, type StageTargetOptions } from './pipeline/stage-target.ts';
export type { Stage, StageInput, StageOutput } from './pipeline/stages.ts';
export type { Generator } from './pipeline/to-search-document.ts';
export type { Clock } from './port/clock.ts';
export type { Extraction, ExtractionRequest, Extractor } from './port/extractor.ts';
export type { HashContent } from './port/hash-content.ts';
export type { UploadPart } from './port/upload-part.ts';
export { presentDocument } from './presentation/present.ts';
export { createPresentedIndex } from './presentation/presented-index.ts';
export type { BackOff } from './projector/back-off.ts';
export { DEAD_LETTER_HEADER, deadLetterTopic, type FailedEvent } from './projector/dead-letter.ts';
export type { WaitOptions } from './projector/position-waiters.ts';
export type {
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
export type { RebuildOptions, RebuildProgress } from './rebuild/rebuild.ts';
export { createSwitchable, type Switchable } from './rebuild/switchable.ts';
export {
  type EventFile,
  orderEventFiles,
  type ParseYaml,
  parseEventFile,
} from './replay/file-event.ts';
export { type ReplayOptions, replayFiles } from './replay/replay.ts';
export { parseRoute, parseRoutes, type RouteSource } from './routes/parser.ts';
export { HEADER_PRIORITIES, type HeaderConfig, type HeaderPriority, type RouteConfig } from './routes/route.ts';
export type { UploadOutcome, UploadResult } from './upload/outcome.ts';
export { UploadQueue, type UploadQueueOptions } from './upload/queue.ts';
export { acceptUpload, type UploadPorts, type UploadRequest } from './upload/upload.ts';
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
