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
export { blobsClosed, checkBlobName, isBlobName } from './blobs/names.ts';
export { clampRange } from './blobs/range.ts';
export { checkBlobSource, checkChunk, checkPutOptions, type PutOptions, toOwnSource } from './blobs/source.ts';
export { abortable } from './content/abortable.ts';
export { type ContentHasher, contentHash, createContentHasher } from './content/hash.ts';
export { checkBatch } from './event/batch.ts';
export {
  createEvent,
  type EventInit,
  eventId,
  eventType,
  schemaVersion,
  type WithHeaders,
} from './event/create-event.ts';
export { derivedEventId } from './event/derived-id.ts';
export type { Event, Position, StoredEvent } from './event/event.ts';
export { createHeaders, type HeaderRecord, type HeadersInit } from './event/header-list.ts';
export { HEADER } from './event/header-names.ts';
export type { Headers } from './event/headers.ts';
export { createEventIdSet, type EventIdSet } from './event/id-set.ts';
export { cutAround, type LogCut } from './log/cut.ts';
export type { EventLog, ReadOptions } from './log/event-log.ts';
export { checkBatchSize, createMemoryEventLog, eventTooLarge, type MemoryEventLogOptions } from './log/memory-log.ts';
export { checkGroupName, checkTopicName, logClosed } from './log/names.ts';
export { checkReadOptions } from './log/read-options.ts';
export { fromSequencePosition, positionBeyondEnd, toSequencePosition } from './log/sequence-position.ts';
export { Waiters } from './log/waiters.ts';
export { type NextTurn, nextTurn } from './work/next-turn.ts';
