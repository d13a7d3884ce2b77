import { malformed } from '../extraction-error.ts';

/** A piece of an RTF file. Text is in bytes, one character each. */
export type RtfToken =
  | { readonly type: 'open' | 'close' }
  | { readonly type: 'word'; readonly word: string; readonly value: number | undefined }
  | { readonly type: 'symbol'; readonly symbol: string }
  | { readonly type: 'text'; readonly text: string };

const TOKEN = /\\([a-zA-Z]{1,64})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([\r\n]+)|([^\\{}\r\n]+)/y;

/** Splits RTF, each byte as a character, into tokens; binary data is skipped, `\'hh` becomes text of one byte. */
export function* tokenize(source: string): Generator<RtfToken, void, undefined> {
  let at = 0;
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (match === null) throw malformed('the RTF ends in the middle of a control word');
    at = TOKEN.lastIndex;
    const token = toToken(match);
    if (token?.type === 'word' && token.word === 'bin') at = skipBinary(source, at, token.value ?? 0);
    else if (token !== undefined) yield token;
  }
}

function toToken(match: RegExpExecArray): RtfToken | undefined {
  const [, word, value, hex, symbol, brace, , text] = match;
  if (text !== undefined) return { type: 'text', text };
  if (hex !== undefined) return { type: 'text', text: String.fromCharCode(Number.parseInt(hex, 16)) };
  if (word !== undefined) return { type: 'word', word, value: value === undefined ? undefined : Number(value) };
  if (brace !== undefined) return { type: brace === '{' ? 'open' : 'close' };
  return symbol === undefined ? undefined : { type: 'symbol', symbol };
}

function skipBinary(source: string, at: number, length: number): number {
  if (length < 0 || at + length > source.length) throw malformed('the RTF states more binary data than it has');
  return at + length;
}
