export { type BlobCheckOptions, type CheckedBlob, checkBlobFiles } from './blobs/check.ts';
export { type FileBlobStore, type FileBlobStoreOptions, openFileBlobStore } from './blobs/file-blob-store.ts';
export type { FileSystem, OpenFile } from './files/file-system.ts';
export { checkLogFiles, type EventVisitor, type LogCheckOptions, type LogDamage } from './log/check.ts';
export { readLogCuts } from './log/cuts.ts';
export type { ErasedEvent, EventPredicate } from './log/erasure.ts';
export {
  type FileEventLog,
  type FileEventLogOptions,
  type OpenLogCheck,
  openFileEventLog,
  type TopicStats,
} from './log/file-event-log.ts';
export type { TornTail } from './log/recovery.ts';
export { type LogRepair, type LogRepairOptions, repairFileEventLog } from './log/repair.ts';
export type { Retention } from './log/retention.ts';
