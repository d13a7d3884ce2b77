import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { parseRdf } from './parse.ts';
import { toTermKey } from './term-key.ts';

async function read(text: string, contentType: string, baseIri?: string): Promise<string[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(text, { contentType, baseIri })) quads.push(quad);
  return quads.map(({ subject, predicate, object }) => [subject, predicate, object].map(toTermKey).join(' ')).sort();
}

const RDF_NAMESPACE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

function rdfXml(body: string, base = ''): string {
  return `<rdf:RDF xmlns:rdf="${RDF_NAMESPACE}" xmlns:e="http://e/"${base}>${body}</rdf:RDF>`;
}

const BASES = [
  'http://ex.org/a/../b',
  'http://ex.org/a/./b/',
  'http://ex.org/a/..',
  'http://ex.org',
  'http://EX.org:80/%7e/c?q=/../r#f',
];
const REFERENCES = ['', '#x', 'c', './c', '../c', '/c/../d', '//h/a/../b', '?q', 'http://ex.org/x/../y'];

describe('references in RDF/XML', () => {
  it.each(BASES)('are resolved against %s as those in Turtle are', async (base) => {
    for (const reference of REFERENCES) {
      const turtle = `@base <${base}> . <${reference}> <http://e/p> <${reference}> .`;
      const expected = await read(turtle, 'text/turtle');
      const node = `<rdf:Description rdf:about="${reference}"><e:p rdf:resource="${reference}"/></rdf:Description>`;
      expect(await read(rdfXml(node, ` xml:base="${base}"`), 'application/rdf+xml'), reference).toEqual(expected);
      expect(await read(rdfXml(node), 'application/rdf+xml', base), reference).toEqual(expected);
    }
  });

  it('keep the base as it is written, also in rdf:ID', async () => {
    const [triple] = await read(
      rdfXml('<rdf:Description rdf:ID="x" e:p="o"/>', ' xml:base="http://h/a/../b#f"'),
      'application/rdf+xml',
    );
    expect(triple).toContain('http://h/a/../b#x');
  });

  it('are resolved against the base of their own element, also of a property', async () => {
    const body = `<rdf:Description rdf:about="s" xml:base="one/"><e:p xml:base="two/" rdf:resource="o"/><e:q rdf:resource="o"/></rdf:Description>`;
    const written =
      '<http://h/d/one/s> <http://e/p> <http://h/d/one/two/o> . <http://h/d/one/s> <http://e/q> <http://h/d/one/o> .';
    expect(await read(rdfXml(body, ' xml:base="http://h/d/f"'), 'application/rdf+xml')).toEqual(
      await read(written, 'text/turtle'),
    );
  });

  it('are refused where they are relative and there is no base', async () => {
    for (const base of ['', ' xml:base="relative/"']) {
      const document = rdfXml('<rdf:Description rdf:about="s" e:p="o"/>', base);
      await expect(read(document, 'application/rdf+xml')).rejects.toMatchObject({
        code: 'ERR_RDF_SYNTAX',
        position: { line: 1 },
      });
    }
  });
});
