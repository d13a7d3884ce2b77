import type { LogCut } from '@cairn/events';
import { fromSequencePosition, toSequencePosition } from '@cairn/events/experimental';
import { checkStorageOptions, type FileSystem, nodeFileSystem } from '../files/file-system.ts';
import { RecordFile, type RecordFormat } from './record-file.ts';
import type { SetAside } from './set-aside.ts';

const FORMAT: RecordFormat = { file: 'cuts', magic: 'CAIRNCUT', rows: 'cuts' };

export interface CutRange extends Pick<LogCut, 'topic' | 'bytes' | 'keptIn' | 'reason'> {
  /** One past the number of the last event before the cut. */
  readonly endSequence: number;
  readonly resumesAt: number;
}

/** Records what the topics of a log lost: one small file, replaced as a whole, made at the first loss. */
export class Cuts {
  readonly #file: RecordFile<LogCut>;
  readonly #nowMs: () => number;
  #cuts: readonly LogCut[];

  private constructor(file: RecordFile<LogCut>, nowMs: () => number, cuts: readonly LogCut[]) {
    this.#file = file;
    this.#nowMs = nowMs;
    this.#cuts = cuts;
  }

  /** A damaged record is set aside: the gaps in the topics tell what was cut. @throws `ERR_LOG_VERSION` */
  static async open(directory: string, fs: FileSystem, nowMs: () => number, aside: SetAside): Promise<Cuts> {
    const file = new RecordFile<LogCut>(directory, fs, FORMAT);
    return new Cuts(file, nowMs, await file.readOrSetAside(aside));
  }

  get all(): readonly LogCut[] {
    return this.#cuts;
  }

  ofTopic(topic: string): readonly LogCut[] {
    return this.#cuts.filter((cut) => cut.topic === topic);
  }

  /** The number at which a topic goes on after its last cut; 0 without one. */
  resumesAt(topic: string): number {
    return Math.max(0, ...this.ofTopic(topic).map(({ resumesAt }) => fromSequencePosition(resumesAt)));
  }

  before(topic: string, firstSequence: number): LogCut | undefined {
    return this.ofTopic(topic).find(({ resumesAt }) => fromSequencePosition(resumesAt) === firstSequence);
  }

  /** Adds a cut, or replaces the one that goes on at the same number. Resolves when durable. */
  add(range: CutRange, accepted = false): Promise<void> {
    return this.#replace(this.#with(range, accepted));
  }

  /** As {@link add}, but in memory alone until the next durable change. */
  note(range: CutRange): void {
    this.#cuts = this.#with(range, false);
  }

  #with({ topic, endSequence, resumesAt, ...rest }: CutRange, accepted: boolean): readonly LogCut[] {
    const cut: LogCut = {
      topic,
      after: endSequence === 0 ? undefined : toSequencePosition(endSequence - 1),
      resumesAt: toSequencePosition(resumesAt),
      ...rest,
      atMs: this.#nowMs(),
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
 * Reads the recorded losses of a log without opening it.
 * @throws `ERR_LOG_CORRUPT` (corrupt), `ERR_LOG_VERSION` (unsupported), `ERR_ARGUMENT` (invalid) for what is no folder
 */
export async function readLogCuts(directory: string, fs: FileSystem = nodeFileSystem): Promise<readonly LogCut[]> {
  checkStorageOptions({ directory, fileSystem: fs }, 'the options of readLogCuts');
  return new RecordFile<LogCut>(directory, fs, FORMAT).read();
}

/** Returns the number behind the last event before a cut. */
export function endOfCut({ after }: LogCut): number {
  return after === undefined ? 0 : fromSequencePosition(after) + 1;
}

function inOrder(a: LogCut, b: LogCut): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.resumesAt < b.resumesAt ? -1 : 1;
}

/**
 * Events are numbered from 0; a topic that is cut goes on in the next epoch of this many numbers, so that the number of
 * a lost event is never reused. There is room for 131,072 epochs below 2^53.
 */
const EPOCH_EVENTS = 2 ** 36;

export function nextEpoch(sequence: number): number {
  return (Math.floor(Math.max(0, sequence) / EPOCH_EVENTS) + 1) * EPOCH_EVENTS;
}

export function beginsEpoch(sequence: number): boolean {
  return sequence > 0 && sequence % EPOCH_EVENTS === 0;
}
