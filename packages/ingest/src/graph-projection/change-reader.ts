import { type BlobStore, type Event, HEADER, type StoredEvent } from '@cairn/events';
import { type ChangeSet, changeSetFromEvent } from '@cairn/rdf-graph';
import { countDeletions, type JudgeLabel, readStatedChanges } from '@cairn/rdf-graph/experimental';
import { isOfContent } from '../projector/fault.ts';

export interface ChangeReaderOptions {
  readonly blobs: BlobStore;
  /** The label of what comes without one. */
  readonly defaultLabel: string | undefined;
  /** Lets others run; called before each event that is read. */
  readonly pause: () => Promise<void>;
}

const NOTHING: ChangeSet = { deletions: [], additions: [] };
const MAX_REMEMBERED_QUADS = 100_000;

/** So many bytes of events are kept as quads from their check until they are applied; they take some four times as much. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** An event before it is appended. */
export interface CheckedEvent {
  /** Quads that it adds and no rule of its own labels. */
  readonly unlabelled: number;
  /** Quads and prefixes that it takes away. */
  readonly deletions: number;
  /** Lets go of what was read; call it once the event was applied, or was not appended. */
  release(): void;
}

/** Reads what events change in a dataset. Remembers the last ones, as the dataset and the index both ask. */
export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  readonly #remembered = new Map<string, ChangeSet>();
  #quads = 0;
  /** By the id of an event that is checked and about to be applied. */
  readonly #held = new Map<string, ChangeSet>();
  #heldBytes = 0;

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
  }

  /** @throws what `changeSetFromEvent` throws */
  async read(event: StoredEvent): Promise<ChangeSet> {
    if (event.headers.get(HEADER.erased) === 'true') return NOTHING;
    const known = this.#remembered.get(event.position);
    if (known !== undefined) return known;
    const id = event.headers.get(HEADER.eventId);
    const held = id === undefined ? undefined : this.#held.get(id);
    if (held !== undefined) return held;
    // Many small ones, each of which is read at once, would make one long stretch.
    await this.#options.pause();
    const changes = await changeSetFromEvent(event, this.#options);
    this.#remember(event.position, changes);
    return changes;
  }

  /**
   * Reads an event with a value of its own before it is appended, checks the labels that it states, and keeps what was
   * read for those who apply it. `undefined` when others hold too much: then nothing was checked.
   * @throws what `readStatedChanges` throws
   */
  async check(
    event: Event,
    options: { readonly judge: JudgeLabel; readonly signal?: AbortSignal | undefined },
  ): Promise<CheckedEvent | undefined> {
    const id = event.headers.get(HEADER.eventId);
    const bytes = event.value.length;
    if (id === undefined || this.#heldBytes + bytes > MAX_HELD_BYTES) return undefined;
    this.#heldBytes += bytes;
    try {
      const { changes, unlabelled } = await readStatedChanges(event, { ...this.#options, ...options });
      this.#held.set(id, changes);
      return { unlabelled, deletions: countDeletions(changes), release: () => this.#release(id, bytes) };
    } catch (error) {
      this.#heldBytes -= bytes;
      throw error;
    }
  }

  #release(id: string, bytes: number): void {
    if (this.#held.delete(id)) this.#heldBytes -= bytes;
  }

  /** The same, but `undefined` for an event that can never be read. @throws when it could not be read now, as when its stored value is lost */
  async readIfPossible(event: StoredEvent): Promise<ChangeSet | undefined> {
    try {
      return await this.read(event);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      return undefined;
    }
  }

  #remember(position: string, changes: ChangeSet): void {
    if (sizeOf(changes) > MAX_REMEMBERED_QUADS) return;
    this.#remembered.set(position, changes);
    this.#quads += sizeOf(changes);
    for (const [oldest, set] of this.#remembered) {
      if (this.#quads <= MAX_REMEMBERED_QUADS && this.#remembered.size <= 10_000) return;
      this.#remembered.delete(oldest);
      this.#quads -= sizeOf(set);
    }
  }
}

function sizeOf({ deletions, additions }: ChangeSet): number {
  return deletions.length + additions.length;
}
