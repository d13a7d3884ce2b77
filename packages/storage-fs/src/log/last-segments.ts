import type { FileSystem } from '../files/file-system.ts';
import { RecordFile, type RecordFormat } from './record-file.ts';
import type { SetAside } from './set-aside.ts';

/** The name of the record in the folder of a log. */
export const LAST_SEGMENTS_FILE = 'segments';

const FORMAT: RecordFormat = { file: LAST_SEGMENTS_FILE, magic: 'CAIRNSEG', rows: 'segments' };

type Row = readonly [topic: string, firstSequence: number];

/** By topic: the number of the first event of its last segment. */
export type LastByTopic = ReadonlyMap<string, number>;

/**
 * Which segment is the last one of each topic: one small file, replaced as a whole. No event is written to a segment
 * that it does not name, so that a last segment that is lost is missed. It is written when a segment is begun, never for
 * an event.
 */
export class LastSegments {
  readonly #file: RecordFile<Row>;
  readonly #last: Map<string, number>;
  /** What the file holds. */
  #durable: LastByTopic;

  private constructor(file: RecordFile<Row>, rows: readonly Row[]) {
    this.#file = file;
    this.#last = new Map(rows);
    this.#durable = new Map(rows);
  }

  /** A record that is damaged is set aside: it is made anew from what is there. @throws `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem, aside: SetAside): Promise<LastSegments> {
    const file = new RecordFile<Row>(directory, fs, FORMAT);
    return new LastSegments(file, await file.readOrSetAside(aside));
  }

  /** The record as it stands; empty when there is none. @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async peek(directory: string, fs: FileSystem): Promise<LastByTopic> {
    return new Map(await new RecordFile<Row>(directory, fs, FORMAT).read());
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
    await this.#file.share(() => this.#replace());
  }

  async #replace(): Promise<void> {
    const last = new Map(this.#last);
    await this.#file.replace([...last]);
    this.#durable = last;
  }
}
