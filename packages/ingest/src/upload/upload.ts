import {
  badArgument,
  CodedError,
  checkObject,
  checkPort,
  checkSignal,
  checkText,
  isAsyncIterable,
  isCodedError,
  throwIfAborted,
} from '@cairn/errors';
import { type BlobStore, contentHash, createEvent, type Event, type EventLog, HEADER, loadValue } from '@cairn/events';
import { findFormat, RDF_PATCH_MEDIA_TYPE } from '@cairn/rdf-graph';
import { bodyPlaceOf, checkStatedLabels } from '@cairn/rdf-graph/experimental';
import { checkStatedLabel, checkViewer, type Viewer } from '@cairn/security';
import { type HeldContent, holdContent, PartReader } from '../accept/content.ts';
import { documentIdentity } from '../accept/identity.ts';
import { EVENT_TYPE, INGEST_HEADER } from '../pipeline/contract.ts';
import { rdfTypeOf } from '../pipeline/detect-type.ts';
import { type HashContent, hashContent } from '../port/hash-content.ts';
import type { UploadPart } from '../port/upload-part.ts';
import { type RequestHeaders, resolveHeaders } from '../routes/headers.ts';
import type { RouteConfig } from '../routes/route.ts';
import { baseName, findNameFault } from './file-name.ts';
import { uploadLabel } from './label.ts';
import { UPLOAD_BLOB_PREFIX, type UploadQueue } from './queue.ts';

/** Options of {@link acceptUpload}. */
export interface UploadRequest {
  readonly route: RouteConfig;
  /** The headers of the request. */
  readonly headers: RequestHeaders;
  /** The files while they stream in. */
  readonly parts: AsyncIterable<UploadPart>;
  /** Who uploads. */
  readonly viewer: Viewer;
  /** Name of whoever uploads, by which its share of the uploads at once is counted. Default `''`. */
  readonly sender?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Stores for an upload. */
export interface UploadPorts {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly queue: UploadQueue;
  /** A new unique name at every call, of `A-Z a-z 0-9 -`. */
  readonly nextId: () => string;
  /** True when RDF files are read into a dataset, so that label graphs in them count. Default true. */
  readonly readsRdf?: boolean | undefined;
  /** Default: by the Web Cryptography API. */
  readonly hash?: HashContent | undefined;
}

/** Outcome of one file of an upload. Keys in this order on the wire. */
export interface UploadResult {
  readonly successful: boolean;
  readonly filename: string;
  /** UUID of the document; empty when the file was refused. */
  readonly id: string;
  /** Description for people. */
  readonly status: string;
}

/** Outcome of an upload: one result per file, in the order of the files. */
export interface UploadOutcome {
  /** True when every file was accepted. */
  readonly successful: boolean;
  readonly documents: readonly UploadResult[];
  /** True when the sender may not read what was accepted, as the route adds a label or a policy that they lack. */
  readonly isHidden: boolean;
}

/**
 * Takes an upload in: every accepted file is one event on the topic of the route, all of them appended as one batch
 * and durable when this resolves. A file that is refused says why and harms no other.
 *
 * When it throws, or the upload is aborted, nothing stays behind: no event and no blob. Only when the log cannot tell
 * whether it kept the events, as after a failed fsync, the blobs stay until it is opened again.
 *
 * Memory: 1 MiB of the file in work, and the small files of the upload as far as the queue lets them wait; what it
 * does not let wait goes to blobs.
 * @throws `ERR_ARGUMENT` (invalid) for a part, or a chunk of one, that is none;
 *   `ERR_UPLOAD_LABEL`, `ERR_POLICY_INFORMATION` (invalid), `ERR_UPLOAD_EMPTY` (invalid) without any file,
 *   `ERR_UPLOAD_QUEUE_FULL`, `ERR_UPLOAD_SHARE` (overloaded), `ERR_CANCELLED`, and what the log, the blob store and the parts throw.
 */
export async function acceptUpload(request: UploadRequest, ports: UploadPorts): Promise<UploadOutcome> {
  checkObject(request, 'the upload');
  checkPort(request.headers, 'get', 'the headers of an upload');
  checkViewer(request.viewer);
  if (!isAsyncIterable(request.parts)) throw badArgument('the parts of an upload', 'an async iterable', request.parts);
  if (request.sender !== undefined) checkText(request.sender, 'the sender of an upload');
  checkSignal(request.signal);
  const headers = resolveHeaders(request.route, request.headers);
  const label = uploadLabel({
    requested: request.headers.get('Security-Label'),
    policyInformation: headers.get('Policy-Information'),
    route: request.route,
    viewer: request.viewer,
  });
  const upload = new Upload(request, ports, headers, label);
  return ports.queue.run(upload.prefix, request.sender ?? '', () => upload.run());
}

/** A file that was accepted, and the event that says so; not appended yet. */
interface AcceptedFile extends UploadResult {
  readonly successful: true;
  readonly event: Event;
  /** The name of the blob that was stored for it, if any. */
  readonly blob: string | undefined;
}

type RefusedFile = UploadResult & { readonly successful: false };

class Upload {
  readonly #request: UploadRequest;
  readonly #ports: UploadPorts;
  readonly #headers: ReadonlyMap<string, string>;
  readonly #label: string;
  readonly #isHidden: boolean;
  /** Of the blobs it stores. */
  readonly prefix: string;
  readonly #files: (AcceptedFile | RefusedFile)[] = [];
  #heldBytes = 0;

  constructor(request: UploadRequest, ports: UploadPorts, headers: ReadonlyMap<string, string>, label: string) {
    this.#request = request;
    this.#ports = ports;
    this.#headers = headers;
    this.#label = label;
    this.#isHidden = !request.viewer.permits(label);
    this.prefix = `${UPLOAD_BLOB_PREFIX}${ports.nextId()}/`;
  }

  async run(): Promise<UploadOutcome> {
    try {
      for await (const part of this.#request.parts) {
        checkPart(part);
        this.#files.push(await this.#checked(await this.#accept(part)));
      }
      throwIfAborted(this.#request.signal);
      if (this.#files.length === 0) {
        throw new CodedError({ code: 'ERR_UPLOAD_EMPTY', kind: 'invalid', message: 'the upload holds no file' });
      }
      await this.#append();
    } catch (error) {
      await this.#takeBack();
      throw error;
    } finally {
      this.#ports.queue.release(this.#heldBytes);
    }
    return this.#outcome();
  }

  /** Checks one file, stores its content, and makes its event. The part is read to its end in any case. */
  async #accept({ filename: sent, declaredType, content }: UploadPart): Promise<AcceptedFile | RefusedFile> {
    const { route, signal } = this.#request;
    const { blobs, queue, nextId, hash = hashContent } = this.#ports;
    const eventId = nextId();
    const filename = baseName(sent);
    const isOneTooMany = this.#files.length >= route.maxFiles;
    const refusal =
      findNameFault(filename) ?? (isOneTooMany ? `an upload has at most ${route.maxFiles} files` : undefined);
    if (refusal !== undefined) {
      await new PartReader(content, route.maxDocumentBytes, signal).drain();
      return refusedFile(sent, refusal);
    }
    const mayHold = (bytes: number): boolean => {
      const isHeld = queue.tryHold(bytes);
      if (isHeld) this.#heldBytes += bytes;
      return isHeld;
    };
    const maxBytes = route.maxDocumentBytes;
    const held = await holdContent(content, { maxBytes, blobs, prefix: this.prefix, mayHold, hash, signal });
    if (held.kind === 'refused') return refusedFile(filename, held.reason);
    return this.#toAccepted(filename, declaredType, held, eventId);
  }

  #toAccepted(filename: string, declaredType: string | undefined, held: HeldContent, eventId: string): AcceptedFile {
    const { route, sender = '' } = this.#request;
    const owner = this.#isHidden ? sender || eventId : undefined;
    const { id, iri } = documentIdentity(route.namespace, held.hash, this.#label, owner);
    const blob = held.kind === 'blob' ? held.blob.name : undefined;
    const event = createEvent({
      id: eventId,
      type: EVENT_TYPE.uploaded,
      key: iri,
      headers: [
        [HEADER.securityLabel, this.#label],
        [HEADER.documentId, iri],
        [HEADER.execPath, 'cairn-ingest'],
        [INGEST_HEADER.route, route.name],
        [INGEST_HEADER.filename, encodeURIComponent(filename)],
        ...(declaredType === undefined ? [] : [[HEADER.contentType, declaredType] as const]),
        ...(blob === undefined ? [] : [[HEADER.valueBlob, `${blob} ${held.sizeBytes}`] as const]),
        ...this.#headers,
        ...(sender === '' ? [] : [[INGEST_HEADER.sender, contentHash(sender).slice(0, SENDER_LENGTH)] as const]),
      ],
      value: held.kind === 'inline' ? held.bytes : new Uint8Array(0),
    });
    return { successful: true, filename, id, status: `Accepted by route ${route.name}`, event, blob };
  }

  /** RDF is refused for labels that it may not state, and for what it takes away unseen. Cost: reads it to its end. */
  async #checked(file: AcceptedFile | RefusedFile): Promise<AcceptedFile | RefusedFile> {
    if (!file.successful || this.#ports.readsRdf === false) return file;
    const { filename, event } = file;
    const contentType = rdfTypeOf(filename, event.headers.get(HEADER.contentType));
    if (contentType === undefined || !canNameGraphs(contentType)) return file;
    const { viewer, signal } = this.#request;
    const { blobs } = this.#ports;
    const judge = (label: string, where: string): void => checkStatedLabel(label, { where, writer: viewer });
    try {
      const options = { ...bodyPlaceOf(event), contentType, judge, signal };
      const { deletions } = await checkStatedLabels(await loadValue(event, blobs), options);
      if (deletions === 0 || !this.#isHidden) return file;
    } catch (error) {
      await this.#takeBackBlob(file);
      if (isCodedError(error) && FILE_FAULTS.has(error.kind)) return refusedFile(filename, error.message);
      throw error;
    }
    await this.#takeBackBlob(file);
    return refusedFile(filename, BLIND_DELETION);
  }

  async #append(): Promise<void> {
    const events = this.#files.flatMap((file): Event[] => (file.successful ? [file.event] : []));
    if (events.length === 0) return;
    try {
      await this.#ports.log.append(this.#request.route.topic, events);
    } catch (error) {
      if (!isRefusal(error)) {
        // The blobs stay: an event that was kept after all would else refer to nothing.
        this.#files.splice(0);
        this.#ports.queue.doubt(this.prefix);
      }
      throw error;
    }
  }

  async #takeBack(): Promise<void> {
    for (const file of this.#files.splice(0)) if (file.successful) await this.#takeBackBlob(file);
  }

  /** Removes the content of a file, unless another file of the upload is the same. */
  async #takeBackBlob({ blob }: AcceptedFile): Promise<void> {
    if (blob === undefined || this.#files.some((other) => other.successful && other.blob === blob)) return;
    // No event refers to it, so it can be found again.
    await this.#ports.blobs.delete(blob).catch(this.#ports.queue.onLeftover);
  }

  #outcome(): UploadOutcome {
    const isAccepted = this.#files.some(({ successful }) => successful);
    const isHidden = isAccepted && this.#isHidden;
    const warning = isHidden ? ', under a label that its sender may not read' : '';
    const documents = this.#files.map(({ successful, filename, id, status }): UploadResult => {
      return { successful, filename, id, status: successful ? `${status}${warning}` : status };
    });
    return { successful: documents.every(({ successful }) => successful), documents, isHidden };
  }
}

/** Hexadecimal digits: enough to tell senders apart, and names nobody. */
const SENDER_LENGTH = 16;

function refusedFile(filename: string, reason: string): RefusedFile {
  return { successful: false, filename, id: '', status: `Refused: ${reason}` };
}

/** A deletion takes effect under the label of its patch: nobody takes away what they cannot see. */
const BLIND_DELETION = 'an RDF patch that takes away must have a label that its sender may read';

/** Kinds of errors for which a file is refused; others are no fault of the file. */
const FILE_FAULTS: ReadonlySet<string> = new Set(['invalid', 'too-large', 'unsupported']);

function canNameGraphs(contentType: string): boolean {
  return contentType === RDF_PATCH_MEDIA_TYPE || findFormat(contentType)?.quads === true;
}

/** Returns true if a log has surely kept nothing: it refused the events themselves, or could not write them now. */
function isRefusal(error: unknown): boolean {
  return isCodedError(error) && (error.retryable || error.kind !== 'unavailable');
}

function checkPart(part: UploadPart): void {
  checkObject(part, 'a part of an upload');
  checkText(part.filename, 'the file name of a part');
  if (part.declaredType !== undefined) checkText(part.declaredType, 'the declared type of a part');
  if (isAsyncIterable(part.content)) return;
  throw badArgument('the content of a part', 'an async iterable of bytes', part.content);
}
