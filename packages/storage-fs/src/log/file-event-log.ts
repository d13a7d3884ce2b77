import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { badArgument, CodedError, checkFunction, checkObject, isCodedError, readableOnce } from '@cairn/errors';
import type { Event, EventLog, LogCut, Position, ReadOptions, StoredEvent } from '@cairn/events';
import {
  checkBatch,
  checkGroupName,
  checkReadOptions,
  checkTopicName,
  fromSequencePosition,
  logClosed,
  toSequencePosition,
} from '@cairn/events/experimental';
import { type DirectoryLock, lockDirectory } from '../files/directory-lock.ts';
import { DRAFT_SUFFIX, makeDurableDirectory, removeDrafts, writeNewFile } from '../files/durable-file.ts';
import { checkStorageOptions, type FileSystem, isNoRoom, nodeFileSystem } from '../files/file-system.ts';
import { toSafePath } from '../files/safe-name.ts';
import { encodeBatch } from './batch.ts';
import { checkTopic, type LogCheckOptions, type LogDamage, unaccepted } from './check.ts';
import { Cuts } from './cuts.ts';
import { type ErasedEvent, type EventPredicate, eraseInSegment } from './erasure.ts';
import { openRefused, writeRefused } from './errors.ts';
import { LastSegments } from './last-segments.ts';
import { LockWatch } from './lock-watch.ts';
import { Offsets } from './offsets.ts';
import type { TornTail } from './recovery.ts';
import { checkRetention, type Retention, removeOldSegments, totalBytes } from './retention.ts';
import { SetAside } from './set-aside.ts';
import { Topic } from './topic.ts';
import { type LoadContext, listTopics, loadTopic, topicsFolder } from './topic-files.ts';
import { readTopic } from './topic-reader.ts';
import { MIN_SEGMENT_BYTES, TopicWriter, type WriterContext, WriteState } from './topic-writer.ts';

/** Options of {@link openFileEventLog}. */
export interface FileEventLogOptions {
  /** The folder that holds the log and nothing else. Made when missing. */
  readonly directory: string;
  /** Size in bytes at which a segment is closed, 192 and up. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** Largest event with key and headers, bytes. Default 16 MiB. */
  readonly maxEventBytes?: number;
  /** Bytes of older segments of a topic to check at opening, newest first. Default 256 MiB. */
  readonly verifyBytes?: number;
  /**
   * False trades durability for speed: an acknowledged event then survives the process, not the machine. Default true.
   */
  readonly fsync?: boolean;
  /** Limits applied whenever a segment is full and by `applyRetention`. Default none. */
  readonly retention?: Retention;
  /** Milliseconds since the epoch. Default the clock of the machine. */
  readonly nowMs?: () => number;
  /** File system to use. Default that of the machine. */
  readonly fileSystem?: FileSystem;
  /** Told once when the lock was removed or taken by another, from when on every write is refused with this error. */
  readonly onLockLost?: (error: CodedError) => void;
}

/** An {@link EventLog} in a folder. */
export interface FileEventLog extends EventLog {
  /** Unfinished writes that opening cut off. */
  readonly tornTails: readonly TornTail[];
  /** Losses of the topics, by topic and in order. */
  readonly allCuts: readonly LogCut[];
  /** Marks every cut as known to an operator, durably. Returns those that were not. @throws whatever the medium throws */
  acceptCuts(): Promise<readonly LogCut[]>;
  /** Reads every batch and reports damage; writers and readers go on. Cost: reads the whole log. */
  check(options?: OpenLogCheck): AsyncIterable<LogDamage>;
  /** Error of the last write; `undefined` once one succeeds. For readiness. */
  readonly writeError: CodedError | undefined;
  /** Tries a small durable write beside the log. Returns the error; `undefined` when the log can be written. */
  checkWritable(): Promise<CodedError | undefined>;
  /**
   * Removes old segments by the option `retention` or the one given. Never an event that a consumer group has yet to
   * read. Returns the number of bytes removed.
   */
  applyRetention(retention?: Retention): Promise<number>;
  /**
   * Erases the values of the picked events of a topic: value empty, header `Erased: true`, without `Value-Blob` and the
   * headers that the predicate names, position as before. Once it resolves no file of the log holds the values. Cost:
   * reads the whole topic.
   * @throws `ERR_LOG_WRITE` (unavailable)
   */
  eraseValues(topic: string, picks: EventPredicate): Promise<ErasedEvent[]>;
  /** Removes the damaged bytes kept aside. Returns the number of files. @throws whatever the medium throws */
  removeSetAside(): Promise<number>;
  /** Files that hold events, relative to the log, with the bytes of durable events in each. */
  segmentFiles(): { readonly file: string; readonly sizeBytes: number }[];
  /** Statistics of each topic, sorted by name. */
  stats(): TopicStats[];
}

export type OpenLogCheck = Pick<LogCheckOptions, 'mayBeTrimmed' | 'visit'>;

/** Disk usage of a topic. */
export interface TopicStats {
  readonly topic: string;
  readonly sizeBytes: number;
  readonly segments: number;
  /** Number of events, without those removed by retention. */
  readonly events: number;
}

const DEFAULTS = {
  segmentBytes: 64 * 1024 * 1024,
  maxEventBytes: 16 * 1024 * 1024,
  verifyBytes: 256 * 1024 * 1024,
};

/**
 * Opens the log in a folder, mending the traces of a crash: an unfinished write at the end of a topic is cut off and
 * kept in the folder `set-aside`; the topic goes on at positions that nobody can hold (`cuts`). On a full medium that
 * is put off: the log can be read, `writeError` says why it cannot be written, and writes and `checkWritable` try
 * again.
 * A log whose lock was removed or taken meanwhile refuses writes and commits within a second or two
 * (`ERR_LOG_LOCK_LOST`, unavailable).
 * @throws `ERR_LOG_LOCKED` (conflict) when another process has it open
 * @throws `ERR_LOG_CORRUPT` (corrupt) on damage elsewhere, naming file and offset
 * @throws `ERR_LOG_VERSION` (unsupported) when a later release wrote it
 * @throws `ERR_LOG_OPEN` (unavailable) when the medium refuses, or the folder is a file
 * @throws `ERR_ARGUMENT` (invalid) for malformed options
 */
export async function openFileEventLog(options: FileEventLogOptions): Promise<FileEventLog> {
  checkStorageOptions(options, 'the options of a log');
  if (options.nowMs !== undefined) checkFunction(options.nowMs, 'nowMs');
  if (![true, false, undefined].includes(options.fsync)) throw badArgument('fsync', 'true or false', options.fsync);
  if (options.onLockLost !== undefined) checkFunction(options.onLockLost, 'onLockLost');
  if (options.retention !== undefined) checkRetention(options.retention);
  checkSize('segmentBytes', options.segmentBytes, MIN_SEGMENT_BYTES);
  checkSize('maxEventBytes', options.maxEventBytes, 1);
  checkSize('verifyBytes', options.verifyBytes, 0);
  try {
    return await openLocked(options, options.fileSystem ?? nodeFileSystem);
  } catch (error) {
    throw isCodedError(error) ? error : openRefused(options.directory, error);
  }
}

async function openLocked(options: FileEventLogOptions, fs: FileSystem): Promise<FileEventLog> {
  const directory = topicsFolder(options.directory);
  await makeDurableDirectory(fs, directory);
  const lock = await lockDirectory(options.directory, fs);
  try {
    await removeDrafts(fs, options.directory, /^(offsets|probe|cuts|segments)\./);
    const offsets = await Offsets.open(options.directory, fs);
    const aside = new SetAside(options.directory, fs);
    const cuts = await Cuts.open(options.directory, fs, options.nowMs ?? Date.now, aside);
    const lastSegments = await LastSegments.open(options.directory, fs, aside);
    const log = new DirectoryEventLog(options, { fs, lock, offsets, aside, cuts, lastSegments, directory });
    await log.load(options.verifyBytes ?? DEFAULTS.verifyBytes).catch((error: unknown) => {
      log.stopWatching();
      throw error;
    });
    return log;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface LogFiles extends Pick<LoadContext, 'fs' | 'aside' | 'cuts'> {
  readonly lock: DirectoryLock;
  readonly offsets: Offsets;
  readonly lastSegments: LastSegments;
  /** The folder of the topics. */
  readonly directory: string;
}

class DirectoryEventLog implements FileEventLog {
  readonly tornTails: TornTail[] = [];
  readonly #files: LogFiles;
  readonly #maxEventBytes: number;
  readonly #retention: Retention | undefined;
  readonly #state = new WriteState();
  readonly #writerContext: WriterContext;
  readonly #topics = new Map<string, Topic>();
  readonly #writers = new Map<string, TopicWriter>();
  #closing: Promise<void> | undefined;

  constructor(options: FileEventLogOptions, files: LogFiles) {
    this.#files = files;
    this.#retention = options.retention;
    this.#maxEventBytes = options.maxEventBytes ?? DEFAULTS.maxEventBytes;
    this.#writerContext = {
      fs: files.fs,
      lastSegments: files.lastSegments,
      state: this.#state,
      lock: new LockWatch(files.lock, (error) => {
        this.#state.end(error);
        options.onLockLost?.(error);
      }),
      nowMs: options.nowMs ?? Date.now,
      segmentBytes: options.segmentBytes ?? DEFAULTS.segmentBytes,
      fsync: options.fsync ?? true,
      onSeal: (topic) => void this.#retain(topic, options.retention).catch(() => undefined),
    };
  }

  stopWatching(): void {
    this.#writerContext.lock.stop();
  }

  get writeError(): CodedError | undefined {
    return this.#state.error;
  }

  async load(verifyBytes: number): Promise<void> {
    for (const { topic, directory } of await listTopics(this.#files.directory, this.#files.fs)) {
      await this.#load(topic, directory, verifyBytes);
    }
    for (const topic of [...this.#files.offsets.topics(), ...this.#files.lastSegments.all.keys()]) {
      if (!this.#topics.has(topic))
        await this.#load(topic, path.join(this.#files.directory, toSafePath(topic)), verifyBytes);
    }
    await this.#recordLastSegments();
  }

  /** Also records topics of an earlier release. On a full medium it waits for the first event written there. */
  async #recordLastSegments(): Promise<void> {
    const last = [...this.#topics.values()].flatMap(({ name, written }) => {
      const segment = written.at(-1);
      return segment === undefined ? [] : [[name, segment.firstSequence] as const];
    });
    try {
      await this.#files.lastSegments.record(new Map(last));
    } catch (error) {
      if (!isNoRoom(error)) throw error;
    }
  }

  async #load(topic: string, directory: string, verifyBytes: number): Promise<void> {
    const { fs, cuts, aside, offsets, lastSegments } = this.#files;
    const { nowMs } = this.#writerContext;
    const held = offsets.ofTopic(topic).map((position) => fromSequencePosition(position) + 1);
    const heldSequence = Math.max(0, ...held);
    const lastSegment = lastSegments.all.get(topic);
    const context = { fs, cuts, nowMs, verifyBytes, aside, heldSequence, lastSegment, mends: true };
    let isToBeMended = false;
    const { segments, tornTail } = await loadTopic(topic, directory, context).catch((error) => {
      if (!isNoRoom(error)) throw error;
      this.#state.failed(writeRefused(`the topic ${topic}, whose end is damaged and cannot be set aside`, error));
      isToBeMended = true;
      return loadTopic(topic, directory, { ...context, mends: false });
    });
    const loaded = new Topic(topic, directory, segments, () => cuts.ofTopic(topic));
    this.#topics.set(topic, loaded);
    if (tornTail !== undefined) this.tornTails.push(tornTail);
    if (!isToBeMended) return;
    loaded.mendLater(async () => {
      const mended = await loadTopic(topic, directory, { ...context, verifyBytes: 0 });
      if (mended.tornTail !== undefined) this.tornTails.push(mended.tornTail);
    });
  }

  async append(topic: string, batch: readonly Event[]): Promise<Position[]> {
    this.#check(topic);
    checkBatch(batch);
    const encoded = encodeBatch(batch, this.#maxEventBytes);
    if (batch.length === 0) return [];
    const first = await this.#writer(topic).append(encoded);
    return batch.map((_, index) => toSequencePosition(first + index));
  }

  read(topic: string, options: ReadOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
    return readableOnce(this.#read(topic, options));
  }

  async *#read(topic: string, options: ReadOptions): AsyncGenerator<readonly StoredEvent[]> {
    this.#check(topic);
    checkReadOptions(options);
    const isClosed = (): boolean => this.#closing !== undefined;
    yield* readTopic(this.#topic(topic), options, { fs: this.#files.fs, isClosed });
  }

  async end(topic: string): Promise<Position | undefined> {
    this.#check(topic);
    const end = this.#topics.get(topic)?.lastEventEnd ?? 0;
    return end === 0 ? undefined : toSequencePosition(end - 1);
  }

  async eventAt(topic: string, position: Position): Promise<StoredEvent | undefined> {
    this.#check(topic);
    const sequence = fromSequencePosition(position);
    const known = this.#topics.get(topic);
    if (known === undefined || sequence < known.firstSequence || sequence >= known.lastEventEnd) return undefined;
    const after = sequence === 0 ? undefined : toSequencePosition(sequence - 1);
    for await (const [event] of this.read(topic, { after, maxBatchEvents: 1 })) {
      return event?.position === position ? event : undefined;
    }
    return undefined;
  }

  comparePositions(a: Position, b: Position): number {
    return fromSequencePosition(a) - fromSequencePosition(b);
  }

  async lag(topic: string, after: Position | undefined): Promise<number> {
    this.#check(topic);
    const known = this.#topics.get(topic);
    return known?.countFrom(after === undefined ? 0 : fromSequencePosition(after) + 1) ?? 0;
  }

  async commit(group: string, topic: string, position: Position): Promise<void> {
    this.#check(topic);
    checkGroupName(group);
    fromSequencePosition(position);
    await this.#writerContext.lock.check();
    await this.#files.offsets.commit(group, topic, position);
  }

  async committed(group: string, topic: string): Promise<Position | undefined> {
    this.#check(topic);
    checkGroupName(group);
    return this.#files.offsets.get(group, topic);
  }

  async cuts(topic: string): Promise<readonly LogCut[]> {
    this.#check(topic);
    return this.#files.cuts.ofTopic(topic);
  }

  get allCuts(): readonly LogCut[] {
    return this.#files.cuts.all;
  }

  acceptCuts(): Promise<readonly LogCut[]> {
    this.#checkOpen();
    return this.#files.cuts.accept();
  }

  check(options: OpenLogCheck = {}): AsyncGenerator<LogDamage> {
    return readableOnce(this.#checkAll(options));
  }

  async *#checkAll(options: OpenLogCheck): AsyncGenerator<LogDamage> {
    checkObject(options, 'the options of a check');
    const { mayBeTrimmed = true, visit } = options;
    yield* unaccepted(this.#files.cuts.all);
    const directory = path.dirname(this.#files.directory);
    for (const { name: topic, written: segments } of [...this.#topics.values()]) {
      this.#checkOpen();
      const cuts = this.#files.cuts.ofTopic(topic);
      const check = { directory, fs: this.#files.fs, cuts, mayBeTrimmed, visit, isOpen: true };
      yield* checkTopic(topic, segments, check);
    }
  }

  async topics(): Promise<string[]> {
    this.#checkOpen();
    return [...this.#topics.values()].flatMap(({ name, lastEventEnd }) => (lastEventEnd > 0 ? [name] : [])).sort();
  }

  async checkWritable(): Promise<CodedError | undefined> {
    this.#checkOpen();
    try {
      this.#state.check();
      await probe(
        this.#files.fs,
        path.join(path.dirname(this.#files.directory), `probe.${randomUUID()}${DRAFT_SUFFIX}`),
      );
      for (const topic of this.#topics.values()) {
        if (topic.isToBeMended) await this.#writer(topic.name).exclusive(() => topic.mend());
      }
      this.#state.succeeded();
    } catch (error) {
      if (error !== this.#state.error) this.#state.failed(writeRefused('a trial file', error));
    }
    return this.#state.error;
  }

  async applyRetention(retention: Retention | undefined = this.#retention): Promise<number> {
    this.#checkOpen();
    if (retention !== undefined) checkRetention(retention);
    let bytes = 0;
    for (const topic of this.#topics.values()) bytes += await this.#retain(topic, retention);
    return bytes;
  }

  async eraseValues(topic: string, picks: EventPredicate): Promise<ErasedEvent[]> {
    this.#check(topic);
    checkFunction(picks, 'what picks the events to erase');
    const known = this.#topic(topic);
    const writer = this.#writer(topic);
    return known.maintain(async () => {
      await writer.exclusive(() => writer.seal());
      const erased: ErasedEvent[] = [];
      for (const segment of known.segments.slice(0, -1)) {
        for (const event of await eraseInSegment(topic, segment, picks, this.#files.fs)) erased.push(event);
      }
      return erased;
    });
  }

  removeSetAside(): Promise<number> {
    this.#checkOpen();
    return this.#files.aside.clear();
  }

  segmentFiles(): { readonly file: string; readonly sizeBytes: number }[] {
    this.#checkOpen();
    const root = path.dirname(this.#files.directory);
    return [...this.#topics.values()].flatMap(({ written }) =>
      written.map(({ file, endOffset }) => ({ file: path.relative(root, file), sizeBytes: endOffset })),
    );
  }

  stats(): TopicStats[] {
    this.#checkOpen();
    const stored = [...this.#topics.values()].filter(({ lastEventEnd }) => lastEventEnd > 0);
    const stats = stored.map((topic) => ({
      topic: topic.name,
      sizeBytes: totalBytes(topic),
      segments: topic.segments.length,
      events: topic.countFrom(topic.firstSequence),
    }));
    return stats.sort((a, b) => (a.topic < b.topic ? -1 : 1));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #retain(topic: Topic, retention: Retention | undefined): Promise<number> {
    if (retention === undefined) return Promise.resolve(0);
    const committed = (): Position[] => this.#files.offsets.ofTopic(topic.name);
    const context = { fs: this.#files.fs, nowMs: this.#writerContext.nowMs(), committed };
    return topic.maintain(() => removeOldSegments(topic, retention, context));
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#topics.values()].map((topic) => topic.settled()));
    await Promise.all([...this.#writers.values()].map((writer) => writer.close()));
    await Promise.all([...this.#topics.values()].map((topic) => topic.settled()));
    await this.#files.offsets.settle();
    this.stopWatching();
    await this.#files.lock.release();
    for (const { waiters } of this.#topics.values()) waiters.wake();
  }

  #check(topic: string): void {
    this.#checkOpen();
    checkTopicName(topic);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw logClosed();
  }

  #topic(name: string): Topic {
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    const topic = new Topic(name, path.join(this.#files.directory, toSafePath(name)), [], () =>
      this.#files.cuts.ofTopic(name),
    );
    this.#topics.set(name, topic);
    return topic;
  }

  #writer(name: string): TopicWriter {
    const known = this.#writers.get(name);
    if (known !== undefined) return known;
    const writer = new TopicWriter(this.#topic(name), this.#writerContext);
    this.#writers.set(name, writer);
    return writer;
  }
}

async function probe(fs: FileSystem, file: string): Promise<void> {
  try {
    await writeNewFile(fs, file, Buffer.alloc(4096));
  } finally {
    await fs.remove(file);
  }
}

function checkSize(option: string, bytes: number | undefined, min: number): void {
  if (bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= min)) return;
  const message = `${option} must be an integer of ${min} and up; got ${bytes}`;
  throw new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
}
