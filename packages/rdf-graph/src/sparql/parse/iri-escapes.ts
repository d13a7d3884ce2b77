const ESCAPE = /\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})/g;

/** Characters that IRIREF leaves out, and halves of surrogate pairs, which are no characters. */
const NOT_IN_IRI = /[\x00-\x20<>"{}|^`\\\uD800-\uDFFF]/;

const LAST_CODE_POINT = 0x10ffff;

/** Replaces the escapes of an IRI by their characters (SPARQL 1.1, 19.2). @throws where an IRI has no such character */
export function unescapeIri(iri: string): string {
  return iri.replace(ESCAPE, (written: string, short: string | undefined, long: string) => {
    const code = Number.parseInt(short ?? long, 16);
    const character = code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '\\';
    const isPair = character.length === 2;
    if (isPair || !NOT_IN_IRI.test(character)) return character;
    throw new Error(`an IRI has no such character: ${written}`);
  });
}
