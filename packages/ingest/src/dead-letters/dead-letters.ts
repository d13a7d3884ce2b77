import { CodedError, checkPort, checkText, readableOnce } from '@cairn/errors';
import {
  type BlobStore,
  createEvent,
  createHeaders,
  derivedEventId,
  type EventLog,
  type Headers,
  loadValue,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import { DEAD_LETTER_HEADER, deadLetterTopic } from '../projector/dead-letter.ts';

/** A dead letter as a list shows it. */
export interface DeadLetter {
  /** The dead-letter topic and its position there: what {@link showDeadLetter} and {@link retryDeadLetter} take. */
  readonly topic: string;
  readonly position: Position;
  /** When it became one, milliseconds since the epoch. */
  readonly timestampMs: number;
  readonly reason: string;
  /** Where it was before. */
  readonly sourceTopic: string;
  readonly sourcePosition: Position;
  readonly group: string;
  readonly eventId: string;
  readonly eventType: string;
}

/** A dead letter with everything it is made of. */
export interface DeadLetterDetail extends DeadLetter {
  readonly exception: string;
  readonly rootCause: string;
  /** The headers that the event had before. */
  readonly headers: Headers;
  readonly value: Uint8Array;
}

const SUFFIX = deadLetterTopic('');
const OWN_HEADERS: ReadonlySet<string> = new Set(
  Object.values(DEAD_LETTER_HEADER).map((name: string) => name.toLowerCase()),
);

/**
 * The dead letters of a topic, or of all, each failure once, in order. One whose retry has failed gives way to the
 * letter of that failure, so that retrying them all does not make more of them each time. Cost: two readings of their
 * topics.
 * @param sourceTopic the topic that the events was in; default every one
 */
export function listDeadLetters(log: EventLog, sourceTopic?: string): AsyncGenerator<DeadLetter, void, undefined> {
  checkLog(log);
  if (sourceTopic !== undefined) checkText(sourceTopic, 'the topic of dead letters');
  return readableOnce(deadLettersOf(log, sourceTopic));
}

async function* deadLettersOf(
  log: EventLog,
  sourceTopic: string | undefined,
): AsyncGenerator<DeadLetter, void, undefined> {
  const topics =
    sourceTopic === undefined
      ? (await log.topics()).filter((topic) => topic.endsWith(SUFFIX))
      : [deadLetterTopic(sourceTopic)];
  for (const topic of topics) {
    const failed = await failedEvents(log, topic);
    const seen = new Set<string>();
    for await (const batch of log.read(topic)) {
      for (const event of batch) {
        if (failed.has(retryId(event))) continue;
        const letter = toDeadLetter(event);
        const failure = JSON.stringify([letter.sourcePosition, letter.group]);
        if (seen.has(failure)) continue;
        seen.add(failure);
        yield letter;
      }
    }
  }
}

/** How many dead letters there are, by topic; one delivered again after a crash counts again. Cost: the log's `lag`. */
export async function countDeadLetters(log: EventLog): Promise<ReadonlyMap<string, number>> {
  checkLog(log);
  const topics = (await log.topics()).filter((topic) => topic.endsWith(SUFFIX));
  const counts = topics.map(async (topic) => [topic, await log.lag(topic, undefined)] as const);
  return new Map(await Promise.all(counts));
}

/** One dead letter whole; `undefined` when there is none at that position. */
export async function showDeadLetter(
  log: EventLog,
  blobs: BlobStore,
  topic: string,
  position: Position,
): Promise<DeadLetterDetail | undefined> {
  const event = await findEvent(log, topic, position);
  if (event === undefined) return undefined;
  return {
    ...toDeadLetter(event),
    exception: event.headers.get(DEAD_LETTER_HEADER.exception) ?? '',
    rootCause: event.headers.get(DEAD_LETTER_HEADER.rootCause) ?? '',
    headers: originalHeaders(event),
    value: await loadValue(event, blobs),
  };
}

/**
 * Appends the event of a dead letter to the topic it was in once more, at the end. It is a new event there, with an id
 * of its own, as its consumers have done with the old one; retrying it twice gives the same id.
 * @throws `ERR_NO_DEAD_LETTER` (not-found)
 */
export async function retryDeadLetter(
  log: EventLog,
  topic: string,
  position: Position,
): Promise<{ readonly topic: string; readonly position: Position }> {
  checkText(position, 'the position of a dead letter');
  const event = await findEvent(log, topic, position);
  if (event === undefined) {
    const message = `there is no dead letter at ${position} of ${topic}`;
    throw new CodedError({ code: 'ERR_NO_DEAD_LETTER', kind: 'not-found', message });
  }
  const { sourceTopic, eventType } = toDeadLetter(event);
  const { key, value } = event;
  const headers = originalHeaders(event);
  const retried = createEvent({ id: retryId(event), type: eventType || 'retried', key, headers, value });
  const [at] = await log.append(sourceTopic, [retried]);
  return { topic: sourceTopic, position: at };
}

function checkLog(log: EventLog): void {
  for (const method of ['read', 'topics', 'append']) checkPort(log, method, 'the log');
}

function retryId(event: StoredEvent): string {
  return derivedEventId(event, 'retry', 0);
}

async function failedEvents(log: EventLog, topic: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const batch of log.read(topic)) for (const event of batch) ids.add(toDeadLetter(event).eventId);
  return ids;
}

function toDeadLetter(event: StoredEvent): DeadLetter {
  const header = (name: string): string => event.headers.get(name) ?? '';
  return {
    topic: event.topic,
    position: event.position,
    timestampMs: event.timestampMs,
    reason: header(DEAD_LETTER_HEADER.reason),
    sourceTopic: header(DEAD_LETTER_HEADER.topic) || event.topic.slice(0, -SUFFIX.length),
    sourcePosition: header(DEAD_LETTER_HEADER.position),
    group: header(DEAD_LETTER_HEADER.group),
    eventId: header(DEAD_LETTER_HEADER.eventId),
    eventType: header(DEAD_LETTER_HEADER.eventType),
  };
}

function originalHeaders(event: StoredEvent): Headers {
  return createHeaders([...event.headers].filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())));
}

async function findEvent(log: EventLog, topic: string, position: Position): Promise<StoredEvent | undefined> {
  checkLog(log);
  for await (const batch of log.read(topic)) {
    const found = batch.find((event) => event.position === position);
    if (found !== undefined) return found;
  }
  return undefined;
}
