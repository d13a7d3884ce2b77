/*
 * Patterns of the tokens, without regard to case as in sparqljs but for escapes of strings. Each can match a text in one
 * way only, so that going back in it takes linear time.
 */

/** PN_CHARS_BASE within UTF-16 units; the rest are pairs. */
const LETTER = String.raw`A-Z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD`;
const PAIR = String.raw`[\uD800-\uDB7F][\uDC00-\uDFFF]`;
const VARIABLE_PART = String.raw`${LETTER}_0-9\u00B7\u0300-\u036F\u203F-\u2040`;
const NAME_PART = String.raw`${VARIABLE_PART}\-`;
/** `%41` or `\-` of a local name. */
const LOCAL_ESCAPE = String.raw`%[0-9A-F]{2}|\\[_~.\-!$&'()*+,;=/?#@%]`;
const STRING_ESCAPE = String.raw`\\(?:[tbnrf\\"']|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})`;

/** A name of units of two classes, for its start and its parts, and of longer parts; it does not end in a dot. */
function nameOf(start: string, part: string, longer: string): string {
  return `(?:[${start}]|${longer})(?:(?:[${part}.]|${longer})*(?:[${part}]|${longer}))?`;
}

/** The characters that would be a prefix: they are one when a colon follows and they do not end in a dot. */
export const PREFIX: RegExp = new RegExp(`(?:[${LETTER}]|${PAIR})(?:[${NAME_PART}.]|${PAIR})*`, 'iy');
export const LOCAL_NAME: RegExp = new RegExp(
  nameOf(`${LETTER}_0-9:`, `${NAME_PART}:`, `${PAIR}|${LOCAL_ESCAPE}`),
  'iy',
);
export const BLANK_NODE: RegExp = new RegExp(`_:${nameOf(`${LETTER}_0-9`, NAME_PART, PAIR)}`, 'iy');
export const VARIABLE: RegExp = new RegExp(`[?$](?:[${LETTER}_0-9]|${PAIR})(?:[${VARIABLE_PART}]|${PAIR})*`, 'iy');
export const IRI: RegExp =
  /<[^\x00-\x20<>"{}|^`\\]*(?:(?:\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})[^\x00-\x20<>"{}|^`\\]*)*>/y;
export const LANGUAGE: RegExp = /@[a-z]+(?:-[a-z0-9]+)*/iy;
/** Brackets with nothing but white space inside are one token. */
export const NIL: RegExp = /\([ \t\n\r]*\)/y;
export const ANONYMOUS: RegExp = /\[[ \t\n\r]*\]/y;
/** A double, a decimal or an integer. `1.` is an integer and a dot, `1.e5` a double. */
export const NUMBER: RegExp = /((?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+)|(\d*\.\d+)|\d+/iy;
/** White space and comments. */
export const IGNORED: RegExp = /(?:\s+|#[^\n\r]*)*/y;

export function stringPattern(quote: string): RegExp {
  return new RegExp(String.raw`${quote}(?:[^${quote}\\\n\r]|${STRING_ESCAPE})*${quote}`, 'y');
}

export function longStringPattern(quote: string): RegExp {
  return new RegExp(String.raw`${quote}{3}(?:[^${quote}\\]|${quote}(?!${quote}{2})|${STRING_ESCAPE})*${quote}{3}`, 'y');
}

/** Where a match ends that begins at a place, or -1. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
