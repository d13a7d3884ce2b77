import { describe, expect, it } from 'vitest';
import { type ParseRdfOptions, parseRdf } from '../parse.ts';
import { writeQuad } from '../term-writer.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

async function read(document: unknown, options: Partial<ParseRdfOptions> = {}): Promise<string[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const lines: string[] = [];
  for await (const one of parseRdf(text, { contentType: 'application/ld+json', ...options }))
    lines.push(writeQuad(one));
  return lines;
}

const object = async (value: unknown): Promise<string[]> =>
  (await read({ '@id': 'u:s', 'u:p': value })).map((line) => line.slice('<u:s> <u:p> '.length, -2));

describe('a value of JSON-LD', () => {
  it('may be native and have a type', async () => {
    expect(await object({ '@value': 5, '@type': `${XSD}integer` })).toEqual([`"5"^^<${XSD}integer>`]);
    expect(await object({ '@value': 5, '@type': `${XSD}double` })).toEqual([`"5.0E0"^^<${XSD}double>`]);
    expect(await object({ '@value': true, '@type': 'u:own' })).toEqual(['"true"^^<u:own>']);
    expect(await object([1e21, -0, 0.1])).toEqual([
      `"1.0E21"^^<${XSD}double>`,
      `"0"^^<${XSD}integer>`,
      `"1.0E-1"^^<${XSD}double>`,
    ]);
  });

  it('is a string where it has a direction and no language', async () => {
    expect(await object({ '@value': 'x', '@direction': 'rtl' })).toEqual(['"x"']);
  });

  it('may not be half of a character', async () => {
    await expect(object('\ud801')).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    expect(await read('{"@id":"u:s","u:p":"\\ud83d\\ude00"}')).toEqual(['<u:s> <u:p> "😀" .']);
  });
});

describe('a relative IRI of JSON-LD', () => {
  it.each([
    { '@id': 'x', 'u:p': 1 },
    { '@id': 'u:s', '@type': 'T' },
    { '@id': 'u:s', 'u:p': { '@id': 'x' } },
  ])('is refused without a base: %j', async (document) => {
    await expect(read(document)).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX', kind: 'invalid' });
    expect(await read({ '@context': { '@base': null }, '@graph': document })).toEqual([]);
    expect(await read(document, { baseIri: 'http://b/' })).toHaveLength(1);
  });
});

describe('a mistake in JSON-LD', () => {
  it.each([
    ['[{},\n {"a" 1}]', { line: 2, column: 7, offset: 11 }],
    ['[1 2]', { line: 1, column: 4, offset: 3 }],
    ['{"a":"x\ny"}', { line: 1, column: 8, offset: 7 }],
    ['[01]', { line: 1, column: 2, offset: 1 }],
    ['[tru]', { line: 1, column: 2, offset: 1 }],
    ['[{}\n,', { line: 2, column: 2, offset: 5 }],
    ['[{},\n  {"@id":1}]', { line: 2, column: 3, offset: 7 }],
    ['{"@context":{},"@graph":[{},\n {"@id":1}]}', { line: 2, column: 2, offset: 30 }],
  ])('has its place: %j', async (text, position) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX', position });
  });

  it.each([{ a: 'b:x', b: 'a:x' }, { '@version': 1 }, { p: { '@id': 'u:p', '@foo': 1 } }])(
    'is refused in a context: %j',
    async (context) => {
      await expect(read({ '@context': context, a: 1 })).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    },
  );
});

describe('JSON-LD', () => {
  it('says nothing by a name that is no IRI behind its vocabulary', async () => {
    const context = { '@vocab': 'http://e/v#' };
    expect(await read({ '@context': context, '@id': 'u:s', '#a': 1, b: 1 })).toEqual([
      '<u:s> <http://e/v#b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    ]);
  });

  it.each(['http://e/a b', '_:type'])('refuses a value of the type %j', async (type) => {
    const value = { '@value': 'x', '@type': type };
    await expect(read({ '@id': 'u:s', 'u:p': value })).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });

  it('refuses a context that is not well made and that nobody uses', async () => {
    const context = { t1: { '@id': 'u:t1', '@context': { t2: { '@context': {} } } } };
    await expect(read({ '@context': context, '@id': 'u:s' })).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });
});

describe('a map of JSON-LD', () => {
  it('may be indexed by a property', async () => {
    const m = { '@id': 'u:m', '@container': '@index', '@index': 'u:key' };
    expect(await read({ '@context': { m }, '@id': 'u:s', m: { a: { '@id': 'u:o' } } })).toEqual([
      '<u:o> <u:key> "a" .',
      '<u:s> <u:m> <u:o> .',
    ]);
  });
});

describe('a context that was handed in', () => {
  const contexts = { 'http://e/context': { '@context': { p: 'u:p', q: { '@id': 'u:q', '@type': '@id' } } } };

  it('is found by a relative reference, imported, and kept for the next node', async () => {
    const node = { '@context': 'context', '@id': 'u:s', p: 'x' };
    expect(await read([node, node], { contexts, baseIri: 'http://e/' })).toHaveLength(2);
    const importing = { '@context': { '@import': 'http://e/context', p: 'u:other' }, '@id': 'u:s', p: 'x', q: 'u:o' };
    expect(await read(importing, { contexts })).toEqual(['<u:s> <u:other> "x" .', '<u:s> <u:q> <u:o> .']);
  });

  it('is not there by a name that every object inherits', async () => {
    await expect(read({ '@context': 'toString' }, { contexts })).rejects.toMatchObject({
      code: 'ERR_RDF_REMOTE_CONTEXT',
    });
    expect(await read({ '@id': 'u:s', constructor: 1, __proto__: 2 })).toEqual([]);
  });
});
