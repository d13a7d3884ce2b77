import { CodedError } from '@cairn/errors';
import type { Configuration } from '../config/configuration.ts';
import { isLoopback } from '../config/together.ts';
import type { HttpRequest } from '../http/message.ts';

/**
 * Refuses a request with several Host headers, and, when authentication is disabled, one for another name than this
 * machine's: a web page could otherwise reach it by a name of its own. @throws `ERR_HOST` (invalid).
 */
export function checkHost(request: HttpRequest, { auth }: Configuration): void {
  if (request.headerCount('host') > 1) throw hostError('Host must be sent once');
  if (auth.mode !== 'disabled') return;
  const host = (request.header('host') ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (!isLoopback(host)) throw hostError('Host must be a loopback name, because authentication is disabled');
}

function hostError(message: string): CodedError {
  return new CodedError({ code: 'ERR_HOST', kind: 'invalid', message });
}
