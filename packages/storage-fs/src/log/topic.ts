import type { LogCut } from '@cairn/events';
import { fromSequencePosition, Waiters } from '@cairn/events/experimental';
import { endOfCut } from './cuts.ts';
import type { Segment } from './segment.ts';

/** State shared by the readers and the writer of a topic. */
export class Topic {
  readonly name: string;
  readonly directory: string;
  /** In order; the last one is written to. */
  readonly segments: Segment[];
  readonly cuts: () => readonly LogCut[];
  readonly waiters: Waiters = new Waiters();

  #mending: (() => Promise<void>) | undefined;
  #maintenance: Promise<unknown> = Promise.resolve();

  constructor(name: string, directory: string, segments: Segment[], cuts: () => readonly LogCut[]) {
    this.name = name;
    this.cuts = cuts;
    this.directory = directory;
    this.segments = segments;
  }

  /** The segments with files: all but the last one of a topic yet to be mended. */
  get written(): readonly Segment[] {
    const { segments } = this;
    return this.isToBeMended ? segments.slice(0, -1) : segments;
  }

  /** Number of the oldest event still there. */
  get firstSequence(): number {
    return this.segments[0]?.firstSequence ?? 0;
  }

  /** One past the number of the last event; the number of the next one. */
  get endSequence(): number {
    return this.segments.at(-1)?.endSequence ?? 0;
  }

  /** One past the number of the last event there is, or was before it was cut or removed. */
  get lastEventEnd(): number {
    const last = this.segments.findLast(({ firstSequence, endSequence }) => endSequence > firstSequence);
    return last?.endSequence ?? this.#cutAtStart();
  }

  /** Returns true if nothing but a cut is before the first event. */
  get startsAtCut(): boolean {
    return this.#cutAtStart() === 0;
  }

  /** Returns the number of events from a number on. O(segments behind it). */
  countFrom(sequence: number): number {
    let count = 0;
    for (let at = this.segments.length - 1; at >= 0; at--) {
      const { firstSequence, endSequence } = this.segments[at];
      count += Math.max(0, endSequence - Math.max(sequence, firstSequence));
      if (firstSequence <= sequence) break;
    }
    return count;
  }

  /** Returns the number itself or, where events were cut away, the one at which the topic goes on. O(log segments). */
  skipCut(sequence: number): number {
    if (sequence < this.firstSequence || sequence >= this.endSequence) return sequence;
    for (let at = this.#indexOf(sequence); ; at++) {
      const { firstSequence, endSequence } = this.segments[at];
      if (sequence < endSequence) return Math.max(sequence, firstSequence);
    }
  }

  /** Returns the segment of an existing event. O(log segments). */
  segmentOf(sequence: number): Segment {
    return this.segments[this.#indexOf(sequence)];
  }

  #cutAtStart(): number {
    const cut = this.cuts().find(({ resumesAt }) => fromSequencePosition(resumesAt) === this.firstSequence);
    return cut === undefined ? this.firstSequence : endOfCut(cut);
  }

  #indexOf(sequence: number): number {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.segments[middle].firstSequence <= sequence) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Puts a repair off until there is room for it. */
  mendLater(mending: () => Promise<void>): void {
    this.#mending = mending;
  }

  /** Does the repair that was put off, if any. Call while nothing is written. @throws whatever the medium throws */
  async mend(): Promise<void> {
    await this.#mending?.();
    this.#mending = undefined;
  }

  get isToBeMended(): boolean {
    return this.#mending !== undefined;
  }

  /** Runs a task that rewrites or removes sealed segments after those asked for before it. */
  maintain<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#maintenance.then(task);
    this.#maintenance = done.catch(() => undefined);
    return done;
  }

  async settled(): Promise<void> {
    await this.#maintenance;
  }
}
