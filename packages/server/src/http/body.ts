import { CodedError, throwIfAborted } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { requireMediaType } from './media-type.ts';
import type { HttpRequest } from './message.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads the whole body of a request.
 * @throws `ERR_BODY_TOO_LARGE` (too-large), `ERR_BODY_TIMEOUT` (timeout), `ERR_CANCELLED` when the client leaves.
 */
export async function readBody(request: HttpRequest, limits: BodyLimits): Promise<Buffer> {
  return joined(await readChunks(request, limits));
}

/** So many bytes are copied between two turns of the event loop. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

/** The chunks one after the other; they are let go as they are copied. A large body is copied in turns. */
async function joined(chunks: Buffer[]): Promise<Buffer> {
  if (chunks.length === 1) return chunks[0] as Buffer;
  const whole = Buffer.allocUnsafe(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let turnEnd = BYTES_PER_TURN;
  for (const [i, chunk] of chunks.entries()) {
    if (at >= turnEnd) {
      await nextTurn();
      turnEnd = at + BYTES_PER_TURN;
    }
    chunk.copy(whole, at);
    at += chunk.length;
    chunks[i] = NOTHING;
  }
  return whole;
}

const NOTHING = Buffer.alloc(0);

async function readChunks(request: HttpRequest, limits: BodyLimits): Promise<Buffer[]> {
  const declared = Number(request.header('content-length') ?? 0);
  if (declared > limits.maxBytes) throw tooLarge(limits.maxBytes, `${declared}`);
  throwIfAborted(request.signal);
  return new Promise((resolve, reject) => {
    const { body } = request;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      body.off('data', take);
      body.off('end', end);
      body.off('error', fail);
      body.off('close', leave);
      finish();
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      if (bytes > limits.maxBytes) settle(() => reject(tooLarge(limits.maxBytes, 'more')));
      else chunks.push(chunk);
    };
    const end = (): void => settle(() => resolve(chunks));
    const fail = (cause: unknown): void => settle(() => reject(clientLeft(cause)));
    const leave = (): void => settle(() => reject(clientLeft(undefined)));
    const timer = setTimeout(() => settle(() => reject(tooSlow(limits.timeoutMs))), limits.timeoutMs);
    body.on('data', take);
    body.once('end', end);
    body.once('error', fail);
    body.once('close', leave);
  });
}

/** Reads the whole body as text. @throws as {@link readBody}, and `ERR_BODY_ENCODING` (invalid) when it is not UTF-8. */
export async function readText(request: HttpRequest, limits: BodyLimits): Promise<string> {
  const bytes = await readBody(request, limits);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CodedError({ code: 'ERR_BODY_ENCODING', kind: 'invalid', message: 'the body is not UTF-8', cause });
  }
}

/**
 * Reads a JSON object from the body.
 * @throws `ERR_MEDIA_TYPE` (unsupported), `ERR_JSON` (invalid), and what {@link readText} throws.
 */
export async function readJsonObject(
  request: HttpRequest,
  limits: BodyLimits,
): Promise<Readonly<Record<string, unknown>>> {
  requireMediaType(request, ['application/json']);
  const text = await readText(request, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CodedError({ code: 'ERR_JSON', kind: 'invalid', message: 'the body is not JSON', cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CodedError({ code: 'ERR_JSON', kind: 'invalid', message: 'the body must be a JSON object' });
}

function tooLarge(maxBytes: number, got: string): CodedError {
  const message = `the body must be at most ${maxBytes} bytes; got ${got}`;
  return new CodedError({ code: 'ERR_BODY_TOO_LARGE', kind: 'too-large', message });
}

function tooSlow(timeoutMs: number): CodedError {
  const message = `the body must arrive within ${timeoutMs} ms`;
  return new CodedError({ code: 'ERR_BODY_TIMEOUT', kind: 'timeout', message });
}

function clientLeft(cause: unknown): CodedError {
  return new CodedError({ code: 'ERR_CANCELLED', kind: 'cancelled', message: 'the client left', cause });
}
