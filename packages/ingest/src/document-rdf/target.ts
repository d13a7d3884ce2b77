import { CodedError, isCodedError } from '@cairn/errors';
import { type BlobStore, derivedEventId, type EventLog, HEADER, loadValue, type StoredEvent } from '@cairn/events';
import type { GraphDataset, LabelledQuad } from '@cairn/rdf-graph';
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
import type { FailedEvent } from '../projector/dead-letter.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { toRdf } from './to-rdf.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';
import { changesFor, mergeWanted, type Wanted } from './wanted.ts';

/** What {@link createDocumentRdfTarget} takes. */
export interface DocumentRdfOptions {
  readonly log: EventLog;
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
  const { log, group, writer } = options;
  return {
    start: () => log.committed(group, TOPIC.entities),
    async apply(events) {
      const failed: FailedEvent[] = [];
      const wanted = new Map<string, Wanted>();
      for (const event of events) {
        try {
          const want = await toWanted(event, options);
          if (want !== undefined) wanted.set(want.uri, mergeWanted(wanted.get(want.uri), want));
        } catch (error) {
          failed.push({ event, error });
        }
      }
      if (wanted.size === 0) return failed;
      await write([...wanted.values()], writer);
      return failed;
    },
  };
}

async function toWanted(event: StoredEvent, { blobs }: DocumentRdfOptions): Promise<Wanted | undefined> {
  if (event.headers.get(HEADER.erased) === 'true') return undefined;
  const value = await loadValue(event, blobs);
  if (event.headers.get(HEADER.eventType) === EVENT_TYPE.delete) {
    const { labels } = value.length === 0 ? ({} as Deletion) : readJson<Deletion>(event, value);
    const visible = labels === undefined ? undefined : new Set(labels);
    return {
      uri: documentOf(event),
      event,
      quads: [],
      onlyIfThere: false,
      replaces: ({ label }) => visible === undefined || (label !== undefined && visible.has(label)),
    };
  }
  const annotated = readJson<AnnotatedDocument>(event, value);
  const label = labelOf(event);
  return {
    uri: annotated.document.uri,
    event,
    quads: toRdf(annotated, label),
    onlyIfThere: event.headers.get(HEADER.eventType) === EVENT_TYPE.reannotated,
    replaces: (quad) => MANAGED.has(quad.quad.predicate.value) && isOurs(quad, label),
  };
}

/** The pipeline says facts under the document's label, and mentions under that and more. The rest others have said. */
function isOurs({ quad, label }: LabelledQuad, documentLabel: string): boolean {
  if (label === documentLabel) return true;
  const isMention = quad.predicate.value === DOCUMENT_PREDICATE.mentions;
  return isMention && label !== undefined && conjunction(documentLabel, label) === label;
}

/** One event per document and label, so that what is said of one document can be erased on its own. */
async function write(wanted: readonly Wanted[], writer: DatasetWriter): Promise<void> {
  const evaluate = async (dataset: GraphDataset): Promise<IdentifiedChange[]> =>
    Promise.all(
      wanted.map(async (want) => ({
        changes: await changesFor(want, dataset),
        eventId: derivedEventId(want.event, STAGE, 0),
        headers: [
          [HEADER.documentId, want.uri],
          [HEADER.execPath, STAGE],
        ] as const,
      })),
    );
  try {
    await writer.update({ evaluate, wait: false });
  } catch (cause) {
    if (!isCodedError(cause) || cause.code !== 'ERR_PROJECTION_TIMEOUT') throw cause;
    throw new CodedError({
      code: 'ERR_PROJECTION_BEHIND',
      kind: 'unavailable',
      message: `the dataset ${writer.topic} is behind its topic`,
      cause,
    });
  }
}
