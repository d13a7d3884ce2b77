import type { Event, StoredEvent } from '@cairn/events';

/** An event that a stage makes, and the topic it goes to. */
export interface StageOutput {
  readonly topic: string;
  readonly event: Event;
}

/** Input of a stage. */
export interface StageInput {
  readonly event: StoredEvent;
  /** The event's value, wherever it is stored. */
  readonly value: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * One step of the pipeline: an event in, events out. It keeps no state of its own, and made from the same event and
 * the same caches it gives the same events.
 */
export type Stage = (input: StageInput) => Promise<readonly StageOutput[]>;
