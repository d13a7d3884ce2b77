import { type StoredEvent, valueBlob } from '@cairn/events';
import type { FlushPolicy } from './projector.ts';

const DEFAULT_EVENTS = 10_000;
const DEFAULT_BYTES = 268_435_456;

/** Events that a target has applied and not made durable yet. */
export class Unflushed {
  #events = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#events === 0;
  }

  /** A batch was applied; one without events moved the position. */
  add(events: readonly StoredEvent[]): void {
    this.#events += Math.max(1, events.length);
    for (const event of events) this.#bytes += sizeOf(event);
  }

  /** Returns true if it is so much that it is to be made durable at once. */
  exceeds({ events = DEFAULT_EVENTS, bytes = DEFAULT_BYTES }: FlushPolicy): boolean {
    return this.#events >= events || this.#bytes >= bytes;
  }

  clear(): void {
    this.#events = 0;
    this.#bytes = 0;
  }
}

/** The bytes of an event's value, wherever it is stored. */
function sizeOf(event: StoredEvent): number {
  try {
    return valueBlob(event)?.sizeBytes ?? event.value.length;
  } catch {
    // A header that names no blob: the event is a dead letter by now.
    return event.value.length;
  }
}
