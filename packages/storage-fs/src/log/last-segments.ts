import type { FileSystem } from '../files/file-system.ts';
import { RecordFile, type RecordFormat } from './record-file.ts';
import type { SetAside } from './set-aside.ts';

export const LAST_SEGMENTS_FILE = 'segments';

const FORMAT: RecordFormat = { file: LAST_SEGMENTS_FILE, magic: 'CAIRNSEG', rows: 'segments' };

type Row = readonly [topic: string, firstSequence: number];

export type LastByTopic = ReadonlyMap<string, number>;

/**
 * Records the last segment of each topic in one small file, replaced as a whole. No event is written to a segment that
 * it does not name, so that a lost last segment is noticed. Written when a segment is begun, never for an event.
 */
export class LastSegments {
  readonly #file: RecordFile<Row>;
  readonly #last: Map<string, number>;
  #durable: LastByTopic;

  private constructor(file: RecordFile<Row>, rows: readonly Row[]) {
    this.#file = file;
    this.#last = new Map(rows);
    this.#durable = new Map(rows);
  }

  /** A damaged record is set aside and made anew from the segments. @throws `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem, aside: SetAside): Promise<LastSegments> {
    const file = new RecordFile<Row>(directory, fs, FORMAT);
    return new LastSegments(file, await file.readOrSetAside(aside));
  }

  /** Reads the record without changing it; empty when there is none. @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async peek(directory: string, fs: FileSystem): Promise<LastByTopic> {
    return new Map(await new RecordFile<Row>(directory, fs, FORMAT).read());
  }

  get all(): LastByTopic {
    return this.#durable;
  }

  names(topic: string, firstSequence: number): boolean {
    return this.#durable.get(topic) === firstSequence;
  }

  /** Names the last segments of topics. Resolves when durable; calls that come meanwhile share the next write. */
  async record(last: LastByTopic): Promise<void> {
    if ([...last].every(([topic, firstSequence]) => this.names(topic, firstSequence))) return;
    for (const [topic, firstSequence] of last) this.#last.set(topic, firstSequence);
    await this.#file.share(async () => {
      const durable = new Map(this.#last);
      await this.#file.replace([...durable]);
      this.#durable = durable;
    });
  }
}
