import { derivedEventId, type Event, type EventLog, HEADER, type Position, type StoredEvent } from '@cairn/events';
import { INGEST_HEADER } from './contract.ts';
import type { Lanes, StageOutput } from './stage-target.ts';

/** How many senders may have slow documents at once, each without waiting for another's: one lane for each. */
const OWN_LANES = 4;
/** Documents of each other sender that may wait in the lane that all those share; the rest wait in one behind it. */
const MAX_SHARED = 2;
/** The lanes of single senders, the one that all others share, and the one for what is more than their share. */
const LANES = OWN_LANES + 2;
/** Longest time for a document in its turn: beyond it, it is set aside. Milliseconds. */
const TURN_MS = 2000;
/** Shortest turn that a sender has left while documents of theirs wait in a lane, milliseconds. */
const SHORTEST_TURN_MS = 100;
/** Documents of a sender that may wait before the next are set aside untried: each that is tried may cost a worker. */
const MAX_TRIED = 32;
/** Documents of a topic that may wait in its lanes; each costs some hundred bytes of memory. */
const MAX_WAITING = 10_000;

/** The topics to which slow documents of a topic are set aside. */
export function slowTopics(topic: string): string[] {
  return Array.from({ length: LANES }, (_, at) => `${topic}.slow${at + 1}`);
}

/** A document that waits in a lane. */
interface Waiting {
  readonly sender: string;
  /** The last event of it there; `undefined` until it is appended. */
  readonly last: Position | undefined;
}

interface Lane {
  readonly topic: string;
  /** By their IRI, in the order of their last events. */
  readonly documents: Map<string, Waiting>;
  /** How many of them each sender has. */
  readonly senders: Map<string, number>;
  /** Whose document it was given to, since it was empty. */
  holder: string | undefined;
  doneUpTo: Position | undefined;
}

export interface SlowLanesOptions {
  readonly log: Pick<EventLog, 'read' | 'comparePositions'>;
  readonly topic: string;
  /** Default 10,000. */
  readonly maxWaiting?: number;
}

/**
 * The lanes of a topic: where events wait whose document takes longer than a turn, so that the others of the topic need
 * not. Each lane is a topic of its own, read in order by a stage that gives a document all the time that the extractor
 * allows. Four senders have a lane each. All others share one, in which each may have two documents, so that a backlog
 * of one holds none of another; what they have beyond waits in the last. Who has documents in lanes gets shorter turns.
 *
 * All events of a document that waits follow it into its lane, so that their order stays. What waits is known from the
 * topics of the lanes: nothing is lost with the process.
 */
export class SlowLanes implements Lanes {
  readonly topics: readonly string[];
  readonly #options: SlowLanesOptions;
  readonly #lanes: readonly Lane[];
  /** Set aside by the batch in work, and not appended yet. */
  #unappended: { readonly lane: Lane; readonly document: string }[] = [];

  constructor(options: SlowLanesOptions) {
    this.#options = options;
    this.topics = slowTopics(options.topic);
    this.#lanes = this.topics.map((topic) => {
      return { topic, documents: new Map(), senders: new Map(), holder: undefined, doneUpTo: undefined };
    });
  }

  /** A batch of the topic begins. What the one before set aside and could not append is forgotten. */
  begin(): void {
    for (const { lane, document } of this.#unappended.splice(0)) {
      if (lane.documents.get(document)?.last === undefined) remove(lane, document);
    }
  }

  /**
   * How long the document of an event may take in its turn, milliseconds; 0 when it is to be set aside untried, and
   * `undefined` when it cannot be, as no more may wait.
   */
  turnMs(event: StoredEvent): number | undefined {
    const { maxWaiting = MAX_WAITING } = this.#options;
    if (sum(this.#lanes, ({ documents }) => documents.size) >= maxWaiting) return undefined;
    const waiting = sum(this.#lanes, ({ senders }) => senders.get(senderOf(event)) ?? 0);
    return waiting < MAX_TRIED ? Math.max(SHORTEST_TURN_MS, TURN_MS / (1 + waiting)) : 0;
  }

  /** The output that sets an event aside: in the lane of its document, else in that of its sender. */
  setAside(event: StoredEvent, document: string): StageOutput {
    const sender = senderOf(event);
    const lane = this.#laneOf(document) ?? this.#laneFor(sender);
    if (!lane.documents.has(document)) {
      put(lane, document, { sender, last: undefined });
      this.#unappended.push({ lane, document });
    }
    return { topic: lane.topic, event: toAside(event, document) };
  }

  /** The outputs for an event; where its document waits in a lane, the event itself, which follows it there. */
  inOrder(event: StoredEvent, outputs: readonly StageOutput[]): readonly StageOutput[] {
    const [first] = outputs;
    const document = first?.event.headers.get(HEADER.documentId);
    if (first === undefined || document === undefined || this.topics.includes(first.topic)) return outputs;
    return this.#laneOf(document) === undefined ? outputs : [this.setAside(event, document)];
  }

  /** Events were appended to a topic: if that is a lane, they wait there. */
  appended(topic: string, events: readonly Event[], positions: readonly Position[]): void {
    const lane = this.#lanes.find((candidate) => candidate.topic === topic);
    if (lane === undefined) return;
    for (const [at, event] of events.entries()) {
      const document = event.headers.get(HEADER.documentId) ?? '';
      remove(lane, document);
      // The lane may have done it by now.
      if (!this.#isDone(lane, positions[at])) put(lane, document, { sender: senderOf(event), last: positions[at] });
    }
  }

  /** Learns what waits in a lane that begins after a position. Cost: reads what waits there. */
  async restore(topic: string, after: Position | undefined): Promise<void> {
    this.done(topic, after);
    for await (const batch of this.#options.log.read(topic, { after })) {
      const positions = batch.map(({ position }) => position);
      this.appended(topic, batch, positions);
    }
  }

  /** A lane has done its events up to a position. */
  done(topic: string, upTo: Position | undefined): void {
    const lane = this.#lanes.find((candidate) => candidate.topic === topic);
    if (lane === undefined) return;
    lane.doneUpTo = upTo;
    for (const [document, { last }] of lane.documents) {
      if (last === undefined) continue;
      if (!this.#isDone(lane, last)) break;
      remove(lane, document);
    }
  }

  /** The lane that a sender holds, else an empty one, else the shared one, else the last. */
  #laneFor(sender: string): Lane {
    const own = this.#lanes.slice(0, OWN_LANES);
    const [shared, rest] = this.#lanes.slice(OWN_LANES) as [Lane, Lane];
    return (
      own.find(({ holder }) => holder === sender) ??
      own.find(({ holder }) => holder === undefined) ??
      ((shared.senders.get(sender) ?? 0) < MAX_SHARED ? shared : rest)
    );
  }

  #laneOf(document: string): Lane | undefined {
    return this.#lanes.find(({ documents }) => documents.has(document));
  }

  #isDone({ doneUpTo }: Lane, position: Position): boolean {
    return doneUpTo !== undefined && this.#options.log.comparePositions(position, doneUpTo) <= 0;
  }
}

function put(lane: Lane, document: string, waiting: Waiting): void {
  lane.holder ??= waiting.sender;
  lane.documents.set(document, waiting);
  lane.senders.set(waiting.sender, (lane.senders.get(waiting.sender) ?? 0) + 1);
}

function remove(lane: Lane, document: string): void {
  const { documents, senders } = lane;
  const waiting = documents.get(document);
  if (waiting === undefined) return;
  documents.delete(document);
  const left = (senders.get(waiting.sender) ?? 0) - 1;
  if (left > 0) senders.set(waiting.sender, left);
  else senders.delete(waiting.sender);
  if (documents.size === 0) lane.holder = undefined;
}

function senderOf({ headers }: Pick<Event, 'headers'>): string {
  return headers.get(INGEST_HEADER.sender) ?? '';
}

function sum(lanes: readonly Lane[], of: (lane: Lane) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}

/** Where an event was before it was set aside, and when it came there: `topic position milliseconds`. */
const ASIDE_HEADER = 'Ingest-Set-Aside';

/** The event as it waits in a lane. Setting it aside again gives the same `Event-Id`. */
function toAside(event: StoredEvent, document: string): Event {
  const { key, value, topic, position, timestampMs } = event;
  const headers = event.headers
    .with(HEADER.eventId, event.headers.get(HEADER.eventId) ?? derivedEventId(event, 'set-aside', 0))
    .with(HEADER.documentId, document)
    .with(ASIDE_HEADER, `${topic} ${position} ${timestampMs}`);
  return key === undefined ? { headers, value } : { key, headers, value };
}

/** The event as it was before it was set aside, so that the same is made of it; another one is as it is. */
export function fromAside(event: StoredEvent): StoredEvent {
  const [topic, position, time] = event.headers.get(ASIDE_HEADER)?.split(' ') ?? [];
  const timestampMs = Number(time);
  if (topic === undefined || position === undefined || !Number.isFinite(timestampMs)) return event;
  return { ...event, topic, position, timestampMs, headers: event.headers.with(ASIDE_HEADER) };
}
