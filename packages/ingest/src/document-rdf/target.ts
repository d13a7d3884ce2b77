import { type BlobStore, derivedEventId, type EventLog, HEADER, loadValue, type StoredEvent } from '@cairn/events';
import { type ChangeSet, type GraphDataset, type LabelledQuad, namedNode } from '@cairn/rdf-graph';
import { conjunction } from '../entities/labels.ts';
import type { DatasetWriter, IdentifiedChange } from '../graph-projection/dataset-writer.ts';
import {
  type AnnotatedDocument,
  type Deletion,
  documentOf,
  EVENT_TYPE,
  labelOf,
  readJson,
  TOPIC,
} from '../pipeline/contract.ts';
import { isRdfType } from '../pipeline/detect-type.ts';
import { LostOutputs } from '../pipeline/lost-outputs.ts';
import { sourceOf } from '../pipeline/source-place.ts';
import type { FailedEvent } from '../projector/dead-letter.ts';
import { isOfContent } from '../projector/fault.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { toRemovalNote } from './removal-note.ts';
import { FileStatements } from './stated.ts';
import { toRdf } from './to-rdf.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';
import type { Wanted } from './want.ts';
import { changesFor, WantedBatch } from './wanted.ts';

export interface DocumentRdfOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly group: string;
  readonly writer: DatasetWriter;
  /** Returns the changes that an event made to the dataset; `undefined` when it could not be applied there. */
  readonly changesOf: (event: StoredEvent) => Promise<ChangeSet | undefined>;
  /** Lets others run; called for each document, and every few statements of a file. */
  readonly pause: () => Promise<void>;
}

const STAGE = 'to-rdf';
const MANAGED: ReadonlySet<string> = new Set(Object.values(DOCUMENT_PREDICATE));

/**
 * Says in the graph what is known about documents: each batch of annotated documents becomes one change of the
 * dataset, against what it says now. Done again after a crash, it finds nothing left to do.
 */
export function createDocumentRdfTarget(options: DocumentRdfOptions): ProjectionTarget {
  const { log, blobs, group, writer } = options;
  const lost = new LostOutputs({ log, blobs, topic: TOPIC.entities, group, outputs: [writer.topic] });
  return {
    start: async () => lost.start(await log.committed(group, TOPIC.entities)),
    async apply(events, upTo) {
      const failed: FailedEvent[] = [];
      const batch = new WantedBatch();
      for (const event of events) {
        await options.pause();
        try {
          batch.take(await readWanted(event, options));
        } catch (error) {
          if (!isOfContent(error)) throw error;
          failed.push({ event, error });
        }
      }
      if (batch.wanted.size > 0) await write(batch, options);
      await lost.reached(upTo);
      return failed;
    },
  };
}

/** Reads the statements that an event asks for; `undefined` when its value was erased. */
async function readWanted(event: StoredEvent, { blobs }: DocumentRdfOptions): Promise<Wanted | undefined> {
  if (event.headers.get(HEADER.erased) === 'true') return undefined;
  const value = await loadValue(event, blobs);
  if (event.headers.get(HEADER.eventType) !== EVENT_TYPE.delete) {
    return toWanted(event, readJson<AnnotatedDocument>(event, value));
  }
  return toRemoval(event, value.length === 0 ? {} : readJson<Deletion>(event, value));
}

function toWanted(event: StoredEvent, annotated: AnnotatedDocument): Wanted {
  const label = labelOf(event);
  return {
    uri: annotated.document.uri,
    event,
    quads: toRdf(annotated, label),
    onlyIfThere: event.headers.get(HEADER.eventType) === EVENT_TYPE.reannotated,
    isRdfFile: isRdfType(annotated.document.contentType),
    replaces: (quad) => MANAGED.has(quad.quad.predicate.value) && isOurs(quad, label),
  };
}

function toRemoval(event: StoredEvent, { labels, forget = false }: Deletion): Wanted {
  const visible = labels === undefined ? undefined : new Set(labels);
  const permits = (label: string | undefined): boolean =>
    visible === undefined || (label !== undefined && visible.has(label));
  return {
    uri: documentOf(event),
    event,
    quads: [],
    onlyIfThere: false,
    isRdfFile: forget,
    replaces: ({ label }) => permits(label),
    removal: { at: sourceOf(event), labels },
  };
}

/** The pipeline says facts under the document's label, and mentions under that and more. The rest others have said. */
function isOurs({ quad, label }: LabelledQuad, documentLabel: string): boolean {
  if (label === documentLabel) return true;
  const isMention = quad.predicate.value === DOCUMENT_PREDICATE.mentions;
  return isMention && label !== undefined && conjunction(documentLabel, label) === label;
}

/** One change per document, so that what is said of one can be erased on its own. */
async function write(batch: WantedBatch, options: DocumentRdfOptions): Promise<void> {
  const { writer } = options;
  const files = await loadFiles(batch, options);
  const evaluate = async (dataset: GraphDataset): Promise<IdentifiedChange[]> => {
    for (const file of files.values()) await file.followOthers();
    const changes: IdentifiedChange[] = [];
    for (const want of batch.wanted.values()) {
      await options.pause();
      changes.push({
        changes: await changesFor(want, dataset, files.get(want.uri)),
        eventId: derivedEventId(want.event, STAGE, 0),
        further: files.has(want.uri) ? [toRemovalNote(want, derivedEventId(want.event, STAGE, 1))] : [],
        headers: [
          [HEADER.documentId, want.uri],
          [HEADER.execPath, STAGE],
        ],
      });
    }
    return changes;
  };
  await writer.update({ evaluate, wait: false });
}

/** Loads the statements of removed documents' RDF files; mostly before writes to the dataset must pause. */
async function loadFiles(
  batch: WantedBatch,
  { log, writer, changesOf, pause }: DocumentRdfOptions,
): Promise<Map<string, FileStatements>> {
  const files = new Map<string, FileStatements>();
  for (const { uri, removal } of batch.wanted.values()) {
    if (removal === undefined || !(batch.rdfFiles.has(uri) || (await isRdfFile(uri, writer.dataset)))) continue;
    const file = new FileStatements(uri, removal.at, { log, topic: writer.topic, changesOf, pause });
    await file.load();
    if (file.isEmpty) continue;
    await file.followOthers();
    files.set(uri, file);
  }
  return files;
}

async function isRdfFile(uri: string, dataset: GraphDataset): Promise<boolean> {
  const pattern = { subject: namedNode(uri), predicate: namedNode(DOCUMENT_PREDICATE.format) };
  for await (const { quad } of dataset.matchLabelled(pattern)) if (isRdfType(quad.object.value)) return true;
  return false;
}
