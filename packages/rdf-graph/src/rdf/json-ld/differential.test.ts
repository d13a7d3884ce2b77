import type * as RDF from '@rdfjs/types';
import { JsonLdParser } from 'jsonld-streaming-parser';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { createDataFactory } from '../data-factory.ts';
import { parseRdf } from '../parse.ts';
import { writeQuad } from '../term-writer.ts';

const BASE = 'http://b/dir/doc';

async function read(document: unknown): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const options = { contentType: 'application/ld+json', baseIri: BASE };
  for await (const one of parseRdf(JSON.stringify(document), options)) quads.push(one);
  return quads;
}

function readByLibrary(document: unknown): Promise<RDF.Quad[]> {
  return new Promise((resolve, reject) => {
    const quads: RDF.Quad[] = [];
    const dataFactory = createDataFactory() as RDF.DataFactory<RDF.BaseQuad>;
    const parser = new JsonLdParser({ baseIRI: BASE, dataFactory });
    parser.on('data', (one: RDF.Quad) => quads.push(one));
    parser.on('error', reject);
    parser.on('end', () => resolve(quads));
    parser.end(JSON.stringify(document));
  });
}

const E = 'http://e/';

/** A document for each part of the language. */
const DOCUMENTS: Readonly<Record<string, unknown>> = {
  'a node with values of each kind': {
    '@id': 'x',
    '@type': [`${E}T`, 'U'],
    [`${E}p`]: ['a', 1, 1.5, -0.25, 1e30, true, null, { '@value': 'v', '@language': 'de-AT' }, { '@id': '../up' }],
  },
  'typed values': {
    '@context': { xsd: 'http://www.w3.org/2001/XMLSchema#', d: { '@id': `${E}d`, '@type': 'xsd:date' }, e: `${E}` },
    d: ['2020-01-01', { '@value': 'x', '@type': 'e:own' }],
    'e:double': { '@value': '5', '@type': 'xsd:double' },
  },
  'coercion to IRIs': {
    '@context': { '@vocab': E, id: { '@type': '@id' }, voc: { '@type': '@vocab' }, none: { '@type': '@none' } },
    id: ['rel', 'http://x/', '_:b'],
    voc: ['term', 'http://x/', 'id'],
    none: 'text',
  },
  aliases: {
    '@context': {
      id: '@id',
      type: '@type',
      value: '@value',
      lang: '@language',
      p: `${E}p`,
      list: '@list',
      set: '@set',
    },
    id: `${E}s`,
    type: `${E}T`,
    p: [{ value: 'v', lang: 'en' }, { list: [1, { value: 2 }] }, { set: ['a', { id: `${E}o` }] }],
  },
  'default languages': {
    '@context': {
      '@language': 'en',
      p: `${E}p`,
      q: { '@id': `${E}q`, '@language': null },
      r: { '@id': `${E}r`, '@language': 'fr' },
    },
    p: 'a',
    q: 'b',
    r: ['c', { '@value': 'd' }, 3],
  },
  lists: {
    '@context': {
      l: { '@id': `${E}l`, '@container': '@list' },
      ids: { '@id': `${E}ids`, '@type': '@id', '@container': '@list' },
    },
    '@id': `${E}s`,
    l: ['a', { '@id': `${E}o`, l: [] }, [1, [2]], null],
    ids: 'rel',
    [`${E}e`]: { '@list': [] },
  },
  'language maps': {
    '@context': { l: { '@id': `${E}l`, '@container': '@language' } },
    l: { en: ['a', 'b'], de: 'c', '@none': 'd' },
  },
  'maps by index, id and type': {
    '@context': {
      '@vocab': E,
      byIndex: { '@container': '@index' },
      byId: { '@container': '@id' },
      byType: { '@container': '@type' },
    },
    byIndex: { a: [1, 'x'], b: { '@id': `${E}o`, p: 1 }, '@none': 2 },
    byId: { 'http://x/1': { p: 1 }, rel: [{ p: 2 }], '@none': { p: 3 } },
    byType: { T: { '@id': `${E}t`, p: 1 }, '@none': { p: 2 } },
  },
  'a named graph': {
    '@id': `${E}g`,
    '@graph': [{ '@id': `${E}s`, [`${E}p`]: { '@graph': [{ [`${E}q`]: 1 }] } }],
    [`${E}r`]: 1,
  },
  'a graph whose name comes last': {
    '@context': { p: `${E}p` },
    '@graph': [{ p: 1 }, { p: { p: 2 } }],
    '@id': `${E}g`,
  },
  'a graph of a node without name': { '@context': { p: `${E}p` }, '@graph': [{ p: 1 }], p: 2 },
  'a graph that is the document': {
    '@context': { p: `${E}p` },
    '@graph': [{ p: 1 }, [{ p: 2 }], { '@id': `${E}only` }],
  },
  'containers of graphs': {
    '@context': {
      '@vocab': E,
      g: { '@container': '@graph' },
      byId: { '@container': ['@graph', '@id'] },
      byIndex: { '@container': ['@graph', '@index', '@set'] },
    },
    '@id': `${E}s`,
    g: { p: 1 },
    byId: { 'http://x/g': { p: 2 } },
    byIndex: { a: [{ p: 3 }, { p: 4 }] },
  },
  'reverse properties': {
    '@context': { '@vocab': E, of: { '@reverse': 'has' }, back: { '@reverse': 'p', '@type': '@id' } },
    '@id': `${E}s`,
    of: [{ '@id': `${E}a`, p: 1 }, { p: 2 }],
    back: 'rel',
    '@reverse': { knows: { '@id': `${E}k`, q: 1 }, of: { '@id': `${E}z` } },
  },
  'nested properties': {
    '@context': { '@vocab': E, box: '@nest', inner: { '@nest': 'box' } },
    '@id': `${E}s`,
    box: [{ p: 1, inner: 2 }, { p: 3 }],
    '@nest': { q: 4 },
  },
  'included nodes': { '@id': `${E}s`, '@included': [{ '@id': `${E}i`, [`${E}p`]: 1 }], [`${E}p`]: 2 },
  'JSON literals': {
    '@context': { j: { '@id': `${E}j`, '@type': '@json' } },
    j: { b: [1, 'é', null, { z: 1, a: 1.5 }], a: true },
    [`${E}k`]: { '@value': [2, 1], '@type': '@json' },
  },
  'contexts of properties': {
    '@context': { '@vocab': E, p: { '@context': { '@vocab': 'http://other/', q: 'http://q/' } } },
    p: { q: 1, r: { q: 2 } },
    q: 3,
  },
  'contexts of types': {
    '@context': { '@vocab': E, T: { '@context': { q: 'http://q/' } }, U: { '@context': { q: 'http://u/' } } },
    '@id': `${E}s`,
    '@type': ['T', 'U'],
    q: { q: 1, '@id': `${E}o` },
  },
  'contexts of types in a graph': {
    '@context': { '@vocab': E, T: { '@context': { '@propagate': true, q: 'http://q/' } } },
    '@graph': [{ '@type': 'T', q: { q: 1 } }, { q: 2 }],
  },
  'a context in a node': {
    '@context': { '@vocab': E, a: 'http://a/' },
    p: { '@context': { a: null, b: 'http://b/b' }, a: 1, b: 2, c: 3 },
  },
  'a context that ends all others': {
    '@context': { '@vocab': E, p: 'http://p/' },
    p: { '@context': null, p: 1, 'http://q/': 2 },
  },
  'several contexts': { '@context': [{ e: E }, { p: 'e:p' }, null, { '@vocab': 'http://v/' }], p: 1, 'e:q': 2 },
  bases: {
    '@context': [{ '@base': 'http://other/dir/' }, { '@base': 'sub/', '@vocab': '#' }],
    '@id': 'x',
    p: [{ '@id': '../y' }, { '@id': '?q' }, { '@id': '' }, { '@id': '//host/z' }],
  },
  'no base': { '@context': { '@base': null, '@vocab': E }, '@id': 'gone', p: { '@id': 'gone', q: 1 } },
  prefixes: {
    '@context': { e: E, f: 'e:f/', g: { '@id': 'http://g/', '@prefix': true }, h: { '@id': 'http://h/' }, t: 'f:t' },
    t: 1,
    'f:u': 2,
    'g:v': 3,
    'h:w': 4,
    'x:y': 5,
  },
  'names that look like keywords': {
    '@context': { '@vocab': E, '@foo': 'http://foo/' },
    '@foo': 1,
    '@bar': 2,
    '@1': 3,
  },
  'blank nodes by label': { '@id': '_:a', [`${E}p`]: [{ '@id': '_:b' }, { '@id': '_:a' }], '_:c': 1 },
  'terms that say nothing': {
    '@context': { n: null, m: { '@id': null } },
    n: { [`${E}p`]: 1 },
    m: 2,
    k: 3,
    [`${E}q`]: 4,
  },
  'IRIs and languages that are none': {
    '@id': `${E}s`,
    [`${E}p`]: [{ '@id': 'http://a b/' }, { '@value': 'x', '@language': 'a b' }, 'kept'],
  },
  'sets in sets': { '@id': `${E}s`, [`${E}p`]: [[1, [2]], { '@set': [3, { '@set': [4] }] }, { '@set': [] }] },
  'free-floating values': ['x', 1, { '@value': 'v' }, { '@list': [1] }, { '@id': `${E}s` }, { [`${E}p`]: 1 }],
  'a direction beside a language': { [`${E}p`]: { '@value': 'x', '@language': 'ar', '@direction': 'rtl' } },
  'protected terms': {
    '@context': [{ '@version': 1.1, '@protected': true, p: `${E}p` }, { p: { '@id': `${E}p`, '@protected': true } }],
    p: 1,
  },
};

/** Documents that are refused. */
const REFUSED: Readonly<Record<string, unknown>> = {
  'a context that is a number': { '@context': 1 },
  'a keyword defined anew': { '@context': { '@id': 'http://x/' } },
  'an unknown container': { '@context': { p: { '@id': `${E}p`, '@container': '@foo' } } },
  'an @id that is no text': { '@id': 1, [`${E}p`]: 1 },
  'a type that is no text': { '@type': 1 },
  'a value that is an object': { [`${E}p`]: { '@value': {} } },
  'a value with language and type': { [`${E}p`]: { '@value': 'x', '@language': 'en', '@type': `${E}T` } },
  'a number with a language': { [`${E}p`]: { '@value': 1, '@language': 'en' } },
  'a reverse value': { '@id': `${E}s`, '@reverse': { [`${E}p`]: 'text' } },
  'a list with other entries': { [`${E}p`]: { '@list': [], [`${E}q`]: 1 } },
  'a language map of numbers': { '@context': { l: { '@id': `${E}l`, '@container': '@language' } }, l: { en: 1 } },
  'a protected term that changes': { '@context': [{ '@protected': true, p: `${E}p` }, { p: `${E}q` }] },
  'a nested value': { '@id': `${E}s`, '@nest': 'text' },
  'an included text': { '@included': 'text' },
};

describe('JSON-LD beside jsonld-streaming-parser', () => {
  it.each(Object.entries(DOCUMENTS))('says the same: %s', async (_name, document) => {
    const [ours, theirs] = [await read(document), await readByLibrary(document)];
    expect(isomorphic(ours, theirs), [...ours.map(writeQuad), 'instead of', ...theirs.map(writeQuad)].join('\n')).toBe(
      true,
    );
  });

  it.each(Object.entries(REFUSED))('is refused by both: %s', async (_name, document) => {
    await expect(read(document)).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX', kind: 'invalid' });
    await expect(readByLibrary(document)).rejects.toThrow();
  });
});
