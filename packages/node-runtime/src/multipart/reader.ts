import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { badArgument, type CodedError, checkPort, checkSignal, readableOnce, throwIfAborted } from '@cairn/errors';
import type { UploadPart } from '@cairn/ingest';
import busboy from 'busboy';
import { onAbort } from '../cancellation/on-abort.ts';
import { parseBoundary } from './boundary.ts';
import { DelimiterCounter } from './delimiter-counter.ts';
import { type MultipartLimits, type ResolvedMultipartLimits, resolveMultipartLimits } from './limits.ts';
import { toMultipartError } from './multipart-error.ts';
import { PartCounter } from './part-counter.ts';
import { PartQueue } from './part-queue.ts';
import { RequestBody } from './request-body.ts';

/** A request as `node:http` hands it over. */
export type MultipartRequest = Readable & { readonly headers: IncomingHttpHeaders };

interface FilePart extends UploadPart {
  readonly stream: Readable;
}

/**
 * The files of a multipart/form-data request, one at a time, while they stream in.
 *
 * Nothing is read from the request beyond one chunk while the consumer stalls. A part whose content is not read to its
 * end is discarded when the next one is asked for. Fields that are no files count towards the limits and are dropped.
 * The request is never destroyed: after an error or an early return it is left paused, to be answered and closed.
 * @throws `ERR_MEDIA_TYPE` (unsupported) for a body of another type; `ERR_MULTIPART`: `invalid` for a body that is
 *   malformed, `too-large` for one over a limit, `timeout` for a silent sender, `cancelled` for one that left;
 *   `ERR_CANCELLED` when the signal is aborted.
 */
export function readMultipart(
  request: MultipartRequest,
  limits: MultipartLimits = {},
  signal?: AbortSignal,
): AsyncGenerator<UploadPart, void, undefined> {
  return readableOnce(readParts(request, limits, signal));
}

async function* readParts(
  request: MultipartRequest,
  limits: MultipartLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<UploadPart, void, undefined> {
  checkSignal(signal);
  throwIfAborted(signal);
  checkPort(request, 'resume', 'the request');
  if (typeof request.headers !== 'object')
    throw badArgument('the headers of the request', 'an object', request.headers);
  const resolved = resolveMultipartLimits(limits);
  const boundary = parseBoundary(request.headers['content-type'], resolved.maxBoundaryLength);
  const delimiters = new DelimiterCounter(boundary);
  const parser = createParser(boundary, resolved);
  const body = new RequestBody(request, resolved, (chunk) => delimiters.scan(chunk));
  const queue = new PartQueue<FilePart>(() => body.release());
  const counter = new PartCounter(resolved);
  collectParts(parser, queue, body, counter);
  pipeline(body, parser, (error) => {
    queue.end(error ? toMultipartError(error) : counter.checkComplete(delimiters.parts));
  });
  const stopListening = onAbort(signal, (error) => body.destroy(error as Error));
  try {
    yield* takeParts(queue);
    throwIfAborted(signal);
  } finally {
    stopListening();
    body.destroy();
    parser.destroy();
  }
}

function createParser(boundary: string, limits: ResolvedMultipartLimits): busboy.Busboy {
  return busboy({
    // Written anew, so that the parser cannot read another boundary out of it than the one just checked.
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    fileHwm: 65_536,
    // One more than allowed: these limits only make the parser silent; the counter refuses.
    limits: { parts: limits.maxParts + 1, files: limits.maxFiles + 1, fieldSize: limits.maxFieldBytes + 1 },
  });
}

function collectParts(
  parser: busboy.Busboy,
  queue: PartQueue<FilePart>,
  body: RequestBody,
  counter: PartCounter,
): void {
  const refuse = (error: CodedError | undefined): boolean => {
    // A stream must not be destroyed inside its own event, with the rest of a chunk still to come.
    if (error !== undefined) process.nextTick(() => parser.destroy(error));
    return error !== undefined;
  };
  parser.on('file', (_name, stream, info) => {
    stream.on('error', () => {});
    if (refuse(counter.countFile(info))) return;
    body.hold();
    const content = readableOnce(readPartContent(stream));
    queue.push({ filename: info.filename ?? '', declaredType: info.mimeType, content, stream });
  });
  parser.on('field', (_name, _value, info) => refuse(counter.countField(info)));
  parser.on('partsLimit', () => refuse(counter.overParts()));
}

/**
 * The bytes of one file, once. A consumer that stops early has the rest discarded, so that the parts behind it still
 * arrive.
 * @throws `ERR_MULTIPART` in the middle when the upload ends before the file does.
 */
async function* readPartContent(file: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toMultipartError(error);
  } finally {
    file.resume();
  }
}

/** Thousands of small files come in one chunk; after so many of them others have their turn. */
const PARTS_PER_TURN = 16;

async function* takeParts(queue: PartQueue<FilePart>): AsyncGenerator<UploadPart, void, undefined> {
  let count = 0;
  for (let part = await queue.take(); part !== undefined; part = await queue.take()) {
    const { stream, ...upload } = part;
    yield upload;
    stream.resume();
    if (++count % PARTS_PER_TURN === 0) await nextTurn();
  }
}
