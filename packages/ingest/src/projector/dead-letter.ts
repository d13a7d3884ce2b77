import { CodedError, isCodedError } from '@cairn/errors';
import {
  createEvent,
  createHeaders,
  derivedEventId,
  type Event,
  type EventLog,
  HEADER,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import { isOfContent } from './fault.ts';

/** An event that could not be processed, and why. */
export interface FailedEvent {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** Does something with each event that is not erased; returns those with a fault of content, throws other faults. */
export async function failuresOf(
  events: readonly StoredEvent[],
  apply: (event: StoredEvent) => Promise<void>,
): Promise<FailedEvent[]> {
  const failed: FailedEvent[] = [];
  for (const event of events) {
    if (event.headers.get(HEADER.erased) === 'true') continue;
    try {
      await apply(event);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      failed.push({ event, error });
    }
  }
  return failed;
}

/** Headers that a dead letter has beside those of the event it was: why it is one, where it was, for whom, and which. */
export const DEAD_LETTER_HEADER = {
  reason: 'Dead-Letter-Reason',
  exception: 'Dead-Letter-Exception',
  rootCause: 'Dead-Letter-Root-Cause',
  topic: 'Dead-Letter-Topic',
  position: 'Dead-Letter-Position',
  group: 'Dead-Letter-Group',
  eventId: 'Dead-Letter-Event-Id',
  eventType: 'Dead-Letter-Event-Type',
} as const;

export const DEAD_LETTER_TYPE = 'dead-letter';

const MAX_REASON_LENGTH = 2000;
const REMEMBERED = 10_000;

/** The topic of the dead letters of a topic. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/**
 * The event on the dead-letter topic for one that failed: its headers and value, the reason, the error, its root cause,
 * and where it came from. The same failure delivered again gives the same `Event-Id`.
 */
export function toDeadLetter({ event, error }: FailedEvent, group: string): Event {
  const headers = createHeaders([
    [DEAD_LETTER_HEADER.reason, toReason(error)],
    [DEAD_LETTER_HEADER.exception, describe(error)],
    [DEAD_LETTER_HEADER.rootCause, describe(rootCause(error))],
    [DEAD_LETTER_HEADER.topic, event.topic],
    [DEAD_LETTER_HEADER.position, event.position],
    [DEAD_LETTER_HEADER.group, group],
    [DEAD_LETTER_HEADER.eventId, event.headers.get(HEADER.eventId) ?? ''],
    [DEAD_LETTER_HEADER.eventType, event.headers.get(HEADER.eventType) ?? ''],
    ...event.headers,
  ]);
  return createEvent({
    id: derivedEventId(event, `dead-letter:${group}`, 0),
    type: DEAD_LETTER_TYPE,
    key: event.key,
    headers,
    value: event.value,
  });
}

/** Why an error happened, in one line. */
export function toReason(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error));
}

function describe(error: unknown): string {
  if (isCodedError(error)) return oneLine(`${error.code} (${error.kind}): ${error.message}`);
  return oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

function rootCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 20 && cause instanceof Error && cause.cause !== undefined; depth++) cause = cause.cause;
  return cause;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_REASON_LENGTH);
}

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
    const message = `the event could not be applied and is a dead letter: ${toReason(cause)}`;
    return new CodedError({ code: 'ERR_DEAD_LETTER', kind: 'internal', message, cause });
  }

  #remember({ event, error }: FailedEvent): void {
    this.#count++;
    this.#errors.set(event.position, error);
    if (this.#errors.size <= REMEMBERED) return;
    const [oldest] = this.#errors.keys();
    this.#errors.delete(oldest);
  }
}
