import { type BlobStore, type EventLog, eventId, loadValue, type Position, type StoredEvent } from '@cairn/events';
import type { SearchDocument } from '@cairn/search';
import { type Deletion, documentOf, isDeletion, labelOf, readDeletion, readJson, TOPIC } from '../pipeline/contract.ts';
import type { Clock } from '../port/clock.ts';
import { applyRecorded, type Correction } from './correction.ts';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly correction: Correction;
}

const MAX_WAIT_MS = 5000;

/** The corrections that hold, by document, in the order of the log. All that is indexed gets them, also in a replay. */
export class CorrectionBook {
  readonly #entries = new Map<string, Entry[]>();
  readonly #voidings = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  /** Starts anew with the topic from its beginning up to a position. */
  async load(log: EventLog, blobs: BlobStore, upTo: Position | undefined): Promise<void> {
    this.#entries.clear();
    this.#voidings.clear();
    if (upTo === undefined) return;
    for await (const batch of log.read(TOPIC.corrections)) {
      for (const event of batch) {
        if (log.comparePositions(event.position, upTo) > 0) return;
        // What is malformed was a dead letter when it came.
        await this.take(event, await loadValue(event, blobs)).catch(() => {});
      }
    }
  }

  /** Takes an event of the topic in: a correction to keep, or a deletion that voids those before it. */
  async take(event: StoredEvent, value: Uint8Array): Promise<Correction | undefined> {
    if (isDeletion(event)) {
      this.#void(documentOf(event), readDeletion(event, value));
      this.#voidings.add(eventId(event));
      this.#waiting.get(eventId(event))?.();
      return undefined;
    }
    const correction = readJson<Correction>(event, value);
    const entries = this.#entries.get(correction.documentUri) ?? [];
    const id = eventId(event);
    if (entries.some((entry) => entry.id === id)) return undefined;
    this.#entries.set(correction.documentUri, [...entries, { id, label: labelOf(event), correction }]);
    return correction;
  }

  /** Resolves when the deletion of that id was taken in; with false when it does not come for a while. */
  async awaitVoiding(id: string, clock: Clock, signal: AbortSignal): Promise<boolean> {
    if (this.#voidings.has(id)) return true;
    const done = new AbortController();
    const come = new Promise<void>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    await Promise.race([come, clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, done.signal]))]);
    done.abort();
    this.#waiting.delete(id);
    return this.#voidings.has(id);
  }

  apply(document: SearchDocument): SearchDocument {
    let corrected = document;
    for (const { correction } of this.#entries.get(document.uri) ?? []) {
      corrected = applyRecorded(corrected, correction) ?? corrected;
    }
    return corrected;
  }

  #void(uri: string, { labels }: Deletion): void {
    const left = (this.#entries.get(uri) ?? []).filter(({ label }) => labels !== undefined && !labels.includes(label));
    if (left.length === 0) this.#entries.delete(uri);
    else this.#entries.set(uri, left);
  }
}
