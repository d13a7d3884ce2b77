import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { parseRdf } from './parse.ts';
import { serializeRdf } from './serialize.ts';
import { blankNode, defaultGraph, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from './terms.ts';
import { RDF_NS, xsd } from './vocabulary.ts';

async function roundTrip(quads: readonly RDF.Quad[], contentType: string): Promise<RDF.Quad[]> {
  const prefixes = { e: 'http://e/', '': 'http://e/x#' };
  const pieces: string[] = [];
  for await (const piece of serializeRdf(quads, { contentType, prefixes })) pieces.push(piece);
  const result: RDF.Quad[] = [];
  for await (const one of parseRdf(pieces, { contentType })) result.push(one);
  return result;
}

const iri = fc
  .constantFrom('http://e/a', 'http://e/x#', 'http://e/x#a.b', 'http://e/ü', 'urn:x:y', `${RDF_NS}type`)
  .map(namedNode);
const node = fc.oneof(iri, fc.constantFrom('a', 'b.c', 'x61', 'a b', '').map(blankNode));
const literal = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }).map(stringLiteral),
  fc.constantFrom('', 'a"b\\c\n\r\t\u0001').map((text) => languageLiteral(text, 'en-GB')),
  fc.constantFrom('1', '01', '1.0', 'true', 'x').map((text) => typedLiteral(text, xsd.integer)),
  fc.constant(typedLiteral('x', 'urn:type')),
);
const triple = fc.tuple(node, iri, fc.oneof(node, literal));
const triples = fc.array(
  triple.map((terms) => quad(...terms)),
  { maxLength: 8 },
);
const quads = fc.array(
  fc.tuple(triple, fc.oneof(node, fc.constant(defaultGraph()))).map(([terms, graph]) => quad(...terms, graph)),
  { maxLength: 8 },
);

/** rdf-isomorphic wants each quad once. */
function distinct(list: readonly RDF.Quad[]): RDF.Quad[] {
  return list.filter((one, index) => list.findIndex((other) => other.equals(one)) === index);
}

describe('serializeRdf', () => {
  it.each(['text/turtle', 'application/n-triples'])(
    'writes triples that read back the same: %s',
    async (contentType) => {
      await fc.assert(
        fc.asyncProperty(triples, async (given) => {
          expect(isomorphic(distinct(await roundTrip(given, contentType)), distinct(given))).toBe(true);
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(['application/trig', 'application/n-quads', 'application/ld+json'])(
    'writes quads that read back the same: %s',
    async (contentType) => {
      await fc.assert(
        fc.asyncProperty(quads, async (given) => {
          expect(isomorphic(distinct(await roundTrip(given, contentType)), distinct(given))).toBe(true);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('refuses named graphs in a syntax that has none', async () => {
    const given = [quad(namedNode('u:a'), namedNode('u:b'), namedNode('u:c'), namedNode('u:g'))];
    for (const contentType of ['text/turtle', 'application/n-triples']) {
      await expect(roundTrip(given, contentType)).rejects.toMatchObject({ code: 'ERR_RDF_NO_GRAPHS', kind: 'invalid' });
    }
  });

  it('refuses media types that it does not write', () => {
    expect(() => serializeRdf([], { contentType: 'text/html' })).toThrow(
      expect.objectContaining({ code: 'ERR_RDF_MEDIA_TYPE' }),
    );
  });

  it('writes nothing as a valid document', async () => {
    for (const contentType of ['text/turtle', 'application/ld+json', 'application/n-quads', 'application/rdf+xml']) {
      expect(await roundTrip([], contentType)).toEqual([]);
    }
  });
});

describe('JSON-LD', () => {
  it('refuses triple terms, which it cannot say', async () => {
    const [s, p, o] = ['s', 'p', 'o'].map((name) => namedNode(`http://e/${name}`));
    for (const one of [
      quad(s, p, quad(s, p, o)),
      quad(quad(s, p, o), p, o),
      quad(s, namedNode(`${RDF_NS}type`), quad(s, p, o)),
    ]) {
      await expect(roundTrip([one], 'application/ld+json')).rejects.toMatchObject({ code: 'ERR_JSON_LD_TRIPLE_TERM' });
    }
  });
});
