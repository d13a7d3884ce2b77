import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { dataFactory as df } from './data-factory.ts';
import { RDF_FORMATS } from './media-types.ts';
import { parseRdf } from './parse.ts';
import { serializeRdf } from './serialize.ts';
import { toTermKey } from './term-key.ts';

const ODD_IRIS = [
  'http://ex.org/a/../b',
  'http://ex.org/./c',
  'http://ex.org/..',
  'http://ex.org',
  'http://EX.org:80/%7e',
  'HTTP://ex.org//a//',
  'http://ex.org/?a/../b#c/./d',
  'urn:a/../b',
  'http://ex.org/é/𐍈',
  'file:///a/../b',
  'tag:x,2020:../y',
];

/** The triples of quads as texts that compare. */
function keysOf(quads: readonly RDF.Quad[]): string[] {
  return quads.map(({ subject, predicate, object }) => [subject, predicate, object].map(toTermKey).join(' ')).sort();
}

describe.each(RDF_FORMATS.map(({ mediaTypes }) => mediaTypes[0]))('%s', (contentType) => {
  it.each(ODD_IRIS)('gives %s back as it is written, also as a datatype and with a base', async (iri) => {
    const predicate = df.namedNode('http://ex.org/x/../y/p');
    const node = df.namedNode(iri);
    const quads = [df.quad(node, predicate, node), df.quad(node, predicate, df.literal('v', node))];
    let text = '';
    for await (const piece of serializeRdf(quads, { contentType })) text += piece;
    const read: RDF.Quad[] = [];
    for await (const quad of parseRdf(text, { contentType, baseIri: 'http://base.org/d/' })) read.push(quad);
    expect(keysOf(read)).toEqual(keysOf(quads));
  });
});
