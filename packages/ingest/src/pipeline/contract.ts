import { CodedError } from '@cairn/errors';
import { type Event, HEADER, type StoredEvent, schemaVersion } from '@cairn/events';
import type { Mention } from '../entities/find-mentions.ts';
import type { Extraction } from '../port/extractor.ts';

/*
 * The one contract of the pipeline: every stage reads an event of one type and makes events of the next. The header
 * Document-Id says which document, Security-Label who may see it, and both travel from stage to stage.
 */

/** Values of `Event-Type` that the pipeline knows. */
export const EVENT_TYPE = {
  /** A native document; the value is its bytes. On the topic of its route. */
  uploaded: 'document.uploaded',
  /** Text and metadata; the value is a {@link DocumentText}. On `document.textandmetadata`. */
  text: 'document.text',
  /** Text, metadata and mentions; the value is an {@link AnnotatedDocument}. On `document.entities`. */
  entities: 'document.entities',
  /** The same again with the names of a later time; it changes a document that is there. On `document.entities`. */
  reannotated: 'document.reannotated',
  /** The document of `Document-Id` is to be removed; the value is a {@link Deletion}. On any of these topics. */
  delete: 'delete',
  /** An entity of a document is corrected; the value is a `Correction`. On `document.corrections`. */
  correction: 'document.correction',
  /** RDF as it was uploaded. On the topic of a dataset. */
  rdf: 'rdf.data',
  /** Notes that an uploaded RDF file says nothing any more; the value is an empty patch. On the topic of a dataset. */
  rdfRemoved: 'rdf.removed',
} as const;
Object.freeze(EVENT_TYPE);

/** Topics of the pipeline behind the routes. */
export const TOPIC = {
  text: 'document.textandmetadata',
  entities: 'document.entities',
  corrections: 'document.corrections',
} as const;
Object.freeze(TOPIC);

/** Headers that only the pipeline uses. */
export const INGEST_HEADER = {
  /** The route that took the document in. */
  route: 'Ingest-Route',
  /** The file's name, percent-encoded. */
  filename: 'Ingest-Filename',
  /** A hash of the name of whoever uploaded; only on the topic of the route. */
  sender: 'Ingest-Sender',
  /** The id of the event on `document.corrections` by which a deletion voids what was corrected before. */
  voiding: 'Ingest-Voiding-Event-Id',
} as const;
Object.freeze(INGEST_HEADER);

/** Version of the values that this release writes. It also reads the one before. */
export const PIPELINE_SCHEMA_VERSION = 1;

/** Text and metadata read from a native document. */
export interface DocumentText extends Extraction {
  readonly uri: string;
  readonly filename: string;
  readonly sizeBytes: number;
  /** When the log took the native document in, ISO 8601. */
  readonly receivedAt: string;
}

/** A document with the entities found in it: all that its search document and its RDF are made from. */
export interface AnnotatedDocument {
  readonly document: DocumentText;
  readonly mentions: readonly Mention[];
  /** Position of each dataset's topic that the names were taken from. */
  readonly names: Readonly<Record<string, string>>;
}

/** Value of a deletion event. */
export interface Deletion {
  /** Labels of the document and of what was derived from it that the writer could see; without them all of it goes. */
  readonly labels?: readonly string[] | undefined;
  /** Also erases what the log and the blobs hold of it. */
  readonly forget?: boolean | undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of an event. @throws `ERR_EVENT_VALUE` (invalid) for other bytes, or a version of a later release. */
export function readJson<Value>(event: StoredEvent, bytes: Uint8Array): Value {
  const version = schemaVersion(event);
  if (version > PIPELINE_SCHEMA_VERSION) {
    throw invalid(`Schema-Version must be at most ${PIPELINE_SCHEMA_VERSION}; got ${version}`);
  }
  try {
    return JSON.parse(decoder.decode(bytes)) as Value;
  } catch (cause) {
    throw invalid('the value of the event is not JSON', cause);
  }
}

/** Returns true if an event says that its document goes. */
export function isDeletion({ headers }: Pick<Event, 'headers'>): boolean {
  return headers.get(HEADER.eventType) === EVENT_TYPE.delete;
}

/** The value of a deletion; an empty one removes everything. */
export function readDeletion(event: StoredEvent, value: Uint8Array): Deletion {
  return value.length === 0 ? {} : readJson<Deletion>(event, value);
}

/** The name of the file that a document was uploaded as; `undefined` where none is known. */
export function filenameOf({ headers }: StoredEvent): string | undefined {
  const encoded = headers.get(INGEST_HEADER.filename);
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The label of an event's document; `!` without one, which permits nobody. */
export function labelOf(event: StoredEvent): string {
  return event.headers.get(HEADER.securityLabel) || '!';
}

/** The IRI of the document that an event is about. @throws `ERR_EVENT_VALUE` (invalid) without one. */
export function documentOf(event: StoredEvent): string {
  const iri = event.headers.get(HEADER.documentId);
  if (iri === undefined || iri === '') throw invalid('the event has no header Document-Id');
  return iri;
}

function invalid(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_EVENT_VALUE', kind: 'invalid', message, cause });
}
