import { type BlobStore, HEADER, isValueLost, type StoredEvent } from '@cairn/events';
import { type ChangeSet, changeSetFromEvent } from '@cairn/rdf-graph';

/** What {@link ChangeReader} reads with. */
export interface ChangeReaderOptions {
  readonly blobs: BlobStore;
  /** The label of what comes without one. */
  readonly defaultLabel: string | undefined;
}

const NOTHING: ChangeSet = { deletions: [], additions: [] };
const MAX_REMEMBERED_QUADS = 100_000;

/** Reads what events change in a dataset. Remembers the last ones, as the dataset and the index both ask. */
export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  readonly #remembered = new Map<string, ChangeSet>();
  #quads = 0;

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
  }

  /** @throws what `changeSetFromEvent` throws */
  async read(event: StoredEvent): Promise<ChangeSet> {
    if (event.headers.get(HEADER.erased) === 'true') return NOTHING;
    const known = this.#remembered.get(event.position);
    if (known !== undefined) return known;
    const changes = await changeSetFromEvent(event, this.#options);
    this.#remember(event.position, changes);
    return changes;
  }

  /** The same, but `undefined` for an event that can never be read. @throws when only its stored value is lost */
  async readIfPossible(event: StoredEvent): Promise<ChangeSet | undefined> {
    try {
      return await this.read(event);
    } catch (error) {
      if (isValueLost(error)) throw error;
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
