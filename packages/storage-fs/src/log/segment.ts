import { toSequencePosition } from '@cairn/events';

const INDEX_EVERY_BYTES = 64 * 1024;

/** What is known of one file of a topic. The last one grows; those before it are sealed. */
export interface Segment {
  readonly file: string;
  /** Number of its first event. */
  readonly firstSequence: number;
  /** One past the number of its last event; only events before it may be read. */
  endSequence: number;
  /** Where those events end in the file. */
  endOffset: number;
  /** Time of append of its last event, milliseconds since the epoch; `undefined` while nobody looked. */
  lastTimestampMs: number | undefined;
  /** Raised when the file is replaced by one with the same events elsewhere. */
  generation: number;
  index: SparseIndex;
  /** Set while the file is being replaced: do not open it until this resolves. */
  replacing: Promise<void> | undefined;
}

/** The name of the file whose first event has a number. */
export function segmentFileName(firstSequence: number): string {
  return `${toSequencePosition(firstSequence)}.seg`;
}

/** The number in a file name of {@link segmentFileName}; `undefined` when it is none. */
export function firstSequenceOf(fileName: string): number | undefined {
  return /^[0-9]{16}\.seg$/.test(fileName) ? Number(fileName.slice(0, 16)) : undefined;
}

/** Where some batches of a segment stand: one for each 64 KiB, learnt while scanning, reading and appending. */
export class SparseIndex {
  readonly #sequences: number[] = [];
  readonly #offsets: number[] = [];

  /** Notes a batch. One that stands before the last noted one, or close behind it, is passed over. */
  note(firstSequence: number, offset: number): void {
    const last = this.#offsets.at(-1);
    if (last !== undefined && offset < last + INDEX_EVERY_BYTES) return;
    this.#sequences.push(firstSequence);
    this.#offsets.push(offset);
  }

  /** The offset of a batch at or before the one with an event; `undefined` when none is known. O(log entries). */
  offsetBefore(sequence: number): number | undefined {
    let low = 0;
    let high = this.#sequences.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sequences[middle] <= sequence) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : this.#offsets[low - 1];
  }
}
