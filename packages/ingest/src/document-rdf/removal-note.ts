import { createEvent, type Event, HEADER, type StoredEvent } from '@cairn/events';
import { RDF_PATCH_MEDIA_TYPE } from '@cairn/rdf-graph';
import { EVENT_TYPE } from '../pipeline/contract.ts';
import { fromHeader, type SourcePlace, toHeader } from '../pipeline/source-place.ts';
import type { Removal, Wanted } from './want.ts';

const HEADER_NAME = { at: 'Ingest-Removed-At', labels: 'Ingest-Removed-Labels' } as const;

/** That an uploaded RDF file was removed: what others say too is still said by them, and by it no more. */
export interface RemovalNote extends Removal {
  readonly uri: string;
}

/** The event that notes a removal on the topic of the dataset. To the dataset it is an empty patch. */
export function toRemovalNote({ uri, removal }: Pick<Wanted, 'uri' | 'removal'>, id: string): Event {
  const { at, labels } = removal ?? {};
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
  return { uri, at: placeOf(headers.get(HEADER_NAME.at)), labels: labelsOf(headers.get(HEADER_NAME.labels)) };
}

function placeOf(text: string | undefined): SourcePlace | undefined {
  return text === undefined ? undefined : fromHeader(text);
}

function labelsOf(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as readonly string[]);
}
