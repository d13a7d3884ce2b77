import {
  type BlobStore,
  type Event,
  type EventLog,
  type HeadersInit,
  offloadValue,
  type Position,
} from '@cairn/events';
import { type ChangeSet, type GraphDataset, publishChangeSet } from '@cairn/rdf-graph';
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

/** One update of a dataset. */
export interface DatasetUpdate {
  /** What the update changes, from the dataset as it is after every change before. */
  readonly evaluate: (dataset: GraphDataset) => Promise<ChangeSet>;
  /** Identifies the update: publishing it again gives events that consumers drop. */
  readonly eventId: string;
  readonly headers?: HeadersInit | undefined;
  /** Whether to wait until the dataset has applied it. Default true. */
  readonly wait?: boolean;
}

/** What an update did. */
export interface DatasetUpdateOutcome {
  readonly changes: ChangeSet;
  /** The position of its last event; the end of the topic when it changed nothing. */
  readonly position: Position | undefined;
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

  /**
   * @throws what the evaluation and the log throw; `ERR_PROJECTION_TIMEOUT` (timeout) when the dataset does not follow
   *   in time: before anything is written when it was behind, after it is durable when it is late;
   *   `ERR_DEAD_LETTER` (internal) when the event cannot be applied.
   */
  update(update: DatasetUpdate, waiting: WaitOptions = {}): Promise<DatasetUpdateOutcome> {
    return this.#turn.run(async () => {
      const { log, blobs, projector, dataset } = this.#options;
      await projector.waitForEnd(waiting);
      const changes = await update.evaluate(dataset());
      const { eventId, headers } = update;
      const positions = await publishChangeSet(log, this.topic, changes, { eventId, headers, blobs });
      const last = positions.at(-1);
      if (last === undefined) return { changes, position: await log.end(this.topic) };
      if (update.wait !== false) for (const position of positions) await projector.waitFor(position, waiting);
      return { changes, position: last };
    });
  }

  /** Appends events that need no evaluation: RDF as it came. Durable when it resolves. */
  append(events: readonly Event[]): Promise<Position[]> {
    return this.#turn.run(async () => {
      const { log, blobs } = this.#options;
      const small = await Promise.all(events.map((event) => offloadValue(event, blobs)));
      return log.append(this.topic, small);
    });
  }
}
