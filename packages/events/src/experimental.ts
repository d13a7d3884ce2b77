/**
 * Parts shared by the logs and blob stores of Cairn: argument checks, positions made of numbers, readers that wait.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { checkBlobSource, checkPutOptions, toOwnSource } from './blobs/arguments.ts';
export { OwnedManifest } from './blobs/owned-manifest.ts';
export {
  checkBatch,
  checkBatchSize,
  checkGroupName,
  checkReadOptions,
  checkTopicName,
  eventTooLarge,
  logClosed,
} from './log/arguments.ts';
export { cutAround } from './log/event-log.ts';
export { fromSequencePosition, positionBeyondEnd, toSequencePosition } from './log/sequence-position.ts';
export { Waiters } from './log/waiters.ts';
