import { isCodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { type ParseRdfOptions, parseRdf } from './parse.ts';
import { toTermKey } from './term-key.ts';
import type { TextSource } from './text-source.ts';

type Options = Partial<ParseRdfOptions>;

async function parse(source: TextSource, contentType: string, options: Options = {}): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(source, { contentType, ...options })) quads.push(quad);
  return quads;
}

/** Terms without brackets and types, for short expectations: `a p "x"@en .`. */
function write(quads: readonly RDF.Quad[]): string[] {
  return quads.map((quad) => [quad.subject, quad.predicate, quad.object, quad.graph].map(writeTerm).join(' ').trim());
}

function writeTerm(term: RDF.Term): string {
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  if (term.termType === 'Quad') return `(${write([term as RDF.Quad])[0]})`;
  if (term.termType !== 'Literal') return term.value;
  const suffix = term.language === '' ? `^${term.datatype.value.replace(/.*#/, '')}` : `@${term.language}`;
  return `"${term.value}"${suffix}`;
}

async function failure(source: TextSource, contentType: string, options: Options = {}): Promise<unknown> {
  return parse(source, contentType, options).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const NQUADS = 'application/n-quads';
const TURTLE = 'text/turtle';
const JSON_LD = 'application/ld+json';
const RDF_XML = 'application/rdf+xml';

describe('N-Quads and N-Triples', () => {
  it('reads every kind of term, comments, blank lines and all line endings', async () => {
    const text = [
      '# comment',
      '<u:s> <u:p> <u:o> <u:g> . # more',
      '',
      '\t_:a.b <u:p> "x\\ty\\u0041\\U0001F600\\\\"  .\r',
      '<u:s> <u:p> "007"^^<http://www.w3.org/2001/XMLSchema#integer> _:g.\r<u:s><u:p>"a"@en-GB.',
      '<u:s> <u:p> <<( <u:a> <u:b> "c\\"" )>> .',
    ].join('\n');
    expect(write(await parse(text, NQUADS))).toEqual([
      'u:s u:p u:o u:g',
      '_:a.b u:p "x\ty\u0041\u{1F600}\\"^string',
      'u:s u:p "007"^integer _:g',
      'u:s u:p "a"@en-GB',
      'u:s u:p (u:a u:b "c""^string)',
    ]);
  });

  const malformed: [text: string, line: number, column: number, expected: string][] = [
    ['<u:s> <u:p> <u:o>', 1, 18, '.'],
    ['<u:s> <u:p> .', 1, 13, 'IRI'],
    ['<u:a> <u:b> <u:c> .\n<u:s> "p" <u:o> .', 2, 7, 'IRI'],
    ['<u:s> <u:p> "open .', 1, 13, '"'],
    ['<s> <u:p> <u:o> .', 1, 1, 'absolute IRI'],
    ['<u:s> <u:p> "x"@ .', 1, 16, 'language tag'],
    ['<u:s> <u:p> "\\q" .', 1, 13, '\\uXXXX'],
    ['<u:s> <u:p> <u:o> . <u:s> <u:p> <u:o> .', 1, 21, 'end of line'],
    ['<u:s> <u:p>\n <u:o> .', 1, 12, 'IRI'],
    ['"s" <u:p> <u:o> .', 1, 4, 'IRI'],
  ];

  it.each(malformed)('refuses %j with its place and what was expected', async (text, line, column, expected) => {
    const error = await failure(text, NQUADS);
    expect(error).toMatchObject({ code: 'ERR_RDF_SYNTAX', kind: 'invalid', position: { line, column } });
    expect((error as { expected: string[] }).expected).toContain(expected);
  });

  it('refuses a graph in N-Triples', async () => {
    expect(await failure('<u:s> <u:p> <u:o> <u:g> .', 'application/n-triples')).toMatchObject({
      code: 'ERR_RDF_SYNTAX',
    });
  });

  it('knows the place in a text that comes in pieces', async () => {
    const lines = Array.from({ length: 9000 }, (_, i) => `<u:s> <u:p> "${i}" .\n`);
    const text = `${lines.join('')}oops`;
    expect(await failure(text, NQUADS)).toMatchObject({
      position: { line: 9001, column: 1, offset: text.length - 4 },
    });
  });

  it('reads what n3 reads, however the bytes are cut', async () => {
    const iri = fc.constantFrom('<u:a>', '<http://é/ü#x>', '<u:%20\\u00e9>');
    const string = fc
      .string({ unit: 'grapheme', maxLength: 6 })
      .map((text) =>
        text.replace(/["\\\n\r]/g, (character) =>
          character === '\n' ? '\\n' : character === '\r' ? '\\r' : `\\${character}`,
        ),
      );
    const literal = fc
      .tuple(string, fc.constantFrom('', '@en', '@de-AT', '^^<u:type>'))
      .map(([text, suffix]) => `"${text}"${suffix}`);
    const node = fc.oneof(iri, fc.constantFrom('_:x', '_:1.y', '_:ż'));
    const line = fc
      .tuple(node, iri, fc.oneof(node, literal), fc.oneof(node, fc.constant('')))
      .map((terms) => `${terms.join(' ')} .`);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), async (lines, size) => {
        const text = lines.join('\n');
        const bytes = new TextEncoder().encode(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const expected = new Parser({ format: NQUADS, blankNodePrefix: '_:' }).parse(text) as RDF.Quad[];
        const keys = (quads: RDF.Quad[]): string[] => quads.map(toTermKey);
        expect(keys(await parse(pieces, NQUADS))).toEqual(keys(expected));
      }),
      { numRuns: 300 },
    );
  });

  it('throws only its own errors on noise', async () => {
    const noise = fc.array(
      fc.constantFrom('<u:a>', '<<(', ')>>', '"', '"x"', '@en', '^^', '_:b', '.', ' ', '\n', '\\', '#', '<', '>', 'x'),
    );
    await fc.assert(
      fc.asyncProperty(noise, async (parts) => {
        const error = await failure(parts.join(''), NQUADS);
        if (error !== undefined) expect(isCodedError(error)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Turtle and TriG', () => {
  it('reads prefixes, bases, lists and named graphs', async () => {
    const prefixes: string[] = [];
    const text = '@prefix e: <http://e/> . @base <http://b/> .\ne:g { <s> a e:T ; e:p (1 "x"@en) , [ e:q true ] . }';
    const quads = await parse(text, 'application/trig', {
      onPrefix: (prefix, iri) => prefixes.push(`${prefix}=${iri}`),
    });
    const first = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
    expect(write(quads).map((line) => line.replaceAll(first, 'rdf:').replaceAll('http://e/', 'e:'))).toEqual([
      'http://b/s rdf:type e:T e:g',
      '_:anon0 rdf:first "1"^integer e:g',
      '_:anon0 rdf:rest _:anon1 e:g',
      '_:anon1 rdf:first "x"@en e:g',
      '_:anon1 rdf:rest rdf:nil e:g',
      'http://b/s e:p _:anon0 e:g',
      '_:anon2 e:q "true"^boolean e:g',
      'http://b/s e:p _:anon2 e:g',
    ]);
    expect(prefixes).toEqual(['e=http://e/']);
  });

  it('keeps labels, and keeps nodes without one apart from them', async () => {
    const quads = await parse('[] <u:p> _:anon0, _:b . _:anon0 <u:p> _:anon0 .', TURTLE);
    expect(write(quads)).toEqual(['_:anon0 u:p _:anon0_', '_:anon0 u:p _:b', '_:anon0_ u:p _:anon0_']);
    const named = await parse('[] <u:p> _:b .', TURTLE, { nameBlankNode: (label) => `n${label}` });
    expect(write(named)).toEqual(['_:nanon0 u:p _:nb']);
  });

  it('keeps lexical forms and language tags as they are written', async () => {
    expect(write(await parse('<u:s> <u:p> 007, "x"@en-GB, 1.50 .', TURTLE))).toEqual([
      'u:s u:p "007"^integer',
      'u:s u:p "x"@en-GB',
      'u:s u:p "1.50"^decimal',
    ]);
  });

  it('resolves relative IRIs against the base and refuses them without', async () => {
    expect(write(await parse('<a> <b> <c> .', TURTLE, { baseIri: 'http://e/x/y' }))).toEqual([
      'http://e/x/a http://e/x/b http://e/x/c',
    ]);
    expect(await failure('<a> <b> <c> .', TURTLE)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });

  it('tells line and offset of an error, and nothing of the text', async () => {
    const error = await failure('<u:a> <u:b> <u:c> .\n<u:s> <u:p> secret .', TURTLE);
    expect(error).toMatchObject({ code: 'ERR_RDF_SYNTAX', position: { line: 2, offset: 20 } });
    expect((error as Error).message).not.toContain('secret');
    expect(await failure('<u:a> <u:b> ', TURTLE)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    expect(await failure('<u:a> <u:b> "x', TURTLE)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });
});

describe('JSON-LD', () => {
  it('reads a document with its own context', async () => {
    const text =
      '{"@context": {"name": "http://e/name"}, "@id": "x", "name": ["A", {"@value": "B", "@language": "en"}]}';
    expect(write(await parse(text, JSON_LD, { baseIri: 'http://b/' }))).toEqual([
      'http://b/x http://e/name "A"^string',
      'http://b/x http://e/name "B"@en',
    ]);
  });

  it('takes handed-in contexts and fetches none', async () => {
    const text = '{"@context": "http://e/context", "@id": "u:x", "name": "A"}';
    const contexts = { 'http://e/context': { '@context': { name: 'http://e/name' } } };
    expect(write(await parse(text, JSON_LD, { contexts }))).toEqual(['u:x http://e/name "A"^string']);
    expect(await failure(text, JSON_LD)).toMatchObject({ code: 'ERR_RDF_REMOTE_CONTEXT', kind: 'unsupported' });
  });

  it('refuses what is no JSON, unfinished, or nested too deep', async () => {
    expect(await failure('{"@id": ', JSON_LD)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    expect(await failure('{"a" oops}', JSON_LD)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    const deep = `${'{"u:p":'.repeat(300)}1${'}'.repeat(300)}`;
    expect(await failure(deep, JSON_LD)).toMatchObject({ code: 'ERR_RDF_TOO_LARGE', kind: 'too-large' });
  });
});

describe('RDF/XML', () => {
  const wrap = (body: string, doctype = ''): string =>
    `<?xml version="1.0"?>${doctype}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">${body}</rdf:RDF>`;

  it('reads descriptions', async () => {
    const text = wrap('<e:T rdf:about="u:s"><e:p xml:lang="en">x</e:p><e:q rdf:resource="o"/></e:T>');
    expect(write(await parse(text, RDF_XML, { baseIri: 'http://b/' }))).toEqual([
      'u:s http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://e/T',
      'u:s http://e/p "x"@en',
      'u:s http://e/q http://b/o',
    ]);
  });

  it('takes short entities and refuses those that could explode or come from elsewhere', async () => {
    const body = '<e:T rdf:about="&ns;s"/>';
    const doctype = (entities: string): string => `<!DOCTYPE rdf:RDF [${entities}]>`;
    expect(write(await parse(wrap(body, doctype('<!ENTITY ns "http://n/">')), RDF_XML))).toHaveLength(1);
    const bad = [
      '<!ENTITY a "aaaaaaaa"><!ENTITY ns "&a;&a;">',
      `<!ENTITY ns "${'x'.repeat(2000)}">`,
      '<!ENTITY ns SYSTEM "file:///etc/hosts">',
      '<!ENTITY % p "x"><!ENTITY ns "y">',
    ];
    for (const entities of bad) {
      expect(await failure(wrap(body, doctype(entities)), RDF_XML)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    }
  });

  it('tells where an error is', async () => {
    const error = await failure('<?xml version="1.0"?>\n<rdf:RDF>\n</oops>', RDF_XML);
    expect(error).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    expect((error as { position?: { line: number } }).position?.line).toBeGreaterThan(1);
    expect(await failure(wrap('<e:T rdf:about="u:s">'), RDF_XML)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });
});

describe('language tags', () => {
  const NS = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:"';

  it.each([
    ['text/turtle', '<urn:s> <urn:p> "o"@en-GB .'],
    ['application/trig', '<urn:g> { <urn:s> <urn:p> "o"@en-GB }'],
    ['application/n-triples', '<urn:s> <urn:p> "o"@en-GB .'],
    ['application/n-quads', '<urn:s> <urn:p> "o"@en-GB .'],
    ['application/ld+json', '{"@id":"urn:s","urn:p":{"@value":"o","@language":"en-GB"}}'],
    ['application/rdf+xml', `<rdf:RDF ${NS}><e:T rdf:about="urn:s"><e:p xml:lang="en-GB">o</e:p></e:T></rdf:RDF>`],
  ])('keep their case in %s', async (contentType, text) => {
    const tags: string[] = [];
    for await (const { object } of parseRdf(text, { contentType })) {
      if (object.termType === 'Literal') tags.push(object.language);
    }
    expect(tags).toEqual(['en-GB']);
  });

  it('are inherited in RDF/XML as each element writes them', async () => {
    const text = `<rdf:RDF ${NS} xml:lang="de-AT"><rdf:Description rdf:about="urn:s" e:a="1" xml:lang="en-GB">
      <e:b>2</e:b><e:c xml:lang="">3</e:c><e:d xml:lang="FR">4</e:d><e:e e:f="5" xml:lang="EN-us"/><e:g>6</e:g>
      </rdf:Description><rdf:Description rdf:about="urn:t"><e:h>7</e:h></rdf:Description></rdf:RDF>`;
    const tags: Record<string, string> = {};
    for await (const { object } of parseRdf(text, { contentType: 'application/rdf+xml' })) {
      if (object.termType === 'Literal') tags[object.value] = object.language;
    }
    expect(tags).toEqual({ 1: 'en-GB', 2: 'en-GB', 3: '', 4: 'FR', 5: 'EN-us', 6: 'en-GB', 7: 'de-AT' });
  });
});

describe('parseRdf', () => {
  it('refuses media types that it does not know and inputs that are too long', async () => {
    expect(await failure('', 'text/html; charset=utf-8')).toMatchObject({
      code: 'ERR_RDF_MEDIA_TYPE',
      kind: 'unsupported',
    });
    expect(await failure('<u:s> <u:p> <u:o> .', NQUADS, { maxBytes: 10 })).toMatchObject({ code: 'ERR_RDF_TOO_LARGE' });
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await failure(new Uint8Array([0x3c, 0xff, 0x3e]), NQUADS)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    expect(await failure(new Uint8Array([0xc3]), TURTLE)).toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });

  it('skips a byte order mark and ends when it is aborted', async () => {
    const bytes = new TextEncoder().encode('\ufeff<u:s> <u:p> <u:o> .');
    expect(await parse(bytes, NQUADS)).toHaveLength(1);
    expect(await parse(bytes, TURTLE)).toHaveLength(1);
    expect(await failure(bytes, NQUADS, { signal: AbortSignal.abort() })).toMatchObject({ code: 'ERR_CANCELLED' });
  });
});
