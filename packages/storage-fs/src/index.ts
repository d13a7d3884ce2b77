export { type FileBlobStoreOptions, openFileBlobStore } from './blobs/file-blob-store.ts';
export { type FileSystem, nodeFileSystem, type OpenFile } from './files/file-system.ts';
export { type FileEventLog, type FileEventLogOptions, openFileEventLog } from './log/file-event-log.ts';
export type { TornTail } from './log/recovery.ts';
