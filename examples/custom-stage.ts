/**
 * A stage of one's own beside the pipeline: it follows the texts that the pipeline extracts, and puts what it makes of
 * them on a topic of its own.
 */
import { createEvent, createMemoryEventLog, derivedEventId, type Event, HEADER, type StoredEvent } from '@cairn/events';
import {
  type Clock,
  createProjector,
  type DocumentText,
  deadLetterTopic,
  EVENT_TYPE,
  type FailedEvent,
  listDeadLetters,
  type ProjectionTarget,
  TOPIC,
} from '@cairn/ingest';

const STAGE = 'count-words';
const WORDS = 'document.words';
const log = createMemoryEventLog({ nowMs: () => 0 });

/** One event in, one event out. Made again from the same event it has the same id, so that consumers drop the repeat. */
function countWords(event: StoredEvent): Event {
  const { uri, text } = JSON.parse(new TextDecoder().decode(event.value)) as DocumentText;
  return createEvent({
    id: derivedEventId(event, STAGE, 0),
    type: 'document.words',
    // What is derived from a document is for the same readers.
    headers: { [HEADER.securityLabel]: event.headers.getAll(HEADER.securityLabel) },
    value: JSON.stringify({ uri, words: text.split(/\s+/).filter(Boolean).length }),
  });
}

const target: ProjectionTarget = {
  start: () => log.committed(STAGE, TOPIC.text),
  async apply(events) {
    const made: Event[] = [];
    const failed: FailedEvent[] = [];
    for (const event of events) {
      try {
        made.push(countWords(event));
      } catch (error) {
        // Can never be processed: it becomes a dead letter with its reason, and the rest goes on.
        failed.push({ event, error });
      }
    }
    if (made.length > 0) await log.append(WORDS, made);
    return failed;
  },
};

const clock: Clock = {
  nowMs: () => 0,
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      signal?.addEventListener('abort', () => resolve(clearTimeout(timer)));
    }),
};

// The projector reads, retries, keeps dead letters, drops what is delivered twice and commits how far it has come.
const projector = createProjector({ log, topic: TOPIC.text, group: STAGE, target, clock });
await projector.start();

function extracted(uri: string, value: string): Event {
  const headers = { [HEADER.securityLabel]: 'clearance=S' };
  return createEvent({ id: `text-${uri}`, type: EVENT_TYPE.text, headers, value });
}
await log.append(TOPIC.text, [
  extracted('d1', JSON.stringify({ uri: 'd1', text: 'The lamp went out.' })),
  extracted('d2', 'not JSON at all'),
  extracted('d1', JSON.stringify({ uri: 'd1', text: 'The lamp went out.' })),
]);
await projector.waitForEnd().catch(() => {});

for await (const batch of log.read(WORDS)) {
  for (const { value, headers } of batch) {
    console.log(new TextDecoder().decode(value), headers.get(HEADER.securityLabel));
  }
}
const { repeated, deadLetters } = await projector.figures();
console.log(`repeated ${repeated}, dead letters ${deadLetters} on ${deadLetterTopic(TOPIC.text)}`);
for await (const { eventId, reason } of listDeadLetters(log, TOPIC.text)) console.log(eventId, reason !== '');
await projector.stop();

/* Prints:
{"uri":"d1","words":4} clearance=S
repeated 1, dead letters 1 on document.textandmetadata.dlq
text-d2 true
*/
