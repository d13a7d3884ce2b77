import { type BlobStore, derivedEventId, HEADER, loadValue, type StoredEvent } from '@cairn/events';
import { type GraphDataset, type LabelledQuad, namedNode } from '@cairn/rdf-graph';
import { conjunction } from '../entities/labels.ts';
import type { DatasetWriter, IdentifiedChange } from '../graph-projection/dataset-writer.ts';
import {
  type AnnotatedDocument,
  type Deletion,
  documentOf,
  EVENT_TYPE,
  isDeletion,
  labelOf,
  readDeletion,
  readJson,
  TOPIC,
} from '../pipeline/contract.ts';
import { isRdfType } from '../pipeline/detect-type.ts';
import { LostOutputs } from '../pipeline/lost-outputs.ts';
import { sourceOf } from '../pipeline/source-place.ts';
import { failuresOf } from '../projector/dead-letter.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { toRemovalNote } from './removal-note.ts';
import { FileStatements, type StatementSource } from './stated.ts';
import { DOCUMENT_PREDICATE, toRdf } from './to-rdf.ts';
import { addWanted, changesFor, type Wanted } from './wanted.ts';

export interface DocumentRdfOptions extends Omit<StatementSource, 'topic'> {
  readonly blobs: BlobStore;
  readonly group: string;
  readonly writer: DatasetWriter;
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
      const batch = new Map<string, Wanted>();
      const failed = await failuresOf(events, async (event) => {
        await options.pause();
        addWanted(await readWanted(event, blobs), batch);
      });
      if (batch.size > 0) await write(batch, options);
      await lost.reached(upTo);
      return failed;
    },
  };
}

async function readWanted(event: StoredEvent, blobs: BlobStore): Promise<Wanted> {
  const value = await loadValue(event, blobs);
  if (isDeletion(event)) return toRemoval(event, readDeletion(event, value));
  return toWanted(event, readJson<AnnotatedDocument>(event, value));
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
async function write(batch: ReadonlyMap<string, Wanted>, options: DocumentRdfOptions): Promise<void> {
  const { writer } = options;
  const files = await loadFiles(batch, options);
  const evaluate = async (dataset: GraphDataset): Promise<IdentifiedChange[]> => {
    for (const file of files.values()) await file.followOthers();
    const changes: IdentifiedChange[] = [];
    for (const want of batch.values()) {
      await options.pause();
      changes.push({
        changes: await changesFor(want, dataset, files.get(want.uri)),
        eventId: derivedEventId(want.event, STAGE, 0),
        further: files.has(want.uri)
          ? [toRemovalNote(want.uri, want.removal ?? {}, derivedEventId(want.event, STAGE, 1))]
          : [],
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
  batch: ReadonlyMap<string, Wanted>,
  { log, writer, changesOf, pause }: DocumentRdfOptions,
): Promise<Map<string, FileStatements>> {
  const files = new Map<string, FileStatements>();
  for (const { uri, removal, isRdfFile } of batch.values()) {
    if (removal === undefined || !(isRdfFile || (await isStoredAsRdf(uri, writer.dataset)))) continue;
    const file = new FileStatements(uri, removal.at, { log, topic: writer.topic, changesOf, pause });
    await file.load();
    if (file.isEmpty) continue;
    await file.followOthers();
    files.set(uri, file);
  }
  return files;
}

async function isStoredAsRdf(uri: string, dataset: GraphDataset): Promise<boolean> {
  const pattern = { subject: namedNode(uri), predicate: namedNode(DOCUMENT_PREDICATE.format) };
  for await (const { quad } of dataset.matchLabelled(pattern)) if (isRdfType(quad.object.value)) return true;
  return false;
}
