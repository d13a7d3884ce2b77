import { CodedError } from '@cairn/errors';
import type { HttpRequest } from './message.ts';

/** A parsed Content-Type: the type in lower case and its parameters. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(
  `^(${TOKEN}/${TOKEN})((?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\]*"))*)[ \\t]*;?[ \\t]*$`,
);
const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})=(${TOKEN}|"[^"\\\\]*")`, 'g');

/** Parses a Content-Type once and strictly; `undefined` when it is malformed. */
export function parseMediaType(text: string): MediaType | undefined {
  if (text.length > 1000) return undefined;
  const match = MEDIA_TYPE.exec(text.trim());
  if (match === null) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name, value] of (match[2] as string).matchAll(PARAMETER)) {
    const key = (name as string).toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, (value as string).replace(/^"|"$/g, ''));
  }
  return { type: (match[1] as string).toLowerCase(), parameters };
}

/** The Content-Type as sent; `undefined` when there is none. @throws `ERR_MEDIA_TYPE` (unsupported) for several. */
export function contentTypeOf(request: HttpRequest): string | undefined {
  const count = request.headerCount('content-type');
  if (count > 1) throw mediaTypeError(`Content-Type must be sent once; got it ${count} times`);
  return request.header('content-type');
}

/**
 * The content type of a request, which must be one of those allowed and, for text, in UTF-8.
 * @throws `ERR_MEDIA_TYPE` (unsupported), naming what was sent and what is taken.
 */
export function requireMediaType(request: HttpRequest, allowed: readonly string[]): string {
  const sent = contentTypeOf(request);
  const parsed = sent === undefined ? undefined : parseMediaType(sent);
  const charset = parsed?.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  const isUsable = parsed !== undefined && allowed.includes(parsed.type) && (charset === 'utf-8' || charset === 'utf8');
  if (isUsable) return parsed.type;
  const got = sent === undefined ? 'none' : JSON.stringify(sent.slice(0, 100));
  throw mediaTypeError(`Content-Type must be ${allowed.join(' or ')} in UTF-8; got ${got}`);
}

function mediaTypeError(message: string): CodedError {
  return new CodedError({ code: 'ERR_MEDIA_TYPE', kind: 'unsupported', message });
}

/** @throws `ERR_MEDIA_TYPE` (unsupported) for a body that is compressed: its bytes would be taken for the content. */
export function refuseContentCoding(request: HttpRequest): void {
  const coding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw mediaTypeError(`Content-Encoding must be identity or absent; got ${JSON.stringify(coding.slice(0, 100))}`);
}
