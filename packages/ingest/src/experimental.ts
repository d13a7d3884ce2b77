/**
 * Parts of the pipeline that operators' tools, measurements and tests call one by one; `createIngest` composes them.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { type ErasurePorts, endErasure, eraseDocuments } from './deletion/forget.ts';
export { TOPIC } from './pipeline/contract.ts';
export { noteGivenUpValues } from './pipeline/lost-outputs.ts';
export { slowTopics } from './pipeline/slow-lanes.ts';
export { UploadQueue } from './upload/queue.ts';
export { acceptUpload, type UploadPorts } from './upload/upload.ts';
