import { unlinkSync } from 'node:fs';
import { CodedError } from '@cairn/errors';
import type { Service } from '../composition/service.ts';
import { readText } from '../http/body.ts';
import type { HttpAnswer, HttpListener, HttpRequest } from '../http/message.ts';
import { listen } from '../http/node-http.ts';
import { toProblem } from '../http/problem.ts';
import { isSystemError } from '../operations/file-access.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

const MAX_ARGUMENT_BYTES = 1_048_576;
const LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 1_000,
  maxHeaderBytes: 16_384,
  maxConnections: 50,
  // A command may be stopped in a shell and go on later.
  answerStallMs: 86_400_000,
};

/** Is told why an operation failed; its caller gets the message, and for a defect none. */
export type OnFailure = (operation: string, error: unknown) => void;

/** How long an operation that was told to end has for saying what it has done. */
const LAST_WORDS_MS = 2_000;

/**
 * Opens the control socket: `POST /NAME` with JSON arguments runs an operation and streams its lines as JSON. Closed, it
 * lets operations run on for the grace, then aborts them with `ERR_SERVER_CLOSED`, so that their callers hear what was
 * kept, and cuts their connections two seconds later.
 */
export async function openControlSocket(
  socketPath: string,
  service: Service,
  operations: ReadonlyMap<string, Operation>,
  onFailure: OnFailure,
): Promise<HttpListener> {
  removeStale(socketPath);
  const stopping = new AbortController();
  const run: RunOperation = (operation, args, signal) => {
    const lines = operation.run(service, args, AbortSignal.any([signal, stopping.signal]));
    return toNdjson(lines, (error) => onFailure(operation.name, error));
  };
  const listener = await listen({ socketPath }, (request) => answer(request, operations, run), LIMITS);
  return {
    ...listener,
    async close(graceMs) {
      const timer = setTimeout(() => stopping.abort(serverStops()), graceMs);
      await listener.close(graceMs + LAST_WORDS_MS);
      clearTimeout(timer);
    },
  };
}

type RunOperation = (operation: Operation, args: OperationArguments, signal: AbortSignal) => AsyncIterable<string>;

function serverStops(): CodedError {
  return new CodedError({ code: 'ERR_SERVER_CLOSED', kind: 'unavailable', message: 'the server stops' });
}

/** A socket that a killed server left behind; its owner is gone, because we hold the lock of the directory. */
function removeStale(socketPath: string): void {
  try {
    unlinkSync(socketPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function answer(
  request: HttpRequest,
  operations: ReadonlyMap<string, Operation>,
  run: RunOperation,
): Promise<HttpAnswer> {
  try {
    const operation = operations.get(request.path.slice(1));
    if (request.method !== 'POST' || operation === undefined) {
      throw new CodedError({ code: 'ERR_NO_ENDPOINT', kind: 'not-found', message: `no operation ${request.path}` });
    }
    const text = await readText(request, { maxBytes: MAX_ARGUMENT_BYTES, timeoutMs: 10_000 });
    const body = run(operation, JSON.parse(text) as OperationArguments, request.signal);
    return { status: 200, headers: { 'Content-Type': 'application/x-ndjson' }, body };
  } catch (error) {
    const problem = toProblem(error);
    return { status: problem.status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(problem) };
  }
}

/** An error ends the stream as a line of its own: the status was sent long before. */
async function* toNdjson(
  lines: AsyncIterable<OperationLine>,
  onFailure: (error: unknown) => void,
): AsyncIterable<string> {
  try {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
    yield '{"type":"done"}\n';
  } catch (error) {
    onFailure(error);
    // Who may open the socket may read every file; strangers are told of no path.
    const { detail, code } = toProblem(isSystemError(error) ? systemFailure(error) : error);
    yield `${JSON.stringify({ type: 'error', text: detail, code })}\n`;
  }
}

function systemFailure(cause: Error): CodedError {
  return new CodedError({ code: 'ERR_CONTROL', kind: 'internal', message: cause.message, cause });
}
