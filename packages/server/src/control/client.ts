import { CodedError, type ErrorCode, isCodedError } from '@cairn/errors';
import { Agent, request } from 'undici';
import { isForbidden, toFileError } from '../operations/file-access.ts';
import type { OperationArguments, OperationLine } from './operation.ts';

interface WireLine {
  readonly type: 'progress' | 'result' | 'error' | 'done';
  readonly text?: string;
  readonly code?: ErrorCode;
}

/** How to find out what was done, and what is to be done, when the server went away in the middle. */
const WAYS_ON: ReadonlyMap<string, string> = new Map([
  ['load', 'files that it named above are loaded; start the server and ask the dataset for what is in the next one'],
  ['forget', 'start the server and run it again; when it finds nothing left, cairn rebuild search and each dataset'],
  ['rebuild', 'it changes nothing before its end: run it again'],
  ['dead-letters-retry', 'cairn dead-letters list shows what is left; to retry again changes nothing'],
  ['backup', 'cairn verify --data BACKUP tells; back up again, to another folder'],
  ['verify', 'it changes nothing without a flag: run it again'],
]);

/**
 * Runs an operation in the server that listens on a control socket; `undefined` when none does.
 * The lines throw what the operation threw.
 * @throws `ERR_CONTROL` (internal) when the server goes away before the operation is done; `ERR_FILE_WRITE` (unavailable)
 *   when this user may not reach the socket
 */
export async function callServer(
  socketPath: string,
  name: string,
  args: OperationArguments,
): Promise<AsyncIterable<OperationLine> | undefined> {
  const dispatcher = new Agent({ connect: { socketPath }, bodyTimeout: 0, headersTimeout: 0 });
  try {
    const answer = await request(`http://localhost/${name}`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    if (answer.statusCode === 200) return toLines(name, answer.body, dispatcher);
    const problem = (await answer.body.json()) as { detail?: string; code?: ErrorCode };
    await dispatcher.close();
    throw failure(problem.detail, problem.code);
  } catch (error) {
    await dispatcher.destroy();
    if (isNobody(error)) return undefined;
    if (isForbidden(error)) throw toFileError('write', socketPath, error);
    throw isCodedError(error) ? error : wentAway(name, error);
  }
}

function isNobody(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}

async function* toLines(
  name: string,
  body: AsyncIterable<Uint8Array>,
  dispatcher: Agent,
): AsyncIterable<OperationLine> {
  try {
    for await (const { type, text = '', code } of readLines(body)) {
      if (type === 'error') throw failure(text, code);
      if (type === 'done') return;
      yield { type, text };
    }
  } catch (error) {
    throw isCodedError(error) ? error : wentAway(name, error);
  } finally {
    await dispatcher.destroy();
  }
  throw wentAway(name, undefined);
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncIterable<WireLine> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as WireLine;
  }
}

function wentAway(name: string, cause: unknown): CodedError {
  const wayOn = WAYS_ON.get(name);
  const said =
    'the server went away before the operation was done; what was written by then is kept, and whether all was is not known';
  const message = wayOn === undefined ? said : `${said}: ${wayOn}`;
  return new CodedError({ code: 'ERR_CONTROL', kind: 'internal', message, cause });
}

function failure(message = 'the server refused the operation', code: ErrorCode = 'ERR_CONTROL'): CodedError {
  return new CodedError({ code, kind: 'internal', message });
}
