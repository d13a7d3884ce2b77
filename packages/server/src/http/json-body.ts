import { CodedError } from '@cairn/errors';
import { type BodyLimits, readText } from './body.ts';
import { requireMediaType } from './media-type.ts';
import type { HttpRequest } from './message.ts';

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
