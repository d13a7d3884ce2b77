import { Waiters } from '@cairn/events';
import type { Segment } from './segment.ts';

/** What readers and the writer of a topic share. */
export class Topic {
  readonly name: string;
  readonly directory: string;
  /** In order; the last one is written to. */
  readonly segments: Segment[];
  /** Who waits for the next event. */
  readonly waiters: Waiters = new Waiters();

  #maintenance: Promise<unknown> = Promise.resolve();

  constructor(name: string, directory: string, segments: Segment[]) {
    this.name = name;
    this.directory = directory;
    this.segments = segments;
  }

  /** Number of the oldest event that is still there. */
  get firstSequence(): number {
    return this.segments[0]?.firstSequence ?? 0;
  }

  /** One past the number of the last event; the number of the next one. */
  get endSequence(): number {
    return this.segments.at(-1)?.endSequence ?? 0;
  }

  /** The segment with an event that is there. O(log segments). */
  segmentOf(sequence: number): Segment {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.segments[middle]!.firstSequence <= sequence) low = middle;
      else high = middle - 1;
    }
    return this.segments[low]!;
  }

  /** Runs a task that rewrites or removes sealed segments after those that were asked for before it. */
  maintain<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#maintenance.then(task);
    this.#maintenance = done.catch(() => undefined);
    return done;
  }

  /** Resolves when no maintenance is under way. */
  async settled(): Promise<void> {
    await this.#maintenance;
  }
}
