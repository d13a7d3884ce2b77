import { RE2JS } from 're2js';
import { ExpressionError } from './expression-error.ts';
import { boundedText, checkTextLength } from './limits.ts';
import { CountedRegex } from './regex-engine.ts';
import { translatePattern } from './regex-syntax.ts';
import { indexOfText } from './search.ts';

/**
 * A compiled pattern of REGEX or REPLACE. Matching takes time linear in the text, whatever the pattern; where that is
 * still too long, both raise an expression error. Each tells `spend` its steps, a test only where they are worth it.
 */
export interface Regex {
  /** The steps that compiling it takes: it may have been compiled before, or not. */
  readonly compilation: number;
  test(text: string, spend?: Spend): boolean;
  /**
   * The text with every match replaced; `$1` to `$9...` stand for groups, `\$` and `\\` for the characters.
   * @throws ExpressionError for a malformed replacement, when the pattern matches the empty string, or when the result is
   *   too long.
   */
  replace(text: string, replacement: string, spend?: Spend): string;
}

/** Counts steps of work. */
export type Spend = (steps: number) => void;

const FLAGS: ReadonlyMap<string, number> = new Map([
  ['s', RE2JS.DOTALL],
  ['m', RE2JS.MULTILINE],
  ['i', RE2JS.CASE_INSENSITIVE],
  ['x', 0],
  ['q', 0],
]);

const CACHE_ENTRIES = 64;
const cache = new Map<string, Regex | ExpressionError>();

/**
 * The compiled form of an XPath pattern with the flags s, m, i, x and q. The 64 last ones are kept.
 *
 * Differences from XPath: back-references, character class subtraction and `\p{Is...}` blocks are refused, for they
 * have no linear time automaton here; `\w` is letters, marks, numbers and `_`; `\b`, lazy quantifiers and
 * non-capturing groups are understood.
 * @throws ExpressionError for a pattern or flag that is none.
 */
export function compileRegex(pattern: string, flags: string): Regex {
  const key = `${flags}/${pattern}`;
  let compiled = cache.get(key);
  if (compiled === undefined) {
    compiled = tryCompile(pattern, flags);
    const [oldest] = cache.keys();
    if (cache.size >= CACHE_ENTRIES) cache.delete(oldest);
    cache.set(key, compiled);
  }
  if (compiled instanceof ExpressionError) throw compiled;
  return compiled;
}

function tryCompile(pattern: string, flags: string): Regex | ExpressionError {
  try {
    return createRegex(pattern, flags);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    return new ExpressionError(`not a regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function createRegex(pattern: string, flags: string): Regex {
  let bits = 0;
  for (const flag of flags) {
    const bit = FLAGS.get(flag);
    if (bit === undefined) throw new ExpressionError(`regular expression flags are s, m, i, x and q; got ${flag}`);
    bits |= bit;
  }
  const literal = flags.includes('q');
  const plain = bits === 0 && (literal || !SPECIAL.test(pattern));
  const source = literal ? RE2JS.quote(pattern) : translatePattern(pattern, flags.includes('x'));
  const regex = new CountedRegex(source, bits);
  return {
    compilation: regex.compilation,
    test:
      plain && !flags.includes('x')
        ? (text) => indexOfText(text, pattern) >= 0
        : (text, spend) => {
            const matches = regex.test(text);
            if (regex.steps > 0) spend?.(regex.steps);
            return matches;
          },
    replace: (text, replacement, spend) => {
      const replaced = regex.counted(text.length ** 2, (engine, count) =>
        replaceAll(engine, text, replacement, literal, count),
      );
      spend?.(regex.steps + CALL_STEPS);
      return replaced;
    },
  };
}

/** Cost of a replacement whose steps are not worth counting. */
const CALL_STEPS = 16;

/** A pattern without any special character is a search for a substring. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

type Part = string | number;

/** Cost of a match and a part of its replacement, besides finding it. */
const MATCH_STEPS = 40;
const PART_STEPS = 8;

function replaceAll(regex: RE2JS, text: string, replacement: string, literal: boolean, spend: Spend): string {
  if (regex.test('')) throw new ExpressionError('the pattern of REPLACE matches the empty string');
  const parts = literal ? [replacement] : parseReplacement(replacement, regex.groupCount());
  let result = '';
  let end = 0;
  for (const match of regex.matchAll(text)) {
    const start = match.index ?? 0;
    spend(MATCH_STEPS + PART_STEPS * parts.length);
    result += text.slice(end, start);
    checkTextLength(result.length);
    for (const part of parts) {
      result += typeof part === 'string' ? part : (match[part] ?? '');
      checkTextLength(result.length);
    }
    end = start + match[0].length;
  }
  return boundedText(result + text.slice(end));
}

/** `\\`, `\$`, a group, or plain text; the last alternative is what is malformed. */
const REPLACEMENT_PART = /\\([\\$])|\$(\d+)|([^\\$]+)|([\\$])/gy;

function parseReplacement(replacement: string, groupCount: number): Part[] {
  const parts: Part[] = [];
  for (const [, escaped, digits, plain, malformed] of replacement.matchAll(REPLACEMENT_PART)) {
    if (malformed !== undefined) throw new ExpressionError('malformed replacement: a lone \\ or $');
    if (digits !== undefined) parts.push(...parseGroup(digits, groupCount));
    else parts.push(escaped ?? plain ?? '');
  }
  return parts;
}

/** The longest number that names a group; the digits after it are text. A group that is not there is empty. */
function parseGroup(digits: string, groupCount: number): Part[] {
  let length = digits.length;
  while (length > 1 && Number(digits.slice(0, length)) > groupCount) length--;
  const group = Number(digits.slice(0, length));
  return [group > groupCount ? '' : group, digits.slice(length)];
}
