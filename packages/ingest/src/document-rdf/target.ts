import { type BlobStore, derivedEventId, type EventLog, HEADER, loadValue, type StoredEvent } from '@cairn/events';
import type { ChangeSet, GraphDataset, LabelledQuad } from '@cairn/rdf-graph';
import { termKey } from '../entity-documents/labelled-graph.ts';
import { iri } from '../entity-documents/terms.ts';
import type { DatasetWriter } from '../graph-projection/dataset-writer.ts';
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

/** What {@link createDocumentRdfTarget} takes. */
export interface DocumentRdfOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly group: string;
  readonly writer: DatasetWriter;
}

/** What the graph shall say about a document after an event. */
interface Wanted {
  readonly uri: string;
  readonly quads: readonly LabelledQuad[];
  /** Which of the quads that are there now go, unless they are wanted. */
  readonly replaces: (quad: LabelledQuad) => boolean;
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
    async apply(events, upTo) {
      const failed: FailedEvent[] = [];
      const wanted = new Map<string, Wanted>();
      for (const event of events) {
        try {
          const want = await toWanted(event, options);
          if (want !== undefined) wanted.set(want.uri, want);
        } catch (error) {
          failed.push({ event, error });
        }
      }
      if (wanted.size === 0) return failed;
      await writer.update({
        eventId: derivedEventId({ topic: TOPIC.entities, position: upTo }, STAGE, 0),
        headers: [[HEADER.execPath, STAGE]],
        evaluate: (dataset) => difference([...wanted.values()], dataset),
        wait: false,
      });
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
      quads: [],
      replaces: ({ label }) => visible === undefined || (label !== undefined && visible.has(label)),
    };
  }
  const annotated = readJson<AnnotatedDocument>(event, value);
  return {
    uri: annotated.document.uri,
    quads: toRdf(annotated, labelOf(event)),
    replaces: ({ quad }) => MANAGED.has(quad.predicate.value),
  };
}

async function difference(wanted: readonly Wanted[], dataset: GraphDataset): Promise<ChangeSet> {
  const deletions: LabelledQuad[] = [];
  const additions: LabelledQuad[] = [];
  for (const { uri, quads, replaces } of wanted) {
    const missing = new Map(quads.map((quad) => [keyOf(quad), quad]));
    for await (const present of dataset.matchLabelled({ subject: iri(uri) })) {
      if (missing.delete(keyOf(present))) continue;
      if (replaces(present)) deletions.push(present);
    }
    additions.push(...missing.values());
  }
  return { deletions, additions };
}

function keyOf({ quad, label }: LabelledQuad): string {
  return `${quad.predicate.value} ${termKey(quad.object)} ${quad.graph.value} ${label}`;
}
