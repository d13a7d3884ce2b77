import { type BlobStore, type Event, type EventLog, offloadValue, type Position } from '@cairn/events';
import { type ChangeSet, type GraphDataset, type ToPatchEventsOptions, toPatchEvents } from '@cairn/rdf-graph';
import { markAsOneChange } from '../projector/batch-part.ts';
import { Mutex } from '../projector/mutex.ts';
import type { WaitOptions } from '../projector/position-waiters.ts';
import type { Projector } from '../projector/projector.ts';

/** What {@link DatasetWriter} writes with. */
export interface DatasetWriterOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly topic: string;
  /** The dataset as it is now: a rebuild may put another in its place. */
  readonly dataset: () => GraphDataset;
  /** The projector that feeds the dataset. */
  readonly projector: Projector;
}

/** What is to change, and how its events are named and headed. */
export interface IdentifiedChange extends ToPatchEventsOptions {
  readonly changes: ChangeSet;
  /** Events that follow those of the change. */
  readonly further?: readonly Event[];
}

/** One update of a dataset. */
export interface DatasetUpdate {
  /** What the update changes, from the dataset as it is after every change before. All of it is one batch. */
  readonly evaluate: (dataset: GraphDataset) => Promise<readonly IdentifiedChange[]>;
  /** Whether to wait until the dataset has applied it. Default true. */
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

  /** The dataset as it is now. */
  get dataset(): GraphDataset {
    return this.#options.dataset();
  }

  /**
   * The position of the update's last event; the end of the topic when it changed nothing.
   *
   * @throws what the evaluation and the log throw; `ERR_PROJECTION_TIMEOUT` (timeout) when the dataset does not follow
   *   in time: before anything is written when it was behind, after it is durable when it is late;
   *   `ERR_DEAD_LETTER` (internal) when the event cannot be applied.
   */
  update({ evaluate, wait = true }: DatasetUpdate, waiting: WaitOptions = {}): Promise<Position | undefined> {
    return this.#turn.run(async () => {
      const { log, projector, dataset } = this.#options;
      await projector.waitForEnd(waiting);
      const changes = await evaluate(dataset());
      const events: Event[] = [];
      for (const change of changes) {
        events.push(...markAsOneChange(await toPatchEvents(change.changes, change)), ...(change.further ?? []));
      }
      if (events.length === 0) return log.end(this.topic);
      const positions = await this.#append(events);
      if (wait) for (const position of positions) await projector.waitFor(position, waiting);
      return positions.at(-1);
    });
  }

  /** Appends events that need no evaluation: RDF as it came, whose bytes nobody changes. Durable when it resolves. */
  append(events: readonly Event[]): Promise<Position[]> {
    return this.#turn.run(() => this.#append(events));
  }

  async #append(events: readonly Event[]): Promise<Position[]> {
    const { log, blobs } = this.#options;
    const small = await Promise.all(events.map((event) => offloadValue(event, blobs, { isHandedOver: true })));
    return log.append(this.topic, small);
  }
}
