import { throwIfAborted } from '@cairn/errors';
import { type BlobStore, type Event, type EventLog, offloadValue, type Position } from '@cairn/events';
import { type ChangeSet, type GraphDataset, type ToPatchEventsOptions, toPatchEvents } from '@cairn/rdf-graph';
import type { Clock } from '../port/clock.ts';
import { markAsOneChange } from '../projector/batch-part.ts';
import { whenWritten, whileUnwritten } from '../projector/durability.ts';
import { Mutex } from '../projector/mutex.ts';
import { DEFAULT_TIMEOUT_MS, type WaitOptions } from '../projector/position-waiters.ts';
import type { Projector } from '../projector/projector.ts';

export interface DatasetWriterOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly topic: string;
  /** The dataset as it is now: a rebuild may put another in its place. */
  readonly dataset: () => GraphDataset;
  readonly projector: Projector;
  readonly clock: Clock;
}

/** Changes, with the ids and headers of their events. */
export interface IdentifiedChange extends ToPatchEventsOptions {
  readonly changes: ChangeSet;
  /** Events that follow those of the change. */
  readonly further?: readonly Event[];
}

export interface DatasetUpdate {
  /** Computes the changes from the dataset after all earlier ones. Together they are one batch. */
  readonly evaluate: (dataset: GraphDataset) => Promise<readonly IdentifiedChange[]>;
  /** True when to wait until the dataset has applied it. Default true. */
  readonly wait?: boolean;
}

/**
 * The one way to append to a dataset's topic in this process: evaluate, append, apply, one update at a time, so that
 * each is evaluated over what those before it have done.
 */
export class DatasetWriter {
  readonly topic: string;
  readonly #options: DatasetWriterOptions;
  readonly #turn = new Mutex();

  constructor(options: DatasetWriterOptions) {
    this.topic = options.topic;
    this.#options = options;
  }

  get dataset(): GraphDataset {
    return this.#options.dataset();
  }

  /**
   * The position of the update's last event; the end of the topic when it changed nothing.
   *
   * @throws what the evaluation and the log throw. Before the append: `ERR_PROJECTION_BEHIND` (unavailable) when the
   *   dataset is behind its topic, `ERR_CANCELLED`; both say that nothing was written, and nothing is. After it, as
   *   {@link whenWritten}.
   */
  update({ evaluate, wait = true }: DatasetUpdate, waiting: WaitOptions = {}): Promise<Position | undefined> {
    const { log, projector, dataset, clock } = this.#options;
    const askedMs = clock.nowMs();
    return this.#turn.run(async () => {
      const timeoutMs = timeLeft(waiting, clock.nowMs() - askedMs);
      await whileUnwritten(() => projector.waitForEnd({ ...waiting, timeoutMs }));
      const changes = await evaluate(dataset());
      const events: Event[] = [];
      for (const change of changes) {
        events.push(...markAsOneChange(await toPatchEvents(change.changes, change)), ...(change.further ?? []));
      }
      if (events.length === 0) return log.end(this.topic);
      const positions = await this.#append(events, waiting.signal);
      if (wait) await whenWritten(() => reachedAll(projector, positions, waiting));
      return positions.at(-1);
    });
  }

  /**
   * Appends events that need no evaluation: RDF as it came, whose bytes nobody changes. Durable when it resolves.
   * @throws `ERR_CANCELLED` when the signal was aborted before its turn came: nothing was written then
   */
  append(events: readonly Event[], signal?: AbortSignal): Promise<Position[]> {
    return this.#turn.run(() => this.#append(events, signal));
  }

  async #append(events: readonly Event[], signal: AbortSignal | undefined): Promise<Position[]> {
    const { log, blobs } = this.#options;
    const small = await Promise.all(events.map((event) => offloadValue(event, blobs, { isHandedOver: true })));
    // A caller who has left by now may have been told that nothing was written. From here on it is.
    await whileUnwritten(async () => throwIfAborted(signal));
    return log.append(this.topic, small);
  }
}

/** Of the time that an update may wait for its dataset, what its turn has left of it: a tenth at least. */
function timeLeft({ timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions, waitedMs: number): number {
  return Math.max(timeoutMs - waitedMs, timeoutMs / 10);
}

async function reachedAll(projector: Projector, positions: readonly Position[], waiting: WaitOptions): Promise<void> {
  for (const position of positions) await projector.waitFor(position, waiting);
}
