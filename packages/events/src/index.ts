export type { BlobInfo, BlobSource, BlobStore, ByteRange } from './blobs/blob-store.ts';
export type { Event, Position, StoredEvent } from './event/event.ts';
export type { Headers } from './event/headers.ts';
export type { EventLog, ReadOptions } from './log/event-log.ts';
