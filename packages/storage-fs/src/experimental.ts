/**
 * Parts of the directory that the server shares: its lock, the names of files, the file system of Node.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { blobFile } from './blobs/check.ts';
export { type DirectoryLock, lockDirectory } from './files/directory-lock.ts';
export { syncMadeFolders } from './files/durable-file.ts';
export { nodeFileSystem } from './files/file-system.ts';
