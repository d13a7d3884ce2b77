import { type CodedError, isCodedError, toSourcePosition } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import { parseRdf } from './parse.ts';

async function errorOf(text: string, size = text.length): Promise<CodedError> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  try {
    for await (const _ of parseRdf(pieces, { contentType: 'application/rdf+xml' }));
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
  throw new Error('it was read');
}

const HEAD = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
`;
const ODD = '<!-- \u{1f600} é -->\r\n ';

/** Faults, with the part of a document that is read when each is seen. */
const WRONG: readonly (readonly [what: string, before: string, after: string])[] = [
  ['a tag that closes another', `${HEAD}${ODD}<e:A></e:B>`, '</rdf:RDF>'],
  ['an entity that nobody declares', `${HEAD}${ODD}<e:A e:p="&no;`, '"/></rdf:RDF>'],
  ['an attribute twice', `${HEAD}${ODD}<e:A e:p="1" e:p="2"/>`, '</rdf:RDF>'],
  ['a name that is none', `${HEAD}${ODD}<e:A rdf:ID="1"/>`, '</rdf:RDF>'],
  ['an IRI that is none', `${HEAD}${ODD}<e:A rdf:about="http://a b/"/>`, '</rdf:RDF>'],
  ['an IRI without a base', `${HEAD}${ODD}<e:A rdf:about="a"/>`, '</rdf:RDF>'],
  ['two subjects', `${HEAD}${ODD}<e:A rdf:about="http://a/" rdf:nodeID="n"/>`, '</rdf:RDF>'],
  ['an entity from elsewhere', `<!DOCTYPE x [\n<!ENTITY a SYSTEM "b">]>`, `${HEAD}</rdf:RDF>`],
  ['an early end', `${HEAD}${ODD}<e:A>`, ''],
];

describe('an error of RDF/XML', () => {
  it.each(WRONG)('says where it is: %s', async (_, before, after) => {
    for (const size of [1, 7, 10_000]) {
      const { code, position, message } = await errorOf(before + after, size);
      expect([code, position]).toEqual(['ERR_RDF_SYNTAX', toSourcePosition(before, before.length)]);
      expect(message).toContain(`on line ${position?.line}`);
    }
  });
});
