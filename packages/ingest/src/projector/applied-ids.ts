import { CodedError, isCodedError } from '@cairn/errors';
import { createEventIdSet, type EventIdSet, HEADER, type Position, type StoredEvent } from '@cairn/events';
import { cutAround } from '@cairn/events/experimental';
import { createBreather } from '../work/breather.ts';
import { noteName } from '../work/note.ts';
import type { ProjectorOptions } from './projector.ts';

export type AppliedIdsOptions = Pick<ProjectorOptions, 'log' | 'blobs' | 'clock' | 'topic' | 'group' | 'onDamage'>;

interface SavedIds {
  readonly position: Position;
  /** When the log appended the event there; absent in sets of older releases, and with logs that cannot tell. */
  readonly timestampMs: number | undefined;
  readonly ids: EventIdSet;
}

type SavedHead = Pick<SavedIds, 'position'> & { readonly of?: string; readonly timestampMs?: number };

const MAGIC = 'CAIRN-APPLIED-1\n';
const SAVE_EVERY_EVENTS = 50_000;

/**
 * The ids of the events that a consumer has applied, exactly those up to its position. Erased events are not among them:
 * nothing of theirs was applied, and what is made again in their place has the same id.
 *
 * Saved now and then together with the position they reach to. What lies between that position and the target's is
 * read from the log at start, so that neither can run ahead of the other.
 */
export class AppliedIds {
  readonly #options: AppliedIdsOptions;
  readonly #manifest: string;
  /** Lets others run: each id costs a hash. */
  readonly #pause: () => Promise<void>;
  #ids: EventIdSet = createEventIdSet();
  #unsaved = 0;

  constructor(options: AppliedIdsOptions) {
    this.#options = options;
    this.#manifest = noteName(`applied/${options.group}/${options.topic}`);
    this.#pause = createBreather(options.clock);
  }

  /** Brings the set to exactly the events up to a position. Cost: reads what was not saved. */
  async restore(upTo: Position | undefined): Promise<void> {
    const { log, topic } = this.#options;
    this.#ids = createEventIdSet();
    if (upTo === undefined) return;
    const saved = await this.#load();
    // One that reaches into what the log lost holds ids of events that may come again.
    const usable =
      saved !== undefined &&
      log.comparePositions(saved.position, upTo) <= 0 &&
      (await cutAround(log, topic, saved.position)) === undefined &&
      (await this.#isOfLog(saved));
    if (usable) this.#ids = saved.ids;
    for await (const batch of log.read(topic, { after: usable ? saved.position : undefined })) {
      for (const event of batch) {
        if (log.comparePositions(event.position, upTo) > 0) return;
        await this.#pause();
        this.#add(event);
      }
    }
  }

  /** The events among some that were not applied, each id once. Lets others run meanwhile. */
  async fresh(events: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const seen = new Set<string>();
    const fresh: StoredEvent[] = [];
    for (const event of events) {
      const id = idOf(event);
      if (id !== undefined) {
        await this.#pause();
        if (seen.has(id) || this.#ids.has(id)) continue;
        seen.add(id);
      }
      fresh.push(event);
    }
    return fresh;
  }

  async add(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      await this.#pause();
      this.#add(event);
    }
  }

  #add(event: StoredEvent): void {
    const id = idOf(event);
    if (id === undefined) return;
    this.#unsaved++;
    this.#ids.add(id);
  }

  /** Saves the set when enough was added, or always with `force`. Call only when the target is durable up to there. */
  async save(upTo: Position, force: boolean): Promise<void> {
    const { log, blobs, topic } = this.#options;
    if (blobs === undefined || (!force && this.#unsaved < SAVE_EVERY_EVENTS) || this.#unsaved === 0) return;
    const timestampMs = (await log.eventAt?.(topic, upTo).catch(() => undefined))?.timestampMs;
    const facts = { position: upTo, of: this.#manifest, timestampMs };
    const head = new TextEncoder().encode(`${MAGIC}${JSON.stringify(facts)}\n`);
    const ids = this.#ids.serialise();
    const bytes = new Uint8Array(head.length + ids.length);
    bytes.set(head);
    bytes.set(ids, head.length);
    this.#unsaved = 0;
    await blobs.replaceManifest(this.#manifest, bytes);
  }

  /** Returns true if a set was made from this log: it holds the event at its position, of the same time. */
  async #isOfLog({ position, timestampMs, ids }: SavedIds): Promise<boolean> {
    const { log, topic } = this.#options;
    const event = await log.eventAt?.(topic, position);
    if (event === undefined) return true;
    const id = idOf(event);
    const isSameTime = timestampMs === undefined || timestampMs === event.timestampMs;
    if (isSameTime && (id === undefined || ids.has(id))) return true;
    this.#tellOfDamage(this.#damaged('was made from another log'));
    return false;
  }

  /** The set as it was saved; one that is damaged is told of, and read from the log instead. */
  async #load(): Promise<SavedIds | undefined> {
    try {
      const bytes = await this.#options.blobs?.readManifest(this.#manifest);
      return bytes === undefined ? undefined : this.#read(bytes);
    } catch (error) {
      if (isCodedError(error) && error.retryable) throw error;
      this.#tellOfDamage(error);
      return undefined;
    }
  }

  #read(bytes: Uint8Array): SavedIds {
    if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw this.#damaged('holds no ids');
    const end = bytes.indexOf(10, MAGIC.length);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(MAGIC.length, end)));
    // Sets of older releases do not say whose they are.
    const { position, of = this.#manifest, timestampMs } = head as SavedHead;
    if (of !== this.#manifest) throw this.#damaged(`is that of ${of}`);
    return { position, timestampMs, ids: createEventIdSet(bytes.subarray(end + 1)) };
  }

  #tellOfDamage(error: unknown): void {
    this.#options.onDamage?.(`the ids of applied events ${this.#manifest}`, error);
  }

  #damaged(problem: string): CodedError {
    return new CodedError({ code: 'ERR_APPLIED_IDS', kind: 'corrupt', message: `${this.#manifest} ${problem}` });
  }
}

/** The id by which an event is applied once; `undefined` for one without, and for one that was erased. */
function idOf({ headers }: Pick<StoredEvent, 'headers'>): string | undefined {
  return headers.get(HEADER.erased) === 'true' ? undefined : headers.get(HEADER.eventId);
}
