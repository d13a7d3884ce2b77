import { CodedError } from '@cairn/errors';
import { deadLetterTopic, listDeadLetters, retryDeadLetter, showDeadLetter } from '@cairn/ingest';
import type { Service } from '../composition/service.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

const MAX_SHOWN_BYTES = 4096;

/** `dead-letters list`: one line each, tab-separated: topic, position, time, reason. */
export const listLetters: Operation = {
  name: 'dead-letters-list',
  async *run({ storage }, args) {
    for await (const letter of listDeadLetters(storage.log, textOf(args, 'topic'))) {
      const { sourceTopic, position, timestampMs, group, reason } = letter;
      const time = new Date(timestampMs).toISOString();
      yield result([sourceTopic, position, time, group, oneLine(reason)].join('\t'));
    }
  },
};

/** `dead-letters show`: everything about one. */
export const showLetter: Operation = {
  name: 'dead-letters-show',
  async *run({ storage }, args) {
    const [topic, position] = [topicOf(args), textOf(args, 'position') ?? ''];
    const letter = await showDeadLetter(storage.log, storage.blobs, topic, position);
    if (letter === undefined) throw noLetter(`${topic} at ${position}`);
    yield result(`reason: ${oneLine(letter.reason)}`);
    yield result(`exception: ${oneLine(letter.exception)}`);
    yield result(`root cause: ${oneLine(letter.rootCause)}`);
    yield result(`event: ${letter.eventType} ${letter.eventId} of ${letter.sourceTopic} at ${letter.sourcePosition}`);
    for (const [name, value] of letter.headers) yield result(`header ${name}: ${oneLine(value)}`);
    yield result(`value: ${letter.value.byteLength} bytes`);
    if (letter.value.byteLength <= MAX_SHOWN_BYTES) yield result(Buffer.from(letter.value).toString('base64'));
  },
};

/** `dead-letters retry`: one, or all of a topic. */
export const retryLetters: Operation = {
  name: 'dead-letters-retry',
  async *run({ storage }, args) {
    const [topic, position] = [topicOf(args), textOf(args, 'position')];
    const positions = position === undefined ? await positionsOf(storage.log, topic) : [position];
    for (const each of positions) {
      const again = await retryDeadLetter(storage.log, topic, each);
      yield result(`${topic} ${each} is ${again.topic} ${again.position} now`);
    }
  },
};

/** The positions of all dead letters of a topic. @throws `ERR_NO_DEAD_LETTER` (not-found) when there is none. */
async function positionsOf(log: Service['storage']['log'], topic: string): Promise<string[]> {
  const source = topic.slice(0, -deadLetterTopic('').length);
  const positions: string[] = [];
  for await (const { position } of listDeadLetters(log, source)) positions.push(position);
  if (positions.length > 0) return positions;
  throw noLetter(source);
}

function noLetter(place: string): CodedError {
  const message = `there is no dead letter of ${place}`;
  return new CodedError({ code: 'ERR_NO_DEAD_LETTER', kind: 'not-found', message });
}

/** The topic of the dead letters of a topic; one that is given as such stays. */
function topicOf(args: OperationArguments): string {
  const topic = textOf(args, 'topic') ?? '';
  return topic === deadLetterTopic(topic.replace(/\.dlq$/, '')) ? topic : deadLetterTopic(topic);
}

function textOf(args: OperationArguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function result(text: string): OperationLine {
  return { type: 'result', text };
}

function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ');
}
