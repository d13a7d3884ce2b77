import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Position } from '@cairn/events';
import { DRAFT_SUFFIX, readWholeFile, replaceFile } from '../files/durable-file.ts';
import { type EnvelopeFormat, openEnvelope, sealEnvelope } from '../files/envelope.ts';
import type { FileSystem } from '../files/file-system.ts';
import { logCorrupt, writeRefused } from './errors.ts';

const FORMAT: EnvelopeFormat = {
  magic: 'CAIRNOFS',
  version: 1,
  corrupt: 'ERR_LOG_CORRUPT',
  newer: 'ERR_LOG_VERSION',
};

type Row = readonly [topic: string, group: string, position: Position];

/** How far each consumer group has come in each topic: one small file, replaced as a whole. */
export class Offsets {
  readonly #file: string;
  readonly #fs: FileSystem;
  readonly #byTopic: Map<string, Map<string, Position>>;
  /** What the file holds. */
  #durable: readonly Row[];
  /** The write under way, and the one that will hold all that came since. */
  #writing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  private constructor(file: string, fs: FileSystem, rows: readonly Row[]) {
    this.#file = file;
    this.#fs = fs;
    this.#durable = rows;
    this.#byTopic = new Map();
    for (const row of rows) this.#set(row);
  }

  /** @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem): Promise<Offsets> {
    const file = path.join(directory, 'offsets');
    const bytes = await readWholeFile(fs, file);
    return new Offsets(file, fs, bytes === undefined ? [] : parseRows(openEnvelope(FORMAT, bytes, file), file));
  }

  get(group: string, topic: string): Position | undefined {
    return this.#byTopic.get(topic)?.get(group);
  }

  /** Every topic that a group has a position in. */
  topics(): string[] {
    return [...this.#byTopic.keys()];
  }

  /** The positions of all groups in a topic: those that are durable, and those that are about to be. */
  ofTopic(topic: string): Position[] {
    const durable = this.#durable.flatMap(([name, , position]) => (name === topic ? [position] : []));
    return [...durable, ...(this.#byTopic.get(topic)?.values() ?? [])];
  }

  /** Resolves when durable. Calls that come while the file is being written share the next write. */
  async commit(group: string, topic: string, position: Position): Promise<void> {
    const before = this.get(group, topic);
    this.#set([topic, group, position]);
    try {
      await this.#write();
    } catch (error) {
      if (this.get(group, topic) === position) this.#restore(topic, group, before);
      throw writeRefused(`the position of group ${group} in topic ${topic}`, error);
    }
  }

  /** Waits for what is being written. */
  async settle(): Promise<void> {
    await (this.#queued ?? this.#writing).catch(() => undefined);
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
    const rows = [...this.#byTopic].flatMap(([topic, groups]) =>
      [...groups].map(([group, position]): Row => [topic, group, position]),
    );
    const bytes = sealEnvelope(FORMAT, Buffer.from(JSON.stringify(rows)));
    await replaceFile(this.#fs, this.#file, `${this.#file}.${randomUUID()}${DRAFT_SUFFIX}`, bytes);
    this.#durable = rows;
  }

  #set([topic, group, position]: Row): void {
    const groups = this.#byTopic.get(topic) ?? new Map<string, Position>();
    this.#byTopic.set(topic, groups.set(group, position));
  }

  #restore(topic: string, group: string, before: Position | undefined): void {
    if (before === undefined) this.#byTopic.get(topic)?.delete(group);
    else this.#set([topic, group, before]);
  }
}

function parseRows(bytes: Buffer, file: string): Row[] {
  try {
    return JSON.parse(bytes.toString('utf8')) as Row[];
  } catch {
    throw logCorrupt(file, 0, 'its content is no list of positions');
  }
}
