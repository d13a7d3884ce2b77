import type { BlobStore, EventLog, Position, StoredEvent } from '@cairn/events';
import type { Clock } from '../port/clock.ts';
import type { FailedEvent } from './dead-letter.ts';
import type { WaitOptions } from './position-waiters.ts';

/**
 * Target of a projector.
 *
 * Laws for implementers:
 * - `apply` MUST be idempotent, and MUST record `upTo` together with what it applied where the target keeps positions.
 * - It MAY return events that can never be applied, each with its error; the others of the batch are applied then.
 * - When it throws, nothing of the batch MUST have been applied, or applying it again MUST change nothing.
 */
export interface ProjectionTarget {
  /** The position up to which the target has durably applied the topic; `undefined` to start at the first event. */
  start(): Promise<Position | undefined>;
  /** Applies events in order. `events` may be empty: then only the position moves. */
  apply(
    events: readonly StoredEvent[],
    upTo: Position,
    signal: AbortSignal,
  ): Promise<readonly FailedEvent[] | undefined>;
  /** Makes what was applied durable, with its position. Default: nothing to do. */
  flush?(): Promise<void>;
}

/** When a projector makes its target durable. */
export interface FlushPolicy {
  /** After this many events. Default 10,000. */
  readonly events?: number;
  /** After values of this many bytes all told. Default 256 MiB. */
  readonly bytes?: number;
  /** After this many milliseconds, when anything was applied. Default 30,000. */
  readonly intervalMs?: number;
}

/** Notice about a projector for operators. An error's message holds no content of events. */
export type ProjectorNotice = { readonly topic: string; readonly group: string } & (
  | {
      /** An event could never be applied and went to the dead letters. */
      readonly type: 'dead-letter';
      readonly position: Position;
      readonly error: unknown;
    }
  /** The projector does not come on and tries again; told once, until it resumes. */
  | { readonly type: 'stalled'; readonly error: unknown }
  /** It tried several times and stands still: nothing follows until what it reads or writes is mended. Not told of damage. */
  | { readonly type: 'stands-still'; readonly error: unknown }
  /** It came on after it had stalled. */
  | { readonly type: 'resumed'; readonly stalledMs: number }
  /** The topic cannot be read on; an operator must act. */
  | { readonly type: 'failed'; readonly error: unknown }
);

/** Is told what operators should hear of projectors. */
export type OnProjectorNotice = (notice: ProjectorNotice) => void;

/** How long to wait between tries. */
export interface BackOff {
  /** First pause, milliseconds. Default 100. */
  readonly initialMs?: number;
  /** Longest pause, milliseconds. Default 30,000. */
  readonly maxMs?: number;
  /** Factor from one pause to the next. Default 2. */
  readonly factor?: number;
}

/** Options of {@link createProjector}. */
export interface ProjectorOptions {
  readonly log: EventLog;
  readonly topic: string;
  /** The consumer group: names the projector, and its committed position. */
  readonly group: string;
  readonly target: ProjectionTarget;
  readonly clock: Clock;
  /** Where the ids of applied events are kept over restarts. Default: they are read from the log at start. */
  readonly blobs?: BlobStore | undefined;
  /** Most events of one batch. Default 500. */
  readonly maxBatchEvents?: number;
  /**
   * Least time between the starts of two batches, milliseconds: what comes meanwhile makes the next one larger. The
   * first after a pause is taken at once. Default 0.
   */
  readonly gatherMs?: number;
  /** Tries for a time limit of one event before it is a dead letter. Faults of storage are retried for ever. Default 3. */
  readonly maxTimeoutTries?: number;
  readonly backOff?: BackOff;
  readonly onNotice?: OnProjectorNotice | undefined;
  /** The topic to whose dead letters go those of this one. Default: its own. */
  readonly lettersOf?: string;
  readonly flushPolicy?: FlushPolicy;
  /** Is told of stored state that was damaged and could be done without. */
  readonly onDamage?: ((what: string, error: unknown) => void) | undefined;
}

/**
 * - `stopped`: not started, or stopped
 * - `running`: reads and applies
 * - `paused`: reads no further until resumed
 * - `retrying`: the target or the log is not available; waits before the next try
 * - `stalled`: the stored value of the next event is damaged or missing, or what it reads or writes has failed several
 *   times; goes on by itself once that is mended
 * - `failed`: the topic cannot be read on; an operator must act
 */
export type ProjectorState = 'stopped' | 'running' | 'paused' | 'retrying' | 'stalled' | 'failed';

/** Figures of a projector. For operators: they count what users may not see. */
export interface ProjectorFigures {
  readonly topic: string;
  readonly group: string;
  readonly state: ProjectorState;
  readonly position: Position | undefined;
  /** Events that wait. */
  readonly lag: number;
  /** Events applied since the start. */
  readonly applied: number;
  /** Events dropped because they were applied before. */
  readonly repeated: number;
  /** Events that became dead letters since the start. */
  readonly deadLetters: number;
  /** Over the last ten seconds. */
  readonly eventsPerSecond: number;
  /** The reason of the last failure or dead letter. */
  readonly lastError: string | undefined;
  /** The code of the error that a stalled projector is before, as `EIO` or `ERR_BLOB_MISSING`; names no data. */
  readonly stalledBy: string | undefined;
}

/** Carries the events of one topic into one target, at least once and in order. */
export interface Projector {
  readonly topic: string;
  readonly group: string;
  /** Starts reading; resolves when the start position is known. */
  start(): Promise<void>;
  /**
   * Ends reading after the batch in work, and makes the target durable.
   * @param options.restart a start follows: those who wait for a position go on waiting. Default: they are rejected
   */
  stop(options?: { readonly restart?: boolean }): Promise<void>;
  /** Resolves when no batch is in work; none follows until {@link Projector.resume}. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when the batch in work at the moment of the call is applied. Those behind it are taken as ever. */
  batchDone(): Promise<void>;
  /** The position of the last event that was applied or became a dead letter. */
  position(): Position | undefined;
  /**
   * Resolves when the topic is applied up to a position.
   * @throws `ERR_DEAD_LETTER` (internal) with the reason when the event at this very position ended as a dead letter;
   *   `ERR_PROJECTION_TIMEOUT` (timeout), `ERR_PROJECTOR_STALLED` (unavailable), `ERR_CANCELLED`.
   */
  waitFor(position: Position, options?: WaitOptions): Promise<void>;
  /** Waits for the last event that the topic has now. */
  waitForEnd(options?: WaitOptions): Promise<void>;
  figures(): Promise<ProjectorFigures>;
}
