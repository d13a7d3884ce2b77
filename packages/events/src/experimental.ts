/**
 * Parts shared by the logs and blob stores of Cairn: argument checks, positions made of numbers, readers that wait.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { checkBlobSource, checkPutOptions, toOwnSource } from './blobs/source.ts';
export { checkBatch } from './event/batch.ts';
export { cutAround } from './log/cut.ts';
export { checkBatchSize, eventTooLarge } from './log/memory-log.ts';
export { checkGroupName, checkTopicName, logClosed } from './log/names.ts';
export { checkReadOptions } from './log/read-options.ts';
export { fromSequencePosition, positionBeyondEnd, toSequencePosition } from './log/sequence-position.ts';
export { Waiters } from './log/waiters.ts';
