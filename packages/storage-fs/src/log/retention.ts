import { badArgument, checkBound, checkObject } from '@cairn/errors';
import { fromSequencePosition, type Position } from '@cairn/events';
import type { FileSystem } from '../files/file-system.ts';
import { writeRefused } from './errors.ts';
import type { Segment } from './segment.ts';
import type { Topic } from './topic.ts';
import { verifySealed } from './topic-files.ts';

/** What may be removed from a log. Without a bound nothing is. */
export interface Retention {
  /** A topic may keep less than all its events once they take more bytes. */
  readonly maxBytes?: number;
  /** Events may go when they are older, milliseconds. */
  readonly maxAgeMs?: number;
  /**
   * Topics that no consumer group has committed a position in: `keep` everything (default), or `remove` as from the
   * others.
   */
  readonly unread?: 'keep' | 'remove';
}

/** @throws `ERR_ARGUMENT` (invalid) for bounds that are none: nothing is greater than NaN, so that it would bound nothing */
export function checkRetention(retention: Retention): void {
  checkObject(retention, 'the retention');
  const { maxBytes, maxAgeMs, unread } = retention;
  if (maxBytes !== undefined) checkBound(maxBytes, 'maxBytes');
  if (maxAgeMs !== undefined) checkBound(maxAgeMs, 'maxAgeMs');
  if (![undefined, 'keep', 'remove'].includes(unread)) throw badArgument('unread', '"keep" or "remove"', unread);
}

/** What {@link removeOldSegments} works with. */
export interface RetentionContext {
  readonly fs: FileSystem;
  readonly nowMs: number;
  /** The positions of every consumer group in the topic. */
  readonly committed: () => readonly Position[];
}

/**
 * Removes whole segments from the start of a topic while a bound is exceeded and every group has read them. Never the
 * one that is written to. Returns how many bytes went.
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

/** One past the last event that every group has read. */
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

/** How many bytes the segments of a topic take. */
export function totalBytes(topic: Topic): number {
  return topic.segments.reduce((sum, { endOffset }) => sum + endOffset, 0);
}

/** From the list first, so that a reader that finds no file finds no segment either. */
async function removeFirst(topic: Topic, fs: FileSystem): Promise<void> {
  const oldest = topic.segments.shift()!;
  try {
    await fs.remove(oldest.file);
  } catch (error) {
    topic.segments.unshift(oldest);
    throw writeRefused(`away ${oldest.file}`, error);
  }
}
