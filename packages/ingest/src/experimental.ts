/**
 * Parts of the pipeline that operators' tools, measurements and tests call one by one; `createIngest` composes them.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { type ErasurePorts, eraseDocuments } from './deletion/forget.ts';
export { endErasure } from './deletion/unfinished.ts';
export { noteGivenUpValues } from './pipeline/given-up.ts';
export { UploadQueue } from './upload/queue.ts';
export { acceptUpload, type UploadPorts } from './upload/upload.ts';
