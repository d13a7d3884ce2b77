import { Class, classOf, endOfRun, isHex, isPair, NAME_PART, NAME_START, VARIABLE_PART } from './characters.ts';

/*
 * Scanners of names. Each gets the place where its token would begin and gives where it ends, or -1.
 */

const DOT = 46;
const LOCAL_ESCAPES = new Set([..."_~.-!$&'()*+,;=/?#@%"].map((character) => character.charCodeAt(0)));

/** Skips dots that end a run: names never end in one. */
function withoutDots(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) === DOT) last--;
  return last;
}

/** Returns true if a character of these classes is here: 0 for none, else its length. */
function lengthOf(text: string, at: number, mask: number): number {
  if ((classOf(text.charCodeAt(at)) & mask) !== 0) return 1;
  return isPair(text, at) ? 2 : 0;
}

/** `%41` or `\-` of a local name: 0 for none, else its length. */
function lengthOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 37) return isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2)) ? 3 : 0;
  return code === 92 && LOCAL_ESCAPES.has(text.charCodeAt(at + 1)) ? 2 : 0;
}

/** PN_LOCAL; gives `at` where there is none. */
export function scanLocalName(text: string, at: number): number {
  const first = lengthOf(text, at, NAME_START | Class.digit | Class.colon) || lengthOfEscape(text, at);
  if (first === 0) return at;
  let end = at + first;
  let lastKept = end;
  for (;;) {
    const run = endOfRun(text, end, NAME_PART | Class.dot | Class.colon);
    if (run > end) lastKept = Math.max(lastKept, withoutDots(text, end, run));
    const escaped = lengthOfEscape(text, run);
    if (escaped === 0) return lastKept;
    end = run + escaped;
    lastKept = end;
  }
}

/** The run of characters that would be a prefix: it is one when a colon follows and it does not end in a dot. */
export function endOfPrefix(text: string, at: number): number {
  return endOfRun(text, at, NAME_PART | Class.dot);
}

export function scanBlankNode(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 58) return -1;
  const first = lengthOf(text, at + 2, NAME_START | Class.digit);
  if (first === 0) return -1;
  const start = at + 2 + first;
  return withoutDots(text, start, endOfRun(text, start, NAME_PART | Class.dot));
}

/** VAR1 or VAR2. */
export function scanVariable(text: string, at: number): number {
  const first = lengthOf(text, at + 1, NAME_START | Class.digit);
  return first === 0 ? -1 : endOfRun(text, at + 1 + first, VARIABLE_PART);
}

const IRI_END = new Set([...'<"{}|^`\\'].map((character) => character.charCodeAt(0)));

/** IRIREF. */
export function scanIri(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 62) return end + 1;
    if (code <= 32 || (code < 128 && IRI_END.has(code))) return -1;
  }
  return -1;
}

/** LANGTAG. */
export function scanLanguage(text: string, at: number): number {
  let end = endOfLetters(text, at + 1, false);
  if (end === at + 1) return -1;
  while (text.charCodeAt(end) === 45) {
    const next = endOfLetters(text, end + 1, true);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

function endOfLetters(text: string, at: number, withDigits: boolean): number {
  for (let end = at; ; end++) {
    const code = text.charCodeAt(end);
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code < 128) continue;
    if (!(withDigits && code >= 48 && code <= 57)) return end;
  }
}
