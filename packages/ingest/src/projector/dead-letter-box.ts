import { CodedError } from '@cairn/errors';
import type { EventLog, Position } from '@cairn/events';
import { deadLetterTopic, type FailedEvent, toDeadLetter, toReason } from './dead-letter.ts';
import { isOfContent } from './fault.ts';

const REMEMBERED = 10_000;

/** The dead letters of one projector: appends them, and remembers the last ones for those who wait for their event. */
export class DeadLetterBox {
  readonly #log: EventLog;
  readonly #topic: string;
  readonly #group: string;
  readonly #errors = new Map<Position, unknown>();
  #count = 0;

  constructor(log: EventLog, topic: string, group: string) {
    this.#log = log;
    this.#topic = topic;
    this.#group = group;
  }

  get count(): number {
    return this.#count;
  }

  /** Moves events here; resolves when they are durable, or when the signal is aborted. */
  async bury(
    failed: readonly FailedEvent[],
    signal: AbortSignal,
    pause: (error: unknown, repetition: number) => Promise<void>,
  ): Promise<void> {
    const letters = failed.map((failure) => toDeadLetter(failure, this.#group));
    for (let repetition = 1; !signal.aborted; repetition++) {
      try {
        await this.#log.append(deadLetterTopic(this.#topic), letters);
        for (const failure of failed) this.#remember(failure);
        return;
      } catch (error) {
        if (isOfContent(error)) throw error;
        await pause(error, repetition);
      }
    }
  }

  /** The error for who waits for the event at a position, when that ended here. */
  reasonOf(position: Position): CodedError | undefined {
    if (!this.#errors.has(position)) return undefined;
    const cause = this.#errors.get(position);
    return new CodedError({
      code: 'ERR_DEAD_LETTER',
      kind: 'internal',
      message: `the event could not be applied and is a dead letter: ${toReason(cause)}`,
      cause,
    });
  }

  #remember({ event, error }: FailedEvent): void {
    this.#count++;
    this.#errors.set(event.position, error);
    if (this.#errors.size <= REMEMBERED) return;
    const [oldest] = this.#errors.keys();
    this.#errors.delete(oldest);
  }
}
