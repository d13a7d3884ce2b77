import { type EventLog, HEADER, type Position, type StoredEvent } from '@cairn/events';
import type { ChangeSet, GraphDataset, LabelledQuad } from '@cairn/rdf-graph';
import { termKey } from '../entity-documents/labelled-graph.ts';
import { EVENT_TYPE } from '../pipeline/contract.ts';
import { isBefore, type SourcePlace, sourceOf } from '../pipeline/source-place.ts';
import { type RemovalNote, readRemovalNote } from './removal-note.ts';

/** Returns the changes that an event made to the dataset; `undefined` when it could not be applied there. */
export type ChangesOf = (event: StoredEvent) => Promise<ChangeSet | undefined>;

export interface StatementSource {
  readonly log: EventLog;
  readonly topic: string;
  readonly changesOf: ChangesOf;
  /** Lets others run; called for each document, and every few statements of a file. */
  readonly pause: () => Promise<void>;
}

const STATEMENTS_PER_PAUSE = 64;

function bringsFileOf(event: StoredEvent, uri: string): boolean {
  const { headers } = event;
  return headers.get(HEADER.documentId) === uri && headers.get(HEADER.eventType) === EVENT_TYPE.rdf;
}

/** The labels of everything that the uploaded RDF file of a document says. Cost: reads the topic. */
export async function labelsStatedIn(
  uri: string,
  { log, topic, changesOf }: Omit<StatementSource, 'pause'>,
): Promise<Set<string>> {
  const labels = new Set<string>();
  for await (const batch of log.read(topic)) {
    for (const event of batch) {
      if (!bringsFileOf(event, uri)) continue;
      for (const { label } of (await changesOf(event))?.additions ?? []) if (label !== undefined) labels.add(label);
    }
  }
  return labels;
}

interface Statement {
  readonly stated: LabelledQuad;
  /** Who else has said it since it was taken back last: files by their event, all others together. */
  readonly by: Map<Position | 'others', FileEvent | undefined>;
}

interface FileEvent {
  readonly uri: string;
  readonly source: SourcePlace | undefined;
}

/**
 * Statements that only the uploaded RDF file of a document makes: they go with the document.
 *
 * A statement that somebody else has made too, and not taken back since, stays. Cost: reads the topic twice.
 */
export class FileStatements {
  readonly uri: string;
  readonly #source: StatementSource;
  readonly #deletedAt: SourcePlace | undefined;
  readonly #statements = new Map<string, Statement>();
  readonly #byQuad = new Map<string, Statement[]>();
  readonly #ownEvents = new Set<Position>();
  #position: Position | undefined;

  /** @param deletedAt where the deletion is; what was uploaded later is as somebody else's */
  constructor(uri: string, deletedAt: SourcePlace | undefined, source: StatementSource) {
    this.uri = uri;
    this.#deletedAt = deletedAt;
    this.#source = source;
  }

  /** Returns true if there is no file that says anything. */
  get isEmpty(): boolean {
    return this.#statements.size === 0;
  }

  /** Finds what the file says. Call once, before {@link FileStatements.followOthers}. */
  async load(): Promise<void> {
    const { log, topic, changesOf } = this.#source;
    for await (const batch of log.read(topic)) {
      for (const event of batch) {
        if (!bringsFileOf(event, this.uri) || !isBefore(sourceOf(event), this.#deletedAt, log)) continue;
        this.#ownEvents.add(event.position);
        await this.#inSlices((await changesOf(event))?.additions, (stated) => this.#note(stated));
      }
    }
  }

  /** Reads on what others have done, up to the end of the topic. */
  async followOthers(): Promise<void> {
    const { log, topic, changesOf } = this.#source;
    for await (const batch of log.read(topic, { after: this.#position })) {
      for (const event of batch) {
        this.#position = event.position;
        if (this.#ownEvents.has(event.position)) continue;
        const note = readRemovalNote(event);
        if (note === undefined) await this.#follow(event, await changesOf(event));
        else this.#takeBack(note);
      }
    }
  }

  /** Returns its quads under some labels, or all, to delete from a dataset that has applied what was read. */
  async deletions(labels: readonly string[] | undefined, dataset: GraphDataset): Promise<LabelledQuad[]> {
    const found: LabelledQuad[] = [];
    for (const { stated, by } of this.#statements.values()) {
      await this.#source.pause();
      if (by.size === 0 && goes(stated, labels) && (await isIn(dataset, stated))) found.push(stated);
    }
    return found;
  }

  #note(stated: LabelledQuad): void {
    const key = keyOf(stated.quad);
    const labelled = `${key} ${stated.label}`;
    if (this.#statements.has(labelled)) return;
    const statement: Statement = { stated, by: new Map() };
    this.#statements.set(labelled, statement);
    this.#byQuad.set(key, [...(this.#byQuad.get(key) ?? []), statement]);
  }

  async #inSlices(quads: readonly LabelledQuad[] = [], visit: (quad: LabelledQuad) => void): Promise<void> {
    let visited = 0;
    for (const quad of quads) {
      if (++visited % STATEMENTS_PER_PAUSE === 0) await this.#source.pause();
      visit(quad);
    }
  }

  async #follow(event: StoredEvent, changes: ChangeSet | undefined): Promise<void> {
    const isFile = event.headers.get(HEADER.eventType) === EVENT_TYPE.rdf;
    const uri = isFile ? event.headers.get(HEADER.documentId) : undefined;
    const file = uri === undefined ? undefined : { uri, source: sourceOf(event) };
    await this.#inSlices(changes?.deletions, (deletion) => {
      for (const { by } of this.#sameAs(deletion)) by.clear();
    });
    await this.#inSlices(changes?.additions, (addition) => {
      for (const { by } of this.#sameAs(addition)) by.set(file === undefined ? 'others' : event.position, file);
    });
  }

  #takeBack({ uri, at, labels }: RemovalNote): void {
    for (const { stated, by } of this.#statements.values()) {
      if (!goes(stated, labels)) continue;
      for (const [position, file] of by) {
        if (file?.uri === uri && isBefore(file.source, at, this.#source.log)) by.delete(position);
      }
    }
  }

  #sameAs({ quad, label }: LabelledQuad): Statement[] {
    const statements = this.#byQuad.get(keyOf(quad)) ?? [];
    return label === undefined ? statements : statements.filter(({ stated }) => stated.label === label);
  }
}

function goes({ label }: LabelledQuad, labels: readonly string[] | undefined): boolean {
  return labels === undefined || (label !== undefined && labels.includes(label));
}

async function isIn(dataset: GraphDataset, { quad, label }: LabelledQuad): Promise<boolean> {
  const { subject, predicate, object, graph } = quad;
  for await (const present of dataset.matchLabelled({ subject, predicate, object, graph })) {
    if (present.label === label) return true;
  }
  return false;
}

function keyOf({ subject, predicate, object, graph }: LabelledQuad['quad']): string {
  return `${termKey(subject)} ${termKey(predicate)} ${termKey(object)} ${graph.termType} ${graph.value}`;
}
