import { fromSequencePosition, type LogCut, toSequencePosition } from '@cairn/events';
import { type FileSystem, nodeFileSystem } from '../files/file-system.ts';
import { RecordFile, type RecordFormat } from './record-file.ts';
import type { SetAside } from './set-aside.ts';

const FORMAT: RecordFormat = { file: 'cuts', magic: 'CAIRNCUT', rows: 'cuts' };

/** A cut by the numbers of events. */
export interface CutRange {
  readonly topic: string;
  /** One past the number of the last event before. */
  readonly endSequence: number;
  readonly resumesAt: number;
  readonly bytes: number;
  readonly keptIn: string | undefined;
  readonly reason: string;
}

/** What the topics of a log lost: one small file, replaced as a whole, that is there once something was lost. */
export class Cuts {
  readonly #file: RecordFile<LogCut>;
  readonly #now: () => number;
  #cuts: readonly LogCut[];

  private constructor(file: RecordFile<LogCut>, now: () => number, cuts: readonly LogCut[]) {
    this.#file = file;
    this.#now = now;
    this.#cuts = cuts;
  }

  /** A record that is damaged is set aside: the gaps in the topics tell what was cut. @throws `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem, now: () => number, aside: SetAside): Promise<Cuts> {
    const file = new RecordFile<LogCut>(directory, fs, FORMAT);
    return new Cuts(file, now, await file.readOrSetAside(aside));
  }

  /** The record as it stands. @throws `ERR_LOG_CORRUPT`, `ERR_LOG_VERSION` */
  static async peek(directory: string, fs: FileSystem): Promise<readonly LogCut[]> {
    return new RecordFile<LogCut>(directory, fs, FORMAT).read();
  }

  get all(): readonly LogCut[] {
    return this.#cuts;
  }

  ofTopic(topic: string): readonly LogCut[] {
    return this.#cuts.filter((cut) => cut.topic === topic);
  }

  /** The number that a topic goes on with behind its last cut; 0 without one. */
  resumesAt(topic: string): number {
    return Math.max(0, ...this.ofTopic(topic).map(({ resumesAt }) => fromSequencePosition(resumesAt)));
  }

  /** The cut right before a segment that begins with a number. */
  before(topic: string, firstSequence: number): LogCut | undefined {
    return this.ofTopic(topic).find(({ resumesAt }) => fromSequencePosition(resumesAt) === firstSequence);
  }

  /** Adds a cut, or takes the place of the one that goes on at the same number. Resolves when durable. */
  add(range: CutRange, accepted = false): Promise<void> {
    return this.#replace(this.#with(range, accepted));
  }

  /** As {@link add}, for now in memory alone: it becomes durable with the next one that does. */
  note(range: CutRange): void {
    this.#cuts = this.#with(range, false);
  }

  #with({ topic, endSequence, resumesAt, ...rest }: CutRange, accepted: boolean): readonly LogCut[] {
    const cut: LogCut = {
      topic,
      after: endSequence === 0 ? undefined : toSequencePosition(endSequence - 1),
      resumesAt: toSequencePosition(resumesAt),
      ...rest,
      atMs: this.#now(),
      accepted,
    };
    const others = this.#cuts.filter((one) => one.topic !== topic || one.resumesAt !== cut.resumesAt);
    return [...others, cut].sort(inOrder);
  }

  /** Marks every cut as known to an operator. Returns those that were not. */
  async accept(): Promise<readonly LogCut[]> {
    const fresh = this.#cuts.filter(({ accepted }) => !accepted);
    if (fresh.length > 0) await this.#replace(this.#cuts.map((cut) => ({ ...cut, accepted: true })));
    return fresh;
  }

  async #replace(cuts: readonly LogCut[]): Promise<void> {
    await this.#file.replace(cuts);
    this.#cuts = cuts;
  }
}

/**
 * What the topics of a log lost, as it is recorded, without opening the log.
 * @throws `ERR_LOG_CORRUPT` (corrupt), `ERR_LOG_VERSION` (unsupported)
 */
export function readLogCuts(directory: string, fs: FileSystem = nodeFileSystem): Promise<readonly LogCut[]> {
  return Cuts.peek(directory, fs);
}

/** The number behind the last event before a cut. */
export function endOfCut({ after }: LogCut): number {
  return after === undefined ? 0 : fromSequencePosition(after) + 1;
}

function inOrder(a: LogCut, b: LogCut): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.resumesAt < b.resumesAt ? -1 : 1;
}
