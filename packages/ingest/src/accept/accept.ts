import { type BlobStore, createEvent, type Event, HEADER } from '@cairn/events';
import { EVENT_TYPE, INGEST_HEADER } from '../pipeline/contract.ts';
import type { HashContent } from '../port/hash-content.ts';
import type { UploadPart } from '../port/upload-part.ts';
import type { RouteConfig } from '../routes/route.ts';
import { checkFileName } from '../upload/file-name.ts';
import { type HeldContent, holdContent } from './content.ts';
import { documentIdentity } from './identity.ts';
import { PartReader } from './part-reader.ts';

/** A file that was accepted, and the event that says so; not appended yet. */
export interface AcceptedFile {
  readonly successful: true;
  readonly filename: string;
  readonly id: string;
  readonly status: string;
  readonly event: Event;
  /** The name of the blob that was stored for it, if any. */
  readonly blob: string | undefined;
}

export interface RefusedFile {
  readonly successful: false;
  readonly filename: string;
  readonly id: '';
  readonly status: string;
}

/** Options of {@link acceptPart}. */
export interface AcceptOptions {
  readonly route: RouteConfig;
  readonly ordinal: number;
  /** The canonical label of the document. */
  readonly label: string;
  /** Name of the sender when they may not read the label. */
  readonly owner: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly blobs: BlobStore;
  readonly prefix: string;
  readonly mayHold: (bytes: number) => boolean;
  readonly hash: HashContent;
  readonly eventId: string;
  readonly signal: AbortSignal | undefined;
}

/** Checks one file, stores its content, and makes its event. The part is read to its end in any case. */
export async function acceptPart(part: UploadPart, options: AcceptOptions): Promise<AcceptedFile | RefusedFile> {
  const { route, ordinal, signal } = options;
  const name = checkFileName(part.filename);
  const refusal = !name.ok
    ? name.reason
    : ordinal >= route.maxFiles
      ? `an upload has at most ${route.maxFiles} files`
      : undefined;
  if (refusal !== undefined || !name.ok) {
    await new PartReader(part.content, route.maxDocumentBytes, signal).drain();
    return refusedFile(part.filename, refusal ?? '');
  }
  const held = await holdContent(part.content, { ...options, maxBytes: route.maxDocumentBytes });
  if (held.kind === 'refused') return refusedFile(name.name, held.reason);
  return accept(name.name, part.declaredType, held, options);
}

function accept(
  filename: string,
  declaredType: string | undefined,
  held: HeldContent,
  { route, label, owner, headers, eventId }: AcceptOptions,
): AcceptedFile {
  const { id, iri } = documentIdentity(route.namespace, held.hash, label, owner);
  const event = createEvent({
    id: eventId,
    type: EVENT_TYPE.uploaded,
    key: iri,
    headers: [
      [HEADER.securityLabel, label],
      [HEADER.documentId, iri],
      [HEADER.execPath, 'cairn-ingest'],
      [INGEST_HEADER.route, route.name],
      [INGEST_HEADER.filename, encodeURIComponent(filename)],
      ...(declaredType === undefined ? [] : [[HEADER.contentType, declaredType] as const]),
      ...(held.kind === 'blob' ? [[HEADER.valueBlob, `${held.blob.name} ${held.sizeBytes}`] as const] : []),
      ...headers,
    ],
    value: held.kind === 'inline' ? held.bytes : new Uint8Array(0),
  });
  return {
    successful: true,
    filename,
    id,
    status: `Accepted by route ${route.name}`,
    event,
    blob: held.kind === 'blob' ? held.blob.name : undefined,
  };
}

export function refusedFile(filename: string, reason: string): RefusedFile {
  return { successful: false, filename, id: '', status: `Refused: ${reason}` };
}
