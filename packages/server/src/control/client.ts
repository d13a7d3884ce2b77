import { CodedError, type ErrorCode } from '@cairn/errors';
import { Agent, request } from 'undici';
import type { OperationArguments, OperationLine } from './operation.ts';

interface WireLine {
  readonly type: 'progress' | 'result' | 'error' | 'done';
  readonly text?: string;
  readonly code?: ErrorCode;
}

/**
 * Runs an operation in the server that listens on a control socket; `undefined` when none does.
 * The lines throw what the operation threw.
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
    if (answer.statusCode === 200) return toLines(answer.body, dispatcher);
    const problem = (await answer.body.json()) as { detail?: string; code?: ErrorCode };
    await dispatcher.close();
    throw failure(problem.detail, problem.code);
  } catch (error) {
    await dispatcher.destroy();
    if (isNobody(error)) return undefined;
    throw error;
  }
}

function isNobody(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}

async function* toLines(body: AsyncIterable<Uint8Array>, dispatcher: Agent): AsyncIterable<OperationLine> {
  const decoder = new TextDecoder();
  let rest = '';
  let isDone = false;
  for await (const chunk of untilCut(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, text = '', code } = JSON.parse(line) as WireLine;
      if (type === 'error') throw failure(text, code);
      if (type === 'done') isDone = true;
      else yield { type, text };
    }
  }
  await dispatcher.close();
  if (!isDone) throw serverGone();
}

/** What arrives, until the server goes away. */
async function* untilCut(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw serverGone();
  }
}

function serverGone(): CodedError {
  return failure('the server went away before the operation was done; what was written by then is kept', 'ERR_CONTROL');
}

function failure(message = 'the server refused the operation', code: ErrorCode = 'ERR_CONTROL'): CodedError {
  return new CodedError({ code, kind: 'internal', message });
}
