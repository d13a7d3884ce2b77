import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { writePatchRow } from '../graph/patch/writer.ts';
import { parseRdf } from './parse.ts';
import { type SerializeRdfOptions, serializeRdf } from './serialize.ts';
import { defaultGraph, literalOfType, namedNode, quad } from './terms.ts';

const HOSTILE = [
  'x:a> <y:p> <z:o> . <q:r',
  'x:a> <y:p> <z:o> .\n<q:r',
  'x:a>',
  'x:<a',
  'x:has space',
  'x:a"b{}|^`\\',
  'x:\\u003E',
  'x:\t\u0001\r\n',
  '"/><x/>',
  "x:' a='b",
];

/** A quad with a hostile IRI in one place, or hostile prefixes for one without. */
const PLACES: Readonly<Record<string, (iri: string) => { quad: RDF.Quad; prefixes?: Record<string, string> }>> = {
  subject: (iri) => ({ quad: quad(namedNode(iri), P, O) }),
  predicate: (iri) => ({ quad: quad(S, namedNode(iri), O) }),
  object: (iri) => ({ quad: quad(S, P, namedNode(iri)) }),
  datatype: (iri) => ({ quad: quad(S, P, literalOfType('v', namedNode(iri))) }),
  graph: (iri) => ({ quad: quad(S, P, O, namedNode(iri)) }),
  'subject, of a prefix': (iri) => ({ quad: quad(namedNode(`http://e/${iri}`), P, O), prefixes: { e: 'http://e/' } }),
  prefix: (iri) => ({ quad: quad(S, P, O), prefixes: { [iri]: 'http://e/' } }),
  'IRI of a prefix': (iri) => ({ quad: quad(S, P, O), prefixes: { e: iri } }),
  'used IRI of a prefix': (iri) => ({ quad: quad(S, P, namedNode(`${iri}b`)), prefixes: { e: iri } }),
};
const [S, P, O] = ['s', 'p', 'o'].map((name) => namedNode(`http://e/${name}`));

const SYNTAXES = [
  'text/turtle',
  'application/trig',
  'application/n-triples',
  'application/n-quads',
  'application/ld+json',
  'application/rdf+xml',
];

async function written(one: RDF.Quad, options: SerializeRdfOptions): Promise<string> {
  let text = '';
  for await (const piece of serializeRdf([one], options)) text += piece;
  return text;
}

/** Of the quads of a text, those that differ from one; none of a text that is refused. */
async function othersIn(text: string, one: RDF.Quad, contentType: string): Promise<RDF.Quad[]> {
  const others: RDF.Quad[] = [];
  try {
    for await (const found of parseRdf(text, { contentType })) if (!found.equals(one)) others.push(found);
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ERR_RDF_SYNTAX');
  }
  return others;
}

describe.each(SYNTAXES)('a writer of %s', (contentType) => {
  it.each(Object.keys(PLACES))('makes no other statement of what an IRI may not hold: %s', async (place) => {
    for (const iri of HOSTILE) {
      const { quad: one, prefixes } = PLACES[place](iri);
      if (!one.graph.equals(defaultGraph()) && !/trig|quads|json/.test(contentType)) continue;
      const text = await written(one, { contentType, ...(prefixes && { prefixes }) }).catch((error) => {
        expect(['invalid', 'unsupported'], iri).toContain(error.kind);
        return undefined;
      });
      if (text !== undefined) expect(await othersIn(text, one, contentType), text).toEqual([]);
    }
  });

  it('writes what harmless prefixes shorten, beside prefixes that it cannot write', async () => {
    const one = quad(S, P, O);
    const prefixes = { 'a b': 'http://b/', c: 'http://c/> <x', e: 'http://e/' };
    const text = await written(one, { contentType, prefixes });
    expect(await othersIn(text, one, contentType)).toEqual([]);
    let count = 0;
    for await (const _ of parseRdf(text, { contentType })) count++;
    expect(count, text).toBe(1);
  });
});

it('a header of a patch is no other row, whatever its name', () => {
  const value = namedNode('http://e/v');
  expect(writePatchRow({ type: 'header', name: 'id', value })).toBe('H id <http://e/v> .');
  for (const name of ['', 'a b', 'id <x:a> .\nA <x:s> <x:p>', '<x:a>', '"']) {
    expect(() => writePatchRow({ type: 'header', name, value }), name).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
  }
});
