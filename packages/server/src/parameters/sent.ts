import { CodedError } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { type ParameterSource, parameterFault, type SentValues, shown } from './read.ts';

const MAX_VALUES = 2_000;

/**
 * The values of a query string or form body by name, in order; at most 2,000, what follows is dropped.
 * @throws `ERR_PARAMETER_ENCODING` (invalid) where escapes are no UTF-8
 */
export function parseForm(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (text === '') return values;
  let count = 0;
  let mayBeReplaced = false;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_VALUES) break;
    mayBeReplaced ||= name.includes(REPLACEMENT) || value.includes(REPLACEMENT);
    add(values, name, value);
  }
  if (mayBeReplaced) for (const pair of pairsOf(text).slice(0, MAX_VALUES)) checkEscapes(pair);
  return values;
}

function pairsOf(text: string): string[] {
  return text.split('&').filter((pair) => pair !== '');
}

/** Stands for bytes that are no UTF-8 in a decoded text, and may be written there as well. */
const REPLACEMENT = '\ufffd';
const ESCAPES = /(?:%[\da-f]{2})+/gi;

/** Refuses a text with escapes that are no UTF-8: it would be read as another one. Cost: O(text). */
function checkEscapes(text: string): void {
  for (const [escapes] of text.matchAll(ESCAPES)) {
    try {
      decodeURIComponent(escapes);
    } catch (cause) {
      const message = `escapes of parameters must be UTF-8; got ${shown(escapes)}`;
      throw new CodedError({ code: 'ERR_PARAMETER_ENCODING', kind: 'invalid', message, cause });
    }
  }
}

/** Letters that are decoded in one turn: about a millisecond. */
const PIECE_LENGTH = 65_536;

/** The same as {@link parseForm} for a text that may be megabytes long: it is decoded in turns. */
export async function parseLongForm(text: string): Promise<Map<string, string[]>> {
  if (text.length <= PIECE_LENGTH) return parseForm(text);
  const values = new Map<string, string[]>();
  let turnEnd = PIECE_LENGTH;
  let count = 0;
  for (let start = text.startsWith('?') ? 1 : 0, end = 0; start <= text.length && count < MAX_VALUES; start = end + 1) {
    const ampersand = text.indexOf('&', start);
    end = ampersand < 0 ? text.length : ampersand;
    if (end === start) continue;
    count++;
    const pair = text.slice(start, end);
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    add(values, await decode(name), equals < 0 ? '' : await decode(pair.slice(equals + 1)));
    if (end < turnEnd) continue;
    turnEnd = end + PIECE_LENGTH;
    await nextTurn();
  }
  return values;
}

/** A name or a value without its escapes. */
async function decode(text: string): Promise<string> {
  let decoded = '';
  for (let start = 0; start < text.length; ) {
    if (start > 0) await nextTurn();
    const end = findCut(text, start + PIECE_LENGTH);
    const part = text.slice(start, end);
    const value = new URLSearchParams(`=${part}`).get('') ?? '';
    if (value.includes(REPLACEMENT)) checkEscapes(part);
    decoded += value;
    start = end;
  }
  return decoded;
}

/** The first place from some offset on where a text can be cut: outside of escapes, and of characters that are several. */
function findCut(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at - 1] === '%' || text[at - 2] === '%' || isLowSurrogate(text.charCodeAt(at))) continue;
    if (!isContinuation(text, at)) return at;
    // No character has so many bytes: the escapes up to here are wrong, each of them by itself.
    if (isContinuation(text, at - 3) && isContinuation(text, at - 6) && isContinuation(text, at - 9)) return at;
  }
  return text.length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Returns true if an escape of a byte is here that goes on with a character of UTF-8. */
function isContinuation(text: string, at: number): boolean {
  return text[at] === '%' && /[89ab]/i.test(text[at + 1] ?? '');
}

function add(values: Map<string, string[]>, name: string, value: string): void {
  const list = values.get(name);
  if (list === undefined) values.set(name, [value]);
  else list.push(value);
}

/**
 * Adds the values of the path to those that were sent.
 * @throws `ERR_PARAMETER` (invalid) where one of the same name was sent, unless unknown ones are ignored: the path wins
 */
export function addPathValues(
  sent: Map<string, readonly string[]>,
  path: ReadonlyMap<string, string>,
  source: ParameterSource,
): SentValues {
  for (const [name, value] of path) {
    if (sent.has(name) && !source.ignoreUnknown)
      throw parameterFault(source, name, 'is unknown; it stands in the path');
    sent.set(name, [value]);
  }
  return sent;
}
