export { blobsClosed, checkBlobName, checkChunk, clampRange, type PutOptions } from './blobs/arguments.ts';
export type { BlobInfo, BlobSource, BlobStore, ByteRange } from './blobs/blob-store.ts';
export {
  attachValue,
  isValueLost,
  loadValue,
  type OffloadOptions,
  offloadValue,
  streamValue,
  valueBlob,
  valueSizeBytes,
} from './blobs/large-value.ts';
export { createMemoryBlobStore } from './blobs/memory-blobs.ts';
export { abortable } from './content/abortable.ts';
export { contentHash } from './content/hash.ts';
export {
  createEvent,
  type EventInit,
  eventId,
  eventType,
  schemaVersion,
  type WithHeaders,
} from './event/create-event.ts';
export { derivedEventId } from './event/derived-id.ts';
export type { Event, Headers, Position, StoredEvent, TopicPositions } from './event/event.ts';
export { createHeaders, type HeaderRecord, type HeadersInit } from './event/header-list.ts';
export { HEADER } from './event/header-names.ts';
export { createEventIdSet, type EventIdSet } from './event/id-set.ts';
export type { EventLog, LogCut, ReadOptions } from './log/event-log.ts';
export { createMemoryEventLog, type MemoryEventLogOptions } from './log/memory-log.ts';
export {
  createStepClock,
  type NowMs,
  runAtOnce,
  runInSlices,
  SLICE_MS,
  type Turns,
  timeError,
  WorkGuard,
  type WorkLimits,
} from './work/guard.ts';
export { type NextTurn, nextTurn } from './work/next-turn.ts';
export { sortInSteps } from './work/sort.ts';
