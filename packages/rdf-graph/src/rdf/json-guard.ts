import { rdfSyntaxError, rdfTooLarge } from './syntax-error.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/** Bounds of {@link createJsonGuard}. */
export interface JsonGuardOptions {
  /** Objects and arrays inside one another. */
  readonly maxNesting: number;
  /** UTF-16 units of one string. */
  readonly maxTokenUnits: number;
}

/** Follows the shape of a JSON text, piece by piece. */
export interface JsonGuard {
  /** @throws ERR_RDF_TOO_LARGE past a bound, ERR_RDF_SYNTAX for a text that is no object or array */
  inspect(text: string): void;
  /** @throws ERR_RDF_SYNTAX when the text did not end */
  finish(): void;
}

/** Checks that a text is one object or array to its end, and how deep it nests; what is inside is not looked at. */
export function createJsonGuard({ maxNesting, maxTokenUnits }: JsonGuardOptions): JsonGuard {
  let depth = 0;
  let isEnded = false;
  let inString = false;
  let escaped = false;
  let stringUnits = 0;
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every character of a document comes through here
  const enter = (unit: number): void => {
    if (unit <= SPACE) return;
    const opens = unit === 123 || unit === 91;
    if (isEnded) throw syntaxError('the document goes on after its end');
    if (depth === 0 && !opens) throw syntaxError('expected an object or an array');
    if (opens) depth++;
    else if (unit === 125 || unit === 93) isEnded = --depth === 0;
    else if (unit === QUOTE) inString = true;
    if (depth > maxNesting) throw rdfTooLarge('the nesting of JSON-LD', maxNesting);
  };
  const enterString = (unit: number): void => {
    if (escaped) escaped = false;
    else if (unit === BACKSLASH) escaped = true;
    else if (unit === QUOTE) {
      inString = false;
      stringUnits = 0;
    }
    if (++stringUnits > maxTokenUnits) throw rdfTooLarge('a string of JSON-LD in UTF-16 units', maxTokenUnits);
  };
  return {
    inspect(text) {
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (inString) enterString(unit);
        else enter(unit);
      }
    },
    finish() {
      if (!isEnded) throw syntaxError('the document ends before its end');
    },
  };
}

function syntaxError(problem: string): Error {
  return rdfSyntaxError('JSON-LD', problem);
}
