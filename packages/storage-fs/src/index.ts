export { type FileBlobStore, type FileBlobStoreOptions, openFileBlobStore } from './blobs/file-blob-store.ts';
export { type FileSystem, nodeFileSystem, type OpenFile } from './files/file-system.ts';
export type { ErasedEvent, EventPredicate } from './log/erasure.ts';
export {
  type FileEventLog,
  type FileEventLogOptions,
  openFileEventLog,
  type TopicStats,
} from './log/file-event-log.ts';
export type { TornTail } from './log/recovery.ts';
export type { Retention } from './log/retention.ts';
