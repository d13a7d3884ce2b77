import { CodedError } from '@cairn/errors';
import type { HttpRequest } from './message.ts';

/**
 * Refuses a request that asks for what this server does not do with messages: an expectation but `100-continue` (RFC 9110,
 * 10.1.1), and a coding of the transfer but `chunked` (RFC 9112, 6.1), whose body would be taken for the content.
 * @throws `ERR_EXPECTATION`, `ERR_TRANSFER_CODING` (unsupported)
 */
export function checkFraming(request: HttpRequest): void {
  const expectation = request.header('expect');
  if (expectation !== undefined && expectation.trim().toLowerCase() !== '100-continue')
    throw unsupported('ERR_EXPECTATION', `Expect must be 100-continue or absent; got ${quoted(expectation)}`);
  const coding = request.header('transfer-encoding');
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw unsupported('ERR_TRANSFER_CODING', `Transfer-Encoding must be chunked or absent; got ${quoted(coding)}`);
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}

function unsupported(code: 'ERR_EXPECTATION' | 'ERR_TRANSFER_CODING', message: string): CodedError {
  return new CodedError({ code, kind: 'unsupported', message });
}
