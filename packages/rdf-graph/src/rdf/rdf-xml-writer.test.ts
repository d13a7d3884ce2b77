import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { parseRdf } from './parse.ts';
import { serializeRdf } from './serialize.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from './terms.ts';

const TYPE = 'application/rdf+xml';
const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

async function write(quads: readonly RDF.Quad[], prefixes: Readonly<Record<string, string>> = {}): Promise<string> {
  let text = '';
  for await (const piece of serializeRdf(quads, { contentType: TYPE, prefixes })) text += piece;
  return text;
}

async function read(text: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const one of parseRdf(text, { contentType: TYPE })) quads.push(one);
  return quads;
}

const iri = fc.constantFrom('http://e/a', 'http://e/b?x=1&y="2"', 'urn:a:b', "http://e/o'é", 'http://e/');
const node = fc.oneof(
  iri.map((value) => namedNode(value.replace(/"/g, ''))),
  fc.constantFrom('b', '0', 'a_b', 'a.b', '_', 'é', 'a-b').map(blankNode),
);
const predicate = fc
  .constantFrom('http://e/p', 'http://e/q#r', 'urn:p', 'http://e/é', `${RDF_NS}type`, `${RDF_NS}_1`, 'http://e/1a.b')
  .map(namedNode);
const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(value));
const literal = fc.oneof(
  text.map(stringLiteral),
  // In lower case: the parser that reads it back writes tags so, and they are compared as texts here.
  text.map((value) => languageLiteral(value, 'en-gb')),
  fc.tuple(text, iri).map(([value, datatype]) => typedLiteral(value, datatype.replace(/"/g, ''))),
  fc.constantFrom(' a\n b\t', '\r\n', ']]>', '<b>&amp;</b>', '').map(stringLiteral),
);
const triple = fc.tuple(node, predicate, fc.oneof(node, literal)).map(([s, p, o]) => quad(s, p, o));

describe('RDF/XML that is written', () => {
  it('is read as the same triples', async () => {
    const prefixes = fc.constantFrom<Record<string, string>>(
      {},
      { e: 'http://e/' },
      { ns: 'http://e/', xml2: 'urn:', '': 'http://e/', '1': 'urn:' },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(triple, { maxLength: 12 }), prefixes, async (quads, given) => {
        const back = await read(await write(quads, given));
        expect(isomorphic(back, quads)).toBe(true);
        expect(back).toHaveLength(quads.length);
      }),
      { numRuns: 300 },
    );
  });

  it('names namespaces by the prefixes that are known', async () => {
    const quads = [quad(namedNode('u:s'), namedNode('http://e/p'), stringLiteral('x'))];
    expect(await write(quads, { e: 'http://e/' })).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF\n  xmlns:rdf="${RDF_NS}"\n  xmlns:e="http://e/">\n` +
        '  <rdf:Description rdf:about="u:s">\n    <e:p>x</e:p>\n  </rdf:Description>\n</rdf:RDF>\n',
    );
    expect(await write(quads)).toContain('<ns:p xmlns:ns="http://e/">x</ns:p>');
    expect(await read(await write([]))).toEqual([]);
  });

  it('is refused for what the syntax cannot say', async () => {
    const s = namedNode('u:s');
    const p = namedNode('u:p');
    const impossible = [
      quad(s, namedNode('http://e/'), s),
      quad(s, namedNode('http://e/123'), s),
      quad(s, namedNode('http://e/a(b)'), s),
      quad(s, namedNode(`${RDF_NS}li`), s),
      quad(s, namedNode(`${RDF_NS}Description`), s),
      quad(s, p, stringLiteral('\u0000')),
      quad(s, p, stringLiteral('\ud800')),
      quad(s, p, quad(s, p, s)),
    ];
    for (const one of impossible) {
      await expect(write([one]), one.predicate.value).rejects.toMatchObject({
        code: 'ERR_RDF_XML',
        kind: 'unsupported',
      });
    }
    const graph = quad(s, p, s, namedNode('u:g'));
    await expect(write([graph])).rejects.toMatchObject({ code: 'ERR_RDF_NO_GRAPHS' });
  });
});
