import { checkArray, checkText } from '@cairn/errors';
import Negotiator from 'negotiator';

/** A longer header takes nothing: its ranges are sorted and compared in one stretch. */
const MAX_ACCEPT_UNITS = 2_000;

/**
 * The media type to answer in: what an Accept header likes best among `available`, whose order decides between equals.
 * Without a header the first one; `undefined` when the header takes none of them, or has more than 2,000 UTF-16 units.
 * Parameters of a range, as the charset or the profile of JSON-LD, ask for less than its type does, and refuse nothing.
 * @example negotiate('text/csv;q=0.5, application/*', ['text/csv', 'application/json']) // 'application/json'
 */
export function negotiate(accept: string | undefined, available: readonly string[]): string | undefined {
  if (accept !== undefined) checkText(accept, 'an Accept header');
  checkArray(available, 'the available media types');
  if (accept === undefined || accept.trim() === '') return available[0];
  if (accept.length > MAX_ACCEPT_UNITS) return undefined;
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType([...available]);
}

const PARAMETER = /;[ \t]*([^\s=;,"]+)[ \t]*(?:=[ \t]*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?/g;

/** An Accept header with no parameters but the weights. */
function withoutParameters(accept: string): string {
  return accept.replace(PARAMETER, (parameter, name: string) => (name.toLowerCase() === 'q' ? parameter : ''));
}
