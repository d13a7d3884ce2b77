import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryResult, Solution } from '../../graph/port/graph-dataset.ts';
import { negotiate } from '../../rdf/negotiate.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { GRAPH_MEDIA_TYPES, SOLUTION_MEDIA_TYPES } from './media-types.ts';
import { parseJsonResult } from './read.ts';
import { parseCsvResult, parseTsvResult } from './testing/read.ts';
import { writeResult } from './write.ts';

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

function bindings(variables: string[], ...rows: (RDF.Term | undefined)[][]): QueryResult {
  const solutions = rows.map((row): Solution => {
    const entries = row.flatMap((term, i): [string, RDF.Term][] => (term === undefined ? [] : [[variables[i], term]]));
    return new Map(entries);
  });
  return { type: 'bindings', variables, solutions: each(solutions) };
}

async function write(result: QueryResult, mediaType: string): Promise<string> {
  let text = '';
  for await (const piece of writeResult(result, { mediaType })) text += piece;
  return text;
}

const terms = [
  namedNode('http://e/a?b&c'),
  stringLiteral('say "hi",\n\t<b>\r'),
  languageLiteral('x', 'en-GB'),
  typedLiteral('007', xsd.integer),
  typedLiteral('1e0', xsd.double),
  blankNode('b0'),
  quad(namedNode('u:s'), namedNode('u:p'), stringLiteral('o')),
];

describe('writeResult', () => {
  it('writes SPARQL JSON', async () => {
    const text = await write(bindings(['x', 'y'], [terms[0], terms[2]], [undefined, terms[6]]), 'application/json');
    expect(JSON.parse(text)).toEqual({
      head: { vars: ['x', 'y'] },
      results: {
        bindings: [
          {
            x: { type: 'uri', value: 'http://e/a?b&c' },
            y: { type: 'literal', value: 'x', 'xml:lang': 'en-GB' },
          },
          {
            y: {
              type: 'triple',
              value: {
                subject: { type: 'uri', value: 'u:s' },
                predicate: { type: 'uri', value: 'u:p' },
                object: { type: 'literal', value: 'o' },
              },
            },
          },
        ],
      },
    });
    expect(await write({ type: 'boolean', value: true }, 'application/sparql-results+json')).toBe(
      '{"head":{},"boolean":true}\n',
    );
  });

  it.each(['\u0000', '\u0001', '\ufffe', '\ud800'])('refuses SPARQL XML that cannot say a value: %j', async (text) => {
    const result = () => bindings(['x'], [stringLiteral(`a${text}`)]);
    const error = { code: 'ERR_RDF_XML', kind: 'unsupported' };
    await expect(write(result(), 'application/sparql-results+xml')).rejects.toMatchObject(error);
    expect(await write(result(), 'application/sparql-results+json')).toContain('"value":"a');
  });

  it('writes SPARQL XML that holds only what XML may hold', async () => {
    const result = bindings(['x'], [terms[1]], [terms[3]], [stringLiteral('&')], [undefined]);
    expect(await write(result, 'application/sparql-results+xml')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#">
<head><variable name="x"/></head>
<results>
<result><binding name="x"><literal>say "hi",\n\t&lt;b&gt;&#13;</literal></binding></result>
<result><binding name="x"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">007</literal></binding></result>
<result><binding name="x"><literal>&amp;</literal></binding></result>
<result></result>
</results>
</sparql>
`,
    );
    expect(await write({ type: 'boolean', value: false }, 'text/xml')).toContain('<boolean>false</boolean>');
  });

  it('writes CSV and TSV', async () => {
    const result = (): QueryResult =>
      bindings(['x', 'y'], [terms[0], terms[1]], [terms[3], undefined], [terms[5], terms[2]]);
    expect(await write(result(), 'text/csv')).toBe(
      'x,y\r\nhttp://e/a?b&c,"say ""hi"",\n\t<b>\r"\r\n007,\r\n_:b0,x\r\n',
    );
    expect(await write(result(), 'text/tab-separated-values')).toBe(
      '?x\t?y\n<http://e/a?b&c>\t"say \\"hi\\",\\n\\t<b>\\r"\n007\t\n_:b0\t"x"@en-GB\n',
    );
  });

  it('writes quads in each syntax for graphs', async () => {
    const one = quad(namedNode('http://e/s'), namedNode('http://e/p'), languageLiteral('x', 'en'));
    const expected: Record<string, string> = {
      'text/turtle': '@prefix e: <http://e/>.\n\ne:s e:p "x"@en.\n',
      'application/n-triples': '<http://e/s> <http://e/p> "x"@en .\n',
      'application/ld+json': '[\n{"@id":"http://e/s","http://e/p":[{"@value":"x","@language":"en"}]}\n]\n',
    };
    for (const [mediaType, text] of Object.entries(expected)) {
      let written = '';
      const prefixes = { e: 'http://e/' };
      const result: QueryResult = { type: 'quads', quads: each([one]) };
      for await (const piece of writeResult(result, { mediaType, prefixes })) written += piece;
      expect(written).toBe(text);
    }
  });

  it('makes the next piece only when it is asked for', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<Solution> {
      for (;;) yield new Map([['x', typedLiteral(String(made++), xsd.integer)]]);
    }
    const text = writeResult({ type: 'bindings', variables: ['x'], solutions: endless() }, { mediaType: 'text/csv' });
    const pieces = text[Symbol.asyncIterator]();
    await pieces.next();
    const afterOne = made;
    await pieces.next();
    expect(afterOne).toBeGreaterThan(100);
    expect(made).toBeLessThan(afterOne * 3);
    await pieces.return?.();
  });

  it.each([
    'application/sparql-results+json',
    'application/sparql-results+xml',
    'text/csv',
    'text/tab-separated-values',
  ])('never ends well when the evaluation fails: %s', async (mediaType) => {
    async function* failing(): AsyncGenerator<Solution> {
      for (let i = 0; i < 20_000; i++) yield new Map([['x', stringLiteral('x')]]);
      throw new Error('budget');
    }
    let text = '';
    const result: QueryResult = { type: 'bindings', variables: ['x'], solutions: failing() };
    const consume = async (): Promise<void> => {
      for await (const piece of writeResult(result, { mediaType })) text += piece;
    };
    await expect(consume()).rejects.toThrow('budget');
    expect(text).not.toBe('');
    expect(text).not.toMatch(/\]\}\}\s*$|<\/sparql>\s*$/);
  });

  it('refuses a media type that does not fit at once', () => {
    expect(() => writeResult({ type: 'boolean', value: true }, { mediaType: 'text/turtle' })).toThrow(
      expect.objectContaining({ code: 'ERR_RESULT_MEDIA_TYPE', kind: 'unsupported' }),
    );
    expect(() => writeResult({ type: 'quads', quads: each([]) }, { mediaType: 'text/csv' })).toThrow(
      expect.objectContaining({ code: 'ERR_RESULT_MEDIA_TYPE' }),
    );
  });
});

describe('reading results back', () => {
  const anyTerm = fc.oneof(
    fc.constantFrom(...terms),
    fc.string({ unit: 'grapheme' }).map(stringLiteral),
    fc.constantFrom('1', '1.0', '.5', '1.', '1e1', '+1', 'true', 'NaN').map((text) => typedLiteral(text, xsd.decimal)),
  );
  const rows = fc.array(fc.tuple(fc.option(anyTerm, { nil: undefined }), fc.option(anyTerm, { nil: undefined })));

  it.each([
    ['application/json', parseJsonResult],
    ['text/tab-separated-values', parseTsvResult],
  ] as const)('gives the same terms: %s', async (mediaType, parse) => {
    await fc.assert(
      fc.asyncProperty(rows, async (values) => {
        const parsed = parse(await write(bindings(['x', 'y'], ...values), mediaType));
        expect(parsed).toMatchObject({ type: 'bindings', variables: ['x', 'y'] });
        if (parsed.type !== 'bindings') return;
        expect(parsed.solutions.map((solution) => [solution.get('x'), solution.get('y')])).toEqual(values);
      }),
    );
  });

  it('gives the same text from CSV', async () => {
    const text = await write(bindings(['x', 'y'], [terms[1], undefined], [terms[0], terms[5]]), 'text/csv');
    expect(parseCsvResult(text)).toEqual({
      variables: ['x', 'y'],
      rows: [
        [terms[1]?.value, ''],
        ['http://e/a?b&c', '_:b0'],
      ],
    });
  });

  it('refuses a document that was cut short', async () => {
    const text = await write(bindings(['x'], [terms[0]]), 'application/json');
    for (const end of [1, 10, text.length - 2]) {
      expect(() => parseJsonResult(text.slice(0, end))).toThrow(expect.objectContaining({ code: 'ERR_RESULT_SYNTAX' }));
    }
  });
});

describe('negotiate', () => {
  it.each([
    [undefined, 'application/sparql-results+json'],
    ['*/*', 'application/sparql-results+json'],
    ['application/json', 'application/json'],
    ['text/csv;q=0.5, application/sparql-results+xml;q=0.6', 'application/sparql-results+xml'],
    ['text/*', 'text/xml'],
    ['application/sparql-results+json;q=0, */*;q=0.1', 'application/json'],
    ['application/sparql-results+json; charset=utf-8', 'application/sparql-results+json'],
    ['text/csv;charset="utf-8";header=present', 'text/csv'],
    ['text/csv;header="a;b,c\\"d";q=0.1, text/xml ; charset=utf-8 ; Q=0.2', 'text/xml'],
    ['application/json;odata=verbose;q=0', undefined],
    ['text/html;charset=utf-8', undefined],
    ['text/html', undefined],
  ])('answers Accept: %s with %s', (accept, expected) => {
    expect(negotiate(accept, SOLUTION_MEDIA_TYPES)).toBe(expected);
  });

  it('answers graphs in Turtle to clients that do not care', () => {
    expect(negotiate('*/*', GRAPH_MEDIA_TYPES)).toBe('text/turtle');
    expect(negotiate('application/rdf+xml, application/ld+json;q=0.5', GRAPH_MEDIA_TYPES)).toBe('application/rdf+xml');
  });

  it('answers JSON-LD whatever profile of it is asked for', () => {
    for (const form of ['compacted', 'expanded', 'flattened']) {
      const accept = `application/ld+json;profile="http://www.w3.org/ns/json-ld#${form}", text/turtle;q=0.1`;
      expect(negotiate(accept, GRAPH_MEDIA_TYPES)).toBe('application/ld+json');
    }
  });

  it('reads a header of any length in time that grows with its length alone', () => {
    for (const piece of [';', '; a', ';a="', ';a=" ', '; \t']) {
      expect(negotiate(`text/html${piece.repeat(20_000)}`, GRAPH_MEDIA_TYPES)).toBeUndefined();
    }
  });
});
