import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { DRAFT_SUFFIX, readWholeFile, replaceFile } from '../files/durable-file.ts';
import { type EnvelopeFormat, openEnvelope, sealEnvelope } from '../files/envelope.ts';
import { type FileSystem, isNoFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import type { SetAside } from './set-aside.ts';

/** Name, magic and contents of a record of a log. */
export interface RecordFormat {
  readonly file: string;
  /** 8 ASCII characters. */
  readonly magic: string;
  /** Plural, for messages. */
  readonly rows: string;
}

/** A small file beside the topics of a log: a list as JSON, replaced as a whole. */
export class RecordFile<Row> {
  readonly #format: RecordFormat;
  readonly #envelope: EnvelopeFormat;
  readonly #file: string;
  readonly #fs: FileSystem;
  /** The write under way, and the one that will hold everything that came since. */
  #writing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  constructor(directory: string, fs: FileSystem, format: RecordFormat) {
    this.#format = format;
    this.#envelope = { magic: format.magic, version: 1, corrupt: 'ERR_LOG_CORRUPT', newer: 'ERR_LOG_VERSION' };
    this.#file = path.join(directory, format.file);
    this.#fs = fs;
  }

  /** Reads the rows; none when there is no file. @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  async read(): Promise<Row[]> {
    const bytes = await readWholeFile(this.#fs, this.#file).catch((error: unknown) => {
      throw isNoFile(error) ? logCorrupt(this.#file, 0, 'it is no file') : error;
    });
    return bytes === undefined ? [] : this.#parse(openEnvelope(this.#envelope, bytes, this.#file));
  }

  /** As {@link read}, for a record that can be made anew: a damaged one is set aside. @throws `ERR_LOG_VERSION` */
  async readOrSetAside(aside: SetAside): Promise<Row[]> {
    try {
      return await this.read();
    } catch (error) {
      if (!isCodedError(error) || error.kind !== 'corrupt') throw error;
      await aside.moveFile(this.#file, await aside.reserve(this.#format.file));
      return [];
    }
  }

  /** Resolves when the rows are durable. */
  async replace(rows: readonly Row[]): Promise<void> {
    const bytes = sealEnvelope(this.#envelope, Buffer.from(JSON.stringify(rows)));
    await replaceFile(this.#fs, this.#file, `${this.#file}.${randomUUID()}${DRAFT_SUFFIX}`, bytes);
  }

  /** Calls `write`, one at a time. Calls that come while one is under way share the next. */
  share(write: () => Promise<void>): Promise<void> {
    this.#queued ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        this.#writing = write();
        return this.#writing;
      });
    return this.#queued;
  }

  async settle(): Promise<void> {
    await (this.#queued ?? this.#writing).catch(() => undefined);
  }

  #parse(bytes: Buffer): Row[] {
    try {
      return JSON.parse(bytes.toString('utf8')) as Row[];
    } catch {
      throw logCorrupt(this.#file, 0, `its content is no list of ${this.#format.rows}`);
    }
  }
}
