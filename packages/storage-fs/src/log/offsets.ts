import type { Position } from '@cairn/events';
import type { FileSystem } from '../files/file-system.ts';
import { writeRefused } from './errors.ts';
import { RecordFile, type RecordFormat } from './record-file.ts';

const FORMAT: RecordFormat = { file: 'offsets', magic: 'CAIRNOFS', rows: 'positions' };

type Row = readonly [topic: string, group: string, position: Position];

/** Committed positions of consumer groups by topic: one small file, replaced as a whole. */
export class Offsets {
  readonly #file: RecordFile<Row>;
  readonly #byTopic: Map<string, Map<string, Position>>;
  #durable: readonly Row[];

  private constructor(file: RecordFile<Row>, rows: readonly Row[]) {
    this.#file = file;
    this.#durable = rows;
    this.#byTopic = new Map();
    for (const row of rows) this.#set(row);
  }

  /** @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem): Promise<Offsets> {
    const file = new RecordFile<Row>(directory, fs, FORMAT);
    return new Offsets(file, await file.read());
  }

  get(group: string, topic: string): Position | undefined {
    return this.#byTopic.get(topic)?.get(group);
  }

  topics(): string[] {
    return [...this.#byTopic.keys()];
  }

  /** Positions of all groups in a topic, durable or about to be. */
  ofTopic(topic: string): Position[] {
    const durable = this.#durable.flatMap(([name, , position]) => (name === topic ? [position] : []));
    return [...durable, ...(this.#byTopic.get(topic)?.values() ?? [])];
  }

  /** Resolves when durable. Calls that come while the file is being written share the next write. */
  async commit(group: string, topic: string, position: Position): Promise<void> {
    const before = this.get(group, topic);
    this.#set([topic, group, position]);
    try {
      await this.#file.share(() => this.#replace());
    } catch (error) {
      if (this.get(group, topic) === position) this.#restore(topic, group, before);
      throw writeRefused(`the position of group ${group} in topic ${topic}`, error);
    }
  }

  async settle(): Promise<void> {
    await this.#file.settle();
  }

  async #replace(): Promise<void> {
    const rows = [...this.#byTopic].flatMap(([topic, groups]) =>
      [...groups].map(([group, position]): Row => [topic, group, position]),
    );
    await this.#file.replace(rows);
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
