import { rdfTooLarge } from './syntax-error.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/** Follows how deep JSON nests, piece by piece. @throws ERR_RDF_TOO_LARGE past `maxNesting` */
export function createJsonDepthGuard(maxNesting: number): (text: string) => void {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (unit === BACKSLASH) escaped = true;
        else if (unit === QUOTE) inString = false;
      } else if (unit === QUOTE) inString = true;
      else if (unit === 123 || unit === 91) depth++;
      else if (unit === 125 || unit === 93) depth--;
      if (depth > maxNesting) throw rdfTooLarge('the nesting of JSON-LD', maxNesting);
    }
  };
}
