import { badArgument, checkBound, checkObject } from '@cairn/errors';
import type { Position } from '@cairn/events';
import { fromSequencePosition } from '@cairn/events/experimental';
import type { FileSystem } from '../files/file-system.ts';
import { writeRefused } from './errors.ts';
import type { Segment } from './segment.ts';
import type { Topic } from './topic.ts';
import { verifySealed } from './topic-files.ts';

/** Bounds of what may be removed from a log. Without a bound nothing is. */
export interface Retention {
  /** Bytes beyond which a topic may lose its oldest events. */
  readonly maxBytes?: number;
  /** Age beyond which events may go, milliseconds. */
  readonly maxAgeMs?: number;
  /**
   * For topics in which no consumer group has committed a position: `keep` everything (default), or `remove` as
   * elsewhere.
   */
  readonly unread?: 'keep' | 'remove';
}

/**
 * @throws `ERR_ARGUMENT` (invalid) for bounds that are not numbers: nothing is greater than NaN, so that it would bound
 *   nothing
 */
export function checkRetention(retention: Retention): void {
  checkObject(retention, 'the retention');
  const { maxBytes, maxAgeMs, unread } = retention;
  if (maxBytes !== undefined) checkBound(maxBytes, 'maxBytes');
  if (maxAgeMs !== undefined) checkBound(maxAgeMs, 'maxAgeMs');
  if (![undefined, 'keep', 'remove'].includes(unread)) throw badArgument('unread', '"keep" or "remove"', unread);
}

export interface RetentionContext {
  readonly fs: FileSystem;
  readonly nowMs: number;
  readonly committed: () => readonly Position[];
}

/**
 * Removes whole segments from the start of a topic while a bound is exceeded and every group has read them. Never the
 * one being written. Returns the number of bytes removed.
 */
export async function removeOldSegments(
  topic: Topic,
  retention: Retention,
  { fs, nowMs, committed }: RetentionContext,
): Promise<number> {
  let bytes = 0;
  while (topic.segments.length > 1) {
    const oldest = topic.segments[0];
    const mayGo = oldest.endSequence <= readByAll(committed(), retention);
    if (!mayGo || !(await exceeds(topic, oldest, retention, nowMs, fs))) break;
    await removeFirst(topic, fs);
    bytes += oldest.endOffset;
  }
  if (bytes > 0) await fs.syncDirectory(topic.directory);
  return bytes;
}

/** Returns one past the last event that every group has read. */
function readByAll(committed: readonly Position[], { unread = 'keep' }: Retention): number {
  if (committed.length === 0) return unread === 'remove' ? Number.POSITIVE_INFINITY : 0;
  return Math.min(...committed.map((position) => fromSequencePosition(position) + 1));
}

async function exceeds(
  topic: Topic,
  oldest: Segment,
  { maxBytes, maxAgeMs }: Retention,
  nowMs: number,
  fs: FileSystem,
): Promise<boolean> {
  if (maxBytes !== undefined && totalBytes(topic) > maxBytes) return true;
  if (maxAgeMs === undefined) return false;
  if (oldest.lastTimestampMs === undefined) await verifySealed(oldest, fs);
  return (oldest.lastTimestampMs ?? nowMs) < nowMs - maxAgeMs;
}

export function totalBytes(topic: Topic): number {
  return topic.segments.reduce((sum, { endOffset }) => sum + endOffset, 0);
}

/** Removes it from the list first, so that a reader that misses the file misses the segment too. */
async function removeFirst(topic: Topic, fs: FileSystem): Promise<void> {
  const oldest = topic.segments.shift();
  if (oldest === undefined) return;
  try {
    await fs.remove(oldest.file);
  } catch (error) {
    topic.segments.unshift(oldest);
    throw writeRefused(`away ${oldest.file}`, error);
  }
}
