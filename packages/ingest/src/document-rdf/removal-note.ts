import { createEvent, type Event, HEADER, type StoredEvent } from '@cairn/events';
import { RDF_PATCH_MEDIA_TYPE } from '@cairn/rdf-graph';
import { EVENT_TYPE } from '../pipeline/contract.ts';
import { fromHeader, type SourcePlace, toHeader } from '../pipeline/source-place.ts';

const HEADER_NAME = { at: 'Ingest-Removed-At', labels: 'Ingest-Removed-Labels' } as const;

/** Where a document was removed, and what of it may go. */
export interface Removal {
  readonly at: SourcePlace | undefined;
  /** The labels under which it goes; without them all. */
  readonly labels: readonly string[] | undefined;
}

/** That an uploaded RDF file was removed: what others say too is still said by them, and by it no more. */
export interface RemovalNote extends Removal {
  readonly uri: string;
}

/** The event that notes a removal on the topic of the dataset. To the dataset it is an empty patch. */
export function toRemovalNote(uri: string, { at, labels }: Partial<Removal>, id: string): Event {
  return createEvent({
    id,
    type: EVENT_TYPE.rdfRemoved,
    key: uri,
    headers: [
      [HEADER.documentId, uri],
      [HEADER.contentType, RDF_PATCH_MEDIA_TYPE],
      ...(at === undefined ? [] : [[HEADER_NAME.at, toHeader(at)] as const]),
      ...(labels === undefined ? [] : [[HEADER_NAME.labels, JSON.stringify(labels)] as const]),
    ],
    value: 'TX .\nTC .\n',
  });
}

/** The removal that an event notes; `undefined` when it notes none. */
export function readRemovalNote({ headers }: StoredEvent): RemovalNote | undefined {
  const uri = headers.get(HEADER.documentId);
  if (uri === undefined || headers.get(HEADER.eventType) !== EVENT_TYPE.rdfRemoved) return undefined;
  const labels = headers.get(HEADER_NAME.labels);
  return {
    uri,
    at: fromHeader(headers.get(HEADER_NAME.at)),
    labels: labels === undefined ? undefined : (JSON.parse(labels) as readonly string[]),
  };
}
