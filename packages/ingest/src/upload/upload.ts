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
import type { BlobStore, Event, EventLog } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import { type AcceptedFile, acceptPart, type RefusedFile, refusedFile } from '../accept/accept.ts';
import { findLabelFault } from '../accept/stated-labels.ts';
import { UPLOAD_BLOB_PREFIX } from '../leftovers/collect.ts';
import { type HashContent, hashContent } from '../port/hash-content.ts';
import type { UploadPart } from '../port/upload-part.ts';
import { type RequestHeaders, resolveHeaders } from '../routes/headers.ts';
import type { RouteConfig } from '../routes/route.ts';
import { uploadLabel } from './label.ts';
import type { UploadOutcome, UploadResult } from './outcome.ts';
import type { UploadQueue } from './queue.ts';

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

/**
 * Takes an upload in: every accepted file is one event on the topic of the route, all of them appended as one batch
 * and durable when this resolves. A file that is refused says why and harms no other.
 *
 * When it throws, or the upload is aborted, nothing stays behind: no event and no blob. Only when the log cannot tell
 * whether it kept the events, as after a failed fsync, the blobs stay until it is opened again.
 *
 * Memory: 1 MiB of the file in work, and the small files of the upload as far as the queue lets them wait; what it
 * does not let wait goes to blobs.
 *
 * @throws `ERR_ARGUMENT` (invalid) for a part, or a chunk of one, that is none;
 *   `ERR_UPLOAD_LABEL`, `ERR_POLICY_INFORMATION` (invalid), `ERR_UPLOAD_EMPTY` (invalid) without any file,
 *   `ERR_UPLOAD_QUEUE_FULL`, `ERR_UPLOAD_SHARE` (overloaded), `ERR_CANCELLED`, and what the log, the blob store and the parts throw.
 */
export async function acceptUpload(request: UploadRequest, ports: UploadPorts): Promise<UploadOutcome> {
  checkObject(request, 'the upload');
  checkPort(request.headers, 'get', 'the headers of an upload');
  checkViewer(request.viewer);
  if (typeof request.parts?.[Symbol.asyncIterator] !== 'function') {
    throw badArgument('the parts of an upload', 'an async iterable', request.parts);
  }
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
      if (this.#files.length === 0) throw empty();
      await this.#append();
    } catch (error) {
      await this.#takeBack();
      throw error;
    } finally {
      this.#ports.queue.release(this.#heldBytes);
    }
    return this.#outcome();
  }

  #accept(part: UploadPart): Promise<AcceptedFile | RefusedFile> {
    const eventId = this.#ports.nextId();
    return acceptPart(part, {
      route: this.#request.route,
      ordinal: this.#files.length,
      label: this.#label,
      owner: this.#isHidden ? this.#request.sender || eventId : undefined,
      headers: this.#headers,
      blobs: this.#ports.blobs,
      prefix: this.prefix,
      mayHold: (bytes) => this.#hold(bytes),
      hash: this.#ports.hash ?? hashContent,
      eventId,
      signal: this.#request.signal,
    });
  }

  /** RDF that states labels of its own which its sender may not state is refused like any other file. */
  async #checked(file: AcceptedFile | RefusedFile): Promise<AcceptedFile | RefusedFile> {
    if (!file.successful || this.#ports.readsRdf === false) return file;
    const { viewer, signal } = this.#request;
    const { blobs } = this.#ports;
    let reason: string | undefined;
    try {
      reason = await findLabelFault(file, { label: this.#label, viewer, blobs, signal });
    } catch (error) {
      await this.#takeBackBlob(file);
      throw error;
    }
    if (reason === undefined) return file;
    await this.#takeBackBlob(file);
    return refusedFile(file.filename, reason);
  }

  #hold(bytes: number): boolean {
    if (!this.#ports.queue.tryHold(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  async #append(): Promise<void> {
    const events = this.#files.flatMap((file): Event[] => (file.successful ? [file.event] : []));
    if (events.length === 0) return;
    try {
      await this.#ports.log.append(this.#request.route.topic, events);
    } catch (error) {
      if (!isRefusal(error)) this.#leave();
      throw error;
    }
  }

  /** An event that was kept after all would else refer to nothing. */
  #leave(): void {
    this.#files.splice(0);
    this.#ports.queue.doubt(this.prefix);
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

function empty(): CodedError {
  return new CodedError({ code: 'ERR_UPLOAD_EMPTY', kind: 'invalid', message: 'the upload holds no file' });
}
