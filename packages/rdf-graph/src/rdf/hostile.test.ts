import { isCodedError } from '@cairn/errors';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../dataset/open.ts';
import { parsePatch } from '../graph/patch/parser.ts';
import { toPatch } from '../graph/patch/writer.ts';
import { parseRdfBatches } from './parse.ts';
import { writeQuad } from './term-writer.ts';
import { languageLiteral, namedNode, quad } from './terms.ts';

const TURTLE = 'text/turtle';
const N_QUADS = 'application/n-quads';
const JSON_LD = 'application/ld+json';
const RDF_XML = 'application/rdf+xml';
const PATCH = 'application/rdf-patch';

function repeat(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

function rdfXml(body: string, { doctype = '', attributes = '' } = {}): string {
  const namespaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"';
  return `<?xml version="1.0"?>${doctype}<rdf:RDF ${namespaces} ${attributes}>${body}</rdf:RDF>`;
}

/** Reads to the end; gives how many quads or rows there were. */
async function read(text: string, contentType: string): Promise<number> {
  let count = 0;
  if (contentType === PATCH) {
    for await (const _ of parsePatch(text)) count++;
    return count;
  }
  for await (const quads of parseRdfBatches(text, { contentType, baseIri: 'http://b/' })) count += quads.length;
  return count;
}

/** How many turns the event loop makes while a text is read. */
async function countTurns(text: string, contentType: string): Promise<number> {
  let turns = 0;
  let isReading = true;
  const turn = (): void => {
    turns++;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  await read(text, contentType);
  isReading = false;
  return turns;
}

/** About a third of a megabyte of each, in the shapes that are hardest to read in parts. */
const LONG: readonly (readonly [name: string, contentType: string, text: () => string, leastTurns: number])[] = [
  ['Turtle', TURTLE, () => repeat(8_000, (i) => `<http://e/s${i}> <http://e/p> "literal ${i}" .\n`), 18],
  ['Turtle without white space', TURTLE, () => `<u:s><u:p>${repeat(150_000, () => '1,')}1.`, 16],
  [
    'Turtle of one node in another',
    TURTLE,
    () => `<u:s> <u:p> ${'[ <u:p> '.repeat(40_000)}1${']'.repeat(40_000)} .`,
    18,
  ],
  [
    'Turtle after a long string',
    TURTLE,
    () => `<u:s> <u:p> "${'x'.repeat(300_000)}" .\n${'<u:s> <u:p> <u:o> .\n'.repeat(15_000)}`,
    18,
  ],
  ['TriG', 'application/trig', () => repeat(8_000, (i) => `<http://e/g${i}> { <http://e/s> <http://e/p> ${i} }\n`), 18],
  ['N-Triples', 'application/n-triples', () => '<http://e/s> <http://e/p> "x" .\n'.repeat(10_000), 16],
  ['N-Quads', N_QUADS, () => '<http://e/s> <http://e/p> "x" <http://e/g> .\n'.repeat(7_000), 16],
  [
    'JSON-LD with its context first',
    JSON_LD,
    () => `{"@context":{"n":"u:n"},"@graph":[${repeat(12_000, (i) => `{"@id":"u:${i}","n":1},`)}{}]}`,
    18,
  ],
  [
    'JSON-LD with its context last',
    JSON_LD,
    () => `{"@graph":[${repeat(9_000, (i) => `{"@id":"u:${i}","@type":"u:T","n":1},`)}{}],"@context":{"n":"u:n"}}`,
    18,
  ],
  ['JSON-LD of one node with many values', JSON_LD, () => `{"u:p":[${'1,'.repeat(160_000)}1],"@id":"u:x"}`, 18],
  [
    'JSON-LD with its graph named last',
    JSON_LD,
    () => `{"@graph":[${repeat(12_000, (i) => `{"@id":"u:${i}","u:p":1},`)}{}],"@id":"u:g"}`,
    18,
  ],
  [
    'JSON-LD with a context in each node',
    JSON_LD,
    () => `[${repeat(6_000, (i) => `{"@context":{"n${i}":"u:n"},"@id":"u:${i}","n${i}":1},`)}{}]`,
    16,
  ],
  [
    'RDF/XML',
    RDF_XML,
    () => rdfXml(repeat(5_000, (i) => `<e:T rdf:about="http://e/${i}"><e:p>text ${i}</e:p></e:T>\n`)),
    16,
  ],
  ['RDF patch', PATCH, () => `TX .\n${'A <http://e/s> <http://e/p> "x" <http://e/g> .\n'.repeat(7_000)}TC .\n`, 16],
];

const BOMBS: readonly (readonly [name: string, contentType: string, text: () => string])[] = [
  ['a string that never ends', TURTLE, () => `<u:s> <u:p> """${'x '.repeat(2_500_000)}`],
  ['a comment of five megabytes', TURTLE, () => `#${'x'.repeat(5_000_000)}`],
  [
    'a long prefix that is used often',
    TURTLE,
    () => `@prefix : <http://e/${'x'.repeat(60_000)}> .\n${repeat(5_000, (i) => `:a :b :c${i} .`)}`,
  ],
  ['a prefix longer than any IRI', TURTLE, () => `@prefix : <http://e/${'x'.repeat(100_000)}> . :a :b :c .`],
  [
    'a long base that is used often',
    TURTLE,
    () => `@base <http://e/${'x/'.repeat(30_000)}> .\n${repeat(5_000, (i) => `<a> <b> <c${i}> .`)}`,
  ],
  ['a line without end', N_QUADS, () => `<u:s> <u:p> "${'\\n'.repeat(2_500_000)}" .`],
  ['a row without end', PATCH, () => `A <u:s> <u:p> "${'x'.repeat(5_000_000)}" .`],
  ['JSON that nests too deep', JSON_LD, () => `${'{"u:p":'.repeat(300)}1${'}'.repeat(300)}`],
  ['a JSON string without end', JSON_LD, () => `{"u:p":"${'x'.repeat(5_000_000)}"}`],
  [
    'a context of many terms',
    JSON_LD,
    () => `{"@context":{${repeat(3_000, (i) => `"t${i}":"u:${i}",`)}"x":"u:x"},"x":1}`,
  ],
  [
    'a context of many terms in each node',
    JSON_LD,
    () =>
      `{"@context":{${repeat(1_900, (i) => `"t${i}":"u:${i}",`)}"x":"u:x"},"@graph":[${repeat(2_000, (i) => `{"@context":{"n${i}":"u:"},"n${i}":1},`)}{}]}`,
  ],
  ['a context of long names', JSON_LD, () => `{"@context":{"x":"u:${'x'.repeat(300_000)}"},"x":1}`],
  [
    'prefixes of prefixes',
    JSON_LD,
    () => `{"@context":{${repeat(50, (i) => `"a${i}":"a${i + 1}:x",`)}"a50":"u:x"},"a0":1}`,
  ],
  [
    'a long vocabulary that is used often',
    JSON_LD,
    () =>
      `{"@context":{"@vocab":"http://e/${'x'.repeat(60_000)}"},"@graph":[${repeat(2_000, (i) => `{"p${i}":1},`)}{}]}`,
  ],
  [
    'an entity that is used often',
    RDF_XML,
    () =>
      rdfXml(`<e:T><e:p>${'&a;'.repeat(500_000)}</e:p></e:T>`, {
        doctype: `<!DOCTYPE rdf:RDF [<!ENTITY a "${'x'.repeat(900)}">]>`,
      }),
  ],
  [
    'elements inside one another',
    RDF_XML,
    () => rdfXml(`${'<e:T><e:p>'.repeat(50_000)}${'</e:p></e:T>'.repeat(50_000)}`),
  ],
  ['a tag of many attributes', RDF_XML, () => rdfXml(`<e:T ${repeat(50_000, (i) => `e:a${i}="x" `)}/>`)],
  ['text without end', RDF_XML, () => rdfXml(`<e:T><e:p>${'x'.repeat(5_000_000)}</e:p></e:T>`)],
  [
    'a long base of elements',
    RDF_XML,
    () =>
      rdfXml(
        repeat(5_000, (i) => `<e:T rdf:about="${i}"/>`),
        { attributes: `xml:base="http://e/${'x/'.repeat(30_000)}"` },
      ),
  ],
];

describe('a reader of RDF', () => {
  it.each(LONG)('lets other events through while it reads %s', async (_name, contentType, text, leastTurns) => {
    expect(await countTurns(text(), contentType)).toBeGreaterThanOrEqual(leastTurns);
  });

  it.each(BOMBS)('refuses %s', async (_name, contentType, text) => {
    const error = await read(text(), contentType).then(
      (count) => `${count} quads`,
      (reason: unknown) => reason,
    );
    expect(isCodedError(error) && error.code, String(error)).toBe('ERR_RDF_TOO_LARGE');
  });

  it('reads what only looks like a bomb', async () => {
    expect(await read(`<u:s> <u:p> """${'x'.repeat(1_000_000)}""" .`, TURTLE)).toBe(1);
    expect(await read('<u:s> <u:p> <u:o>,<u:o2>;<u:q>"""a"b\'c#d<e""",\'x\' # <u:z>\n.', TURTLE)).toBe(4);
    const entities = '<!DOCTYPE rdf:RDF [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]>';
    const classes = repeat(
      5_000,
      (i) => `<rdf:Description rdf:about="&owl;C${i}"><rdf:type rdf:resource="&owl;Class"/></rdf:Description>`,
    );
    expect(await read(rdfXml(classes, { doctype: entities }), RDF_XML)).toBe(5_000);
  });
});

describe('a language that would end its literal', () => {
  const forging = 'en .\nA <http://e/forged> <http://e/p> <http://e/o>';

  it('is refused in RDF/XML, with the element that has it', async () => {
    const body = `<rdf:Description rdf:about="http://e/s"><e:p xml:lang="${forging.replace('\n', '&#10;').replaceAll('<', '&lt;')}">x</e:p></rdf:Description>`;
    const refused = { code: 'ERR_RDF_SYNTAX', message: expect.stringContaining('a language tag') };
    await expect(read(rdfXml(body), RDF_XML)).rejects.toMatchObject(refused);
    expect(await read(rdfXml(body.replace(/xml:lang="[^"]*"/, 'xml:lang="de-CH"')), RDF_XML)).toBe(1);
  });

  it.each([forging, 'en us', 'en_US', '-', 'e\u0301', '1a', 'en-'])(
    'is neither written as RDF nor stored: %j',
    async (language) => {
      const hostile = quad(namedNode('http://e/s'), namedNode('http://e/p'), languageLiteral('x', language));
      const refused = expect.objectContaining({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid' });
      const changes = { deletions: [], additions: [{ quad: hostile, label: '*' }] };
      expect(() => writeQuad(hostile)).toThrow(refused);
      expect(() => toPatch(changes)).toThrow(refused);
      const dataset = await openGraphDataset({ name: 'hostile' });
      await expect(dataset.apply([changes])).rejects.toEqual(refused);
      await expect(dataset.load([[hostile]], { label: '*' })).rejects.toEqual(refused);
      expect(await dataset.count(createViewerOfEverything())).toBe(0);
    },
  );
});
