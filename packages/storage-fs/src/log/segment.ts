import { toSequencePosition } from '@cairn/events/experimental';

const INDEX_EVERY_BYTES = 64 * 1024;

/** One file of a topic. The last one grows; those before it are sealed. */
export interface Segment {
  readonly file: string;
  readonly firstSequence: number;
  /** One past the number of its last event; only events before it may be read. */
  endSequence: number;
  endOffset: number;
  /** Time of append of its last event, milliseconds since the epoch; `undefined` until somebody looks. */
  lastTimestampMs: number | undefined;
  /** Raised when the file is replaced by one with the same events elsewhere. */
  generation: number;
  index: SparseIndex;
  /** Set while the file is being replaced: do not open it until this resolves. */
  replacing: Promise<void> | undefined;
}

export function segmentFileName(firstSequence: number): string {
  return `${toSequencePosition(firstSequence)}.seg`;
}

/** Returns the number in a file name of {@link segmentFileName}; `undefined` when it is none. */
export function firstSequenceOf(fileName: string): number | undefined {
  return /^[0-9]{16}\.seg$/.test(fileName) ? Number(fileName.slice(0, 16)) : undefined;
}

/** Offsets of some batches of a segment: one for each 64 KiB, learnt while scanning, reading and appending. */
export class SparseIndex {
  readonly #sequences: number[] = [];
  readonly #offsets: number[] = [];

  /** Notes a batch, unless it is before the last noted one or close behind it. */
  note(firstSequence: number, offset: number): void {
    const last = this.#offsets.at(-1);
    if (last !== undefined && offset < last + INDEX_EVERY_BYTES) return;
    this.#sequences.push(firstSequence);
    this.#offsets.push(offset);
  }

  /** Returns the offset of a batch at or before an event; `undefined` when none is known. O(log entries). */
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
