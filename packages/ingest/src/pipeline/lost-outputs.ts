import {
  type BlobStore,
  createEventIdSet,
  type Event,
  type EventIdSet,
  type EventLog,
  HEADER,
  type Position,
} from '@cairn/events';
import { noteName, readNote, writeNote } from '../work/note.ts';
import { isDeletion } from './contract.ts';

/**
 * Notes that values of events of a topic are about to be erased because they are lost. The stages that write to it make
 * what is whole at their source again when they start next. To be called first: a process that ends in between then has
 * them look in vain, and nothing is forgotten.
 * @param noteId another one each time
 * @throws what the store throws
 */
export function noteGivenUpValues(blobs: BlobStore, topic: string, noteId: string): Promise<void> {
  return writeNote(blobs, givenUpNote(topic), noteId);
}

function givenUpNote(topic: string): string {
  return noteName(`given-up/${topic}`);
}

export interface LostOutputsOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly topic: string;
  readonly group: string;
  /** The topics that it writes to. */
  readonly outputs: readonly string[];
  /** The topic that says which documents were deleted. Default: the one that it reads. */
  readonly deletionsOn?: string;
}

/** The last loss of each topic: where it resumed after a cut, and which note was made of values that were given up. */
type Losses = Readonly<Record<string, string>>;

/**
 * Has a stage read its topic again from the beginning when a topic that it writes to has lost events, or values of them,
 * to damage, so that what is whole at the source is whole behind it. What is there already is not written twice.
 */
export class LostOutputs {
  readonly #options: LostOutputsOptions;
  readonly #note: string;
  /** Ids of the present outputs; `undefined` unless the stage reads again. */
  #present: EventIdSet | undefined;
  /** Documents whose last event at the source is a deletion: what came before it stays away. */
  #deleted: ReadonlySet<string> = new Set();
  #until: Position | undefined;
  #losses: Losses = {};

  constructor(options: LostOutputsOptions) {
    this.#options = options;
    this.#note = noteName(`stages/${options.group}/${options.topic}`);
  }

  /** Where the stage begins: its committed position, or the first event. Cost: reads the topics when something was lost. */
  async start(committed: Position | undefined): Promise<Position | undefined> {
    const { log, topic } = this.#options;
    this.#losses = await this.#lastLosses();
    this.#until = await log.end(topic);
    if (await this.#isMadeGood()) return committed;
    this.#present = await this.#idsOfOutputs();
    this.#deleted = await this.#deletedAtSource();
    return undefined;
  }

  /** The events among the outputs of a source event that are still to be written. */
  missing(events: readonly Event[]): readonly Event[] {
    const present = this.#present;
    if (present === undefined) return events;
    return events.filter((event) => {
      const [id, document] = [event.headers.get(HEADER.eventId), event.headers.get(HEADER.documentId)];
      if (id !== undefined && present.has(id)) return false;
      return isDeletion(event) || document === undefined || !this.#deleted.has(document);
    });
  }

  /** The stage has come to a position: at the end of what was there at the start nothing is missing any more. */
  async reached(position: Position): Promise<void> {
    const { log, blobs } = this.#options;
    if (this.#present === undefined) return;
    if (this.#until !== undefined && log.comparePositions(position, this.#until) < 0) return;
    this.#present = undefined;
    await writeNote(blobs, this.#note, JSON.stringify(this.#losses));
  }

  async #lastLosses(): Promise<Losses> {
    const { log, blobs, outputs } = this.#options;
    const last: Record<string, string> = {};
    for (const output of outputs) {
      for (const { resumesAt } of await log.cuts(output)) last[output] = resumesAt;
      // A damaged one is a note of its own.
      const damaged = (): string => 'damaged';
      const note = await readNote<string | undefined>(blobs, givenUpNote(output), (id) => id, damaged);
      if (note !== undefined) last[`${output} given up`] = note;
    }
    return last;
  }

  async #isMadeGood(): Promise<boolean> {
    if (Object.keys(this.#losses).length === 0 || this.#until === undefined) return true;
    const read = (text: string | undefined) => (text === undefined ? {} : JSON.parse(text));
    // Damaged, it is as if nothing had been made good: that is done again then.
    const made = await readNote<Losses>(this.#options.blobs, this.#note, read, () => ({}));
    return Object.entries(this.#losses).every(([what, loss]) => made[what] === loss);
  }

  async #idsOfOutputs(): Promise<EventIdSet> {
    const { log, outputs } = this.#options;
    const ids = createEventIdSet();
    for (const output of outputs) {
      for await (const batch of log.read(output)) {
        for (const { headers } of batch) {
          // One whose value was erased is there only by name.
          if (headers.get(HEADER.erased) !== 'true') ids.add(headers.get(HEADER.eventId) ?? '');
        }
      }
    }
    return ids;
  }

  async #deletedAtSource(): Promise<ReadonlySet<string>> {
    const { log, topic, deletionsOn = topic } = this.#options;
    const deleted = new Set<string>();
    for await (const batch of log.read(deletionsOn)) {
      for (const event of batch) {
        const document = event.headers.get(HEADER.documentId);
        if (document === undefined) continue;
        if (isDeletion(event)) deleted.add(document);
        else deleted.delete(document);
      }
    }
    return deleted;
  }
}
