import type { CodedError } from '@cairn/errors';
import { logClosed } from '@cairn/events/experimental';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { type EncodedBatch, numberBatch } from './batch.ts';
import { syncFailed, writeRefused } from './errors.ts';
import { FRAME_HEADER_BYTES } from './frame.ts';
import type { LastSegments } from './last-segments.ts';
import type { LockWatch } from './lock-watch.ts';
import type { Segment } from './segment.ts';
import type { Topic } from './topic.ts';
import { createSegment, openSegment } from './topic-files.ts';

/** State of writing, shared by the topics of a log, because an fsync that failed ends writing for all. */
export class WriteState {
  #fatal: CodedError | undefined;
  #last: CodedError | undefined;

  /** Error of the last write; `undefined` when it succeeded. */
  get error(): CodedError | undefined {
    return this.#fatal ?? this.#last;
  }

  /** Ends writing for good. */
  end(error: CodedError): void {
    this.#fatal ??= error;
  }

  /** @throws the error that ended writing */
  check(): void {
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  succeeded(): void {
    this.#last = undefined;
  }

  failed(error: CodedError): void {
    this.#last = error;
  }

  /** Runs an fsync. A failed one is never tried again: the system may have dropped the pages it could not write. */
  async sync(what: string, run: () => Promise<void>): Promise<void> {
    this.check();
    try {
      await run();
    } catch (error) {
      this.#fatal ??= syncFailed(what, error);
      throw this.#fatal;
    }
  }
}

export interface WriterContext {
  readonly fs: FileSystem;
  readonly state: WriteState;
  /** Looked at before each write. */
  readonly lock: LockWatch;
  readonly nowMs: () => number;
  /** Size in bytes at which a segment is closed. */
  readonly segmentBytes: number;
  readonly fsync: boolean;
  readonly lastSegments: LastSegments;
  /** Called after a segment was sealed. */
  readonly onSeal: (topic: Topic) => void;
}

interface Pending {
  readonly batch: EncodedBatch;
  readonly resolve: (firstSequence: number) => void;
  readonly reject: (error: unknown) => void;
}

interface ActiveFile {
  readonly segment: Segment;
  readonly handle: OpenFile;
  readonly salt: number;
}

const MAX_GROUP_BYTES = 8 * 1024 * 1024;
const MAX_JOINED_BYTES = 128 * 1024;

/**
 * Writes the batches of one topic. Batches that arrive while others are being written share the next write and fsync. A
 * failed write is cut off again, so that later ones succeed once the medium takes them.
 */
export class TopicWriter {
  readonly #topic: Topic;
  readonly #context: WriterContext;
  readonly #pending: Pending[] = [];
  readonly #tasks: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #active: ActiveFile | undefined;
  /** A failed write may have left bytes behind the last batch. */
  #hasRest = false;
  #closed = false;

  constructor(topic: Topic, context: WriterContext) {
    this.#topic = topic;
    this.#context = context;
  }

  /** Writes a batch; resolves with the number of its first event when it is durable. */
  append(batch: EncodedBatch): Promise<number> {
    if (this.#closed) return Promise.reject(logClosed());
    return new Promise((resolve, reject) => {
      this.#pending.push({ batch, resolve, reject });
      this.#start();
    });
  }

  /** Runs a task while nothing is written to the topic; with `seal`, after a new segment was begun. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(logClosed());
    return new Promise((resolve, reject) => {
      this.#tasks.push(() => task().then(resolve, reject));
      this.#start();
    });
  }

  /** Ends the active segment, so that it can be rewritten or removed. Call within {@link exclusive}. */
  async seal(): Promise<void> {
    await this.#context.lock.check();
    await this.#topic.mend();
    const last = this.#topic.segments.at(-1);
    if (last !== undefined && last.endSequence > last.firstSequence) await this.#record(await this.#roll());
  }

  /** Waits for accepted batches, then closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    if (this.#hasRest) await this.#active?.handle.truncate(this.#active.segment.endOffset).catch(() => undefined);
    await this.#active?.handle.close();
    this.#active = undefined;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await undefined;
    while (this.#tasks.length > 0 || this.#pending.length > 0) {
      const task = this.#tasks.shift();
      await (task === undefined ? this.#commitGroup() : task());
    }
    this.#running = undefined;
  }

  async #commitGroup(): Promise<void> {
    let group: Pending[] = [];
    try {
      await this.#context.lock.check();
      this.#context.state.check();
      const active = await this.#writable();
      group = this.#takeGroup(active.segment);
      const firsts = await this.#write(active, group);
      group.forEach(({ resolve }, index) => {
        resolve(firsts[index]);
      });
    } catch (error) {
      if (group.length === 0) group = this.#pending.splice(0);
      for (const { reject } of group) reject(this.#refusal(error));
    }
  }

  /** Takes at least one batch, and as many as fit the segment and the group. */
  #takeGroup(segment: Segment): Pending[] {
    const room = Math.min(MAX_GROUP_BYTES, this.#context.segmentBytes - segment.endOffset);
    let bytes = 0;
    let count = 0;
    for (; count < this.#pending.length; count++) {
      bytes += this.#pending[count].batch.frame.length;
      if (count > 0 && bytes > room) break;
    }
    return this.#pending.splice(0, count);
  }

  async #write({ segment, handle, salt }: ActiveFile, group: readonly Pending[]): Promise<number[]> {
    const { fsync, state } = this.#context;
    const timestampMs = this.#context.nowMs();
    const durableSequence = segment.endSequence;
    let sequence = durableSequence;
    const firsts = group.map(({ batch }) => {
      const firstSequence = sequence;
      numberBatch(batch, { firstSequence, durableSequence, timestampMs }, salt);
      sequence += batch.count;
      return firstSequence;
    });
    const frames = group.map(({ batch }) => batch.frame);
    await this.#writeBytes(handle, joinSmall(frames), segment.endOffset);
    if (fsync) await state.sync(segment.file, () => handle.sync());
    let offset = segment.endOffset;
    group.forEach(({ batch }, index) => {
      segment.index.note(firsts[index], offset);
      offset += batch.frame.length;
    });
    segment.endOffset = offset;
    segment.endSequence = sequence;
    segment.lastTimestampMs = timestampMs;
    state.succeeded();
    this.#topic.waiters.wake();
    return firsts;
  }

  async #writeBytes(handle: OpenFile, pieces: readonly Uint8Array[], offset: number): Promise<void> {
    if (this.#hasRest) await handle.truncate(offset);
    this.#hasRest = true;
    try {
      let at = offset;
      for (const piece of pieces) {
        await handle.write(piece, at);
        at += piece.length;
      }
    } catch (error) {
      await handle.truncate(offset).then(
        () => {
          this.#hasRest = false;
        },
        () => undefined,
      );
      throw error;
    }
    this.#hasRest = false;
  }

  async #writable(): Promise<ActiveFile> {
    await this.#topic.mend();
    const last = this.#topic.segments.at(-1);
    if (last === undefined) return this.#record(await this.#roll());
    const isFull = last.endOffset >= this.#context.segmentBytes && last.endSequence > last.firstSequence;
    if (isFull) return this.#record(await this.#roll());
    this.#active ??= { segment: last, ...(await openSegment(last, this.#context.fs)) };
    return this.#record(this.#active);
  }

  /** Returns the file once it is recorded as the last one of the topic: otherwise its loss could go unnoticed. */
  async #record(active: ActiveFile): Promise<ActiveFile> {
    const { lastSegments } = this.#context;
    const { firstSequence } = active.segment;
    if (!lastSegments.names(this.#topic.name, firstSequence)) {
      await lastSegments.record(new Map([[this.#topic.name, firstSequence]]));
    }
    return active;
  }

  async #roll(): Promise<ActiveFile> {
    const { fs, nowMs, fsync, state, onSeal } = this.#context;
    state.check();
    const before = this.#active;
    if (before !== undefined && this.#hasRest) {
      await before.handle.truncate(before.segment.endOffset);
      if (fsync) await state.sync(before.segment.file, () => before.handle.sync());
      this.#hasRest = false;
    }
    const active = await createSegment(this.#topic.directory, this.#topic.endSequence, nowMs(), fs);
    this.#active = active;
    this.#topic.segments.push(active.segment);
    await before?.handle.close();
    if (this.#topic.segments.length > 1) onSeal(this.#topic);
    return active;
  }

  #refusal(error: unknown): CodedError {
    const fatal = this.#context.state.error;
    if (fatal === error) return fatal as CodedError;
    const refusal = writeRefused(`topic ${this.#topic.name}`, error);
    this.#context.state.failed(refusal);
    return refusal;
  }
}

/** Joins small frames into few writes; large ones stay as they are, since copying them costs more than a write. */
function joinSmall(frames: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  const join = (): void => {
    if (small.length > 0) pieces.push(small.length === 1 ? small[0] : Buffer.concat(small));
    small = [];
  };
  for (const frame of frames) {
    if (frame.length < MAX_JOINED_BYTES) small.push(frame);
    else {
      join();
      pieces.push(frame);
    }
  }
  join();
  return pieces;
}

/** Smallest size of a segment: a header and one batch. */
export const MIN_SEGMENT_BYTES: number = FRAME_HEADER_BYTES * 4;
