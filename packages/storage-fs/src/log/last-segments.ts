import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { DRAFT_SUFFIX, readWholeFile, replaceFile } from '../files/durable-file.ts';
import { type EnvelopeFormat, openEnvelope, sealEnvelope } from '../files/envelope.ts';
import type { FileSystem } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import type { SetAside } from './set-aside.ts';

const FORMAT: EnvelopeFormat = {
  magic: 'CAIRNSEG',
  version: 1,
  corrupt: 'ERR_LOG_CORRUPT',
  newer: 'ERR_LOG_VERSION',
};

/** The name of the record in the folder of a log. */
export const LAST_SEGMENTS_FILE = 'segments';

/** By topic: the number of the first event of its last segment. */
export type LastByTopic = ReadonlyMap<string, number>;

/**
 * Which segment is the last one of each topic: one small file, replaced as a whole. No event is written to a segment
 * that it does not name, so that a last segment that is lost is missed. It is written when a segment is begun, never for
 * an event.
 */
export class LastSegments {
  readonly #file: string;
  readonly #fs: FileSystem;
  readonly #last: Map<string, number>;
  /** What the file holds. */
  #durable: LastByTopic;
  #writing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  private constructor(file: string, fs: FileSystem, last: LastByTopic) {
    this.#file = file;
    this.#fs = fs;
    this.#last = new Map(last);
    this.#durable = last;
  }

  /** A record that is damaged is set aside: it is made anew from what is there. @throws `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem, aside: SetAside): Promise<LastSegments> {
    const file = path.join(directory, LAST_SEGMENTS_FILE);
    try {
      return new LastSegments(file, fs, await LastSegments.peek(directory, fs));
    } catch (error) {
      if (!isCodedError(error) || error.kind !== 'corrupt') throw error;
      await aside.moveFile(file, await aside.reserve(LAST_SEGMENTS_FILE));
      return new LastSegments(file, fs, new Map());
    }
  }

  /** The record as it stands; empty when there is none. @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async peek(directory: string, fs: FileSystem): Promise<LastByTopic> {
    const file = path.join(directory, LAST_SEGMENTS_FILE);
    const bytes = await readWholeFile(fs, file);
    return bytes === undefined ? new Map() : parseRows(openEnvelope(FORMAT, bytes, file), file);
  }

  get all(): LastByTopic {
    return this.#durable;
  }

  /** Whether the file names a segment as the last one of its topic. */
  names(topic: string, firstSequence: number): boolean {
    return this.#durable.get(topic) === firstSequence;
  }

  /** Names the last segments of topics. Resolves when durable; calls that come meanwhile share the next write. */
  async record(last: LastByTopic): Promise<void> {
    if ([...last].every(([topic, firstSequence]) => this.names(topic, firstSequence))) return;
    for (const [topic, firstSequence] of last) this.#last.set(topic, firstSequence);
    await this.#write();
  }

  #write(): Promise<void> {
    this.#queued ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        this.#writing = this.#replace();
        return this.#writing;
      });
    return this.#queued;
  }

  async #replace(): Promise<void> {
    const last = new Map(this.#last);
    const bytes = sealEnvelope(FORMAT, Buffer.from(JSON.stringify([...last])));
    await replaceFile(this.#fs, this.#file, `${this.#file}.${randomUUID()}${DRAFT_SUFFIX}`, bytes);
    this.#durable = last;
  }
}

function parseRows(bytes: Buffer, file: string): LastByTopic {
  try {
    return new Map(JSON.parse(bytes.toString('utf8')) as [string, number][]);
  } catch {
    throw logCorrupt(file, 0, 'its content is no list of segments');
  }
}
