import { ExpressionError } from './expression-error.ts';

const NAME_START =
  'A-Z_a-z:\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{2FF}\\x{370}-\\x{37D}\\x{37F}-\\x{1FFF}\\x{200C}-\\x{200D}\\x{2070}-\\x{218F}\\x{2C00}-\\x{2FEF}\\x{3001}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFFD}\\x{10000}-\\x{EFFFF}';
const NAME = `${NAME_START}\\-.0-9\\x{B7}\\x{300}-\\x{36F}\\x{203F}-\\x{2040}`;

/** Characters of an escape inside brackets; a capital letter is the complement. */
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: '\\p{L}\\p{M}\\p{N}_',
  s: '\\t\\n\\r ',
  i: NAME_START,
  c: NAME,
};

/** Escapes that both syntaxes read alike. */
const SHARED_ESCAPES = /[nrt\\|.?*+(){}\-[\]^$pPbBAz]/;

const WHITE_SPACE = /[\t\n\r ]/;

/**
 * An XPath pattern in the syntax of RE2. With `ignoreSpace` white space outside brackets is dropped.
 * @throws ExpressionError for what has no counterpart.
 */
export function translatePattern(pattern: string, ignoreSpace: boolean): string {
  let result = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '\\') {
      result += translateEscape(pattern[++i], inClass);
    } else if (inClass) {
      result += translateInClass(character, pattern[i - 1]);
      inClass = character !== ']';
    } else if (character === '[') {
      inClass = true;
      result += character;
      if (pattern[i + 1] === '^') result += pattern[++i];
    } else if (!ignoreSpace || !WHITE_SPACE.test(character)) {
      result += character;
    }
  }
  return result;
}

function translateInClass(character: string, before: string): string {
  if (character !== '[') return character;
  if (before === '-') throw new ExpressionError('character class subtraction is not supported');
  return '\\[';
}

function translateEscape(letter: string | undefined, inClass: boolean): string {
  if (letter === undefined) throw new ExpressionError('the pattern ends in a backslash');
  const positive = CLASS_ESCAPES[letter];
  if (positive !== undefined) return inClass ? positive : `[${positive}]`;
  const negative = CLASS_ESCAPES[letter.toLowerCase()];
  if (negative !== undefined) {
    if (inClass) return complementInClass(letter);
    return `[^${negative}]`;
  }
  if (SHARED_ESCAPES.test(letter)) return `\\${letter}`;
  if (/[1-9]/.test(letter)) throw new ExpressionError('back-references are not supported');
  // XPath knows no other escapes; a punctuation character escaped by habit means itself.
  if (/[a-zA-Z0-9]/.test(letter)) throw new ExpressionError(`unknown escape \\${letter}`);
  return letter.charCodeAt(0) < 128 ? `\\${letter}` : letter;
}

/** Only a complement that RE2 has a name for can be inside brackets. */
function complementInClass(letter: string): string {
  if (letter === 'D') return '\\P{Nd}';
  if (letter === 'S') return '\\x{0}-\\x{8}\\x{B}\\x{C}\\x{E}-\\x{1F}\\x{21}-\\x{10FFFF}';
  throw new ExpressionError(`\\${letter} is not supported inside brackets`);
}
