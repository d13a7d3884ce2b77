import { type CodedError, isCodedError } from '@cairn/errors';
import { createEvent, createHeaders, derivedEventId, type Event, HEADER, type StoredEvent } from '@cairn/events';

/** An event that could not be processed, and why. */
export interface FailedEvent {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** Headers that a dead letter has beside those of the event it was. */
export const DEAD_LETTER_HEADER = {
  reason: 'Dead-Letter-Reason',
  exception: 'Dead-Letter-Exception',
  rootCause: 'Dead-Letter-Root-Cause',
  /** The topic that the event was in. */
  topic: 'Dead-Letter-Topic',
  /** Its position there. */
  position: 'Dead-Letter-Position',
  /** The consumer group that failed. */
  group: 'Dead-Letter-Group',
  /** Its `Event-Id`. */
  eventId: 'Dead-Letter-Event-Id',
  /** Its `Event-Type`. */
  eventType: 'Dead-Letter-Event-Type',
} as const;

/** The `Event-Type` of a dead letter. */
export const DEAD_LETTER_TYPE = 'dead-letter';

const MAX_REASON_LENGTH = 2000;

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
  if (isCodedError(error)) return oneLine(`${codeOf(error)}: ${error.message}`);
  return oneLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

function codeOf(error: CodedError): string {
  return `${error.code} (${error.kind})`;
}

function rootCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 20 && cause instanceof Error && cause.cause !== undefined; depth++) cause = cause.cause;
  return cause;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_REASON_LENGTH);
}
