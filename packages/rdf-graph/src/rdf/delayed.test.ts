import { delayedSource, delayedText, type Random, seededRandom } from '@cairn/events/conformance';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it, vi } from 'vitest';
import { writePatchRow } from '../graph/patch/writer.ts';
import {
  dataFactory,
  parsePatch,
  parseRdf,
  type QueryResult,
  SOLUTION_MEDIA_TYPES,
  type Solution,
  serializeRdf,
  type TextSource,
  writeQuad,
  writeResult,
} from '../index.ts';

const RUNS = process.env['CAIRN_LONG'] ? 100 : 8;
const SIZES = [1, 2, 3, 5, 17, 100, 1000, 5000, 70_000];

vi.setConfig({ testTimeout: process.env['CAIRN_LONG'] ? 1_800_000 : 60_000 });

/** Texts with characters of one to four bytes, escapes, line ends and what ends a term in some syntax. */
const TEXTS = [
  '',
  'a',
  'é',
  '漢字',
  '😀🏳️‍🌈',
  'a\n"b"\\c\t',
  "<i>&amp;</i> ' . ; # ]]>",
  '\u{10FFFF}',
  'x'.repeat(3000),
];

function randomQuads(random: Random, hasGraphs: boolean): RDF.Quad[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)];
  const iri = (kind: string): RDF.NamedNode =>
    dataFactory.namedNode(`https://example.org/${kind}/${Math.floor(random() * 40)}${pick(['', 'é', '漢', '-x'])}`);
  const object = (): RDF.Quad_Object =>
    pick<() => RDF.Quad_Object>([
      () => iri('o'),
      () => dataFactory.blankNode(`b${Math.floor(random() * 5)}`),
      () => dataFactory.literal(pick(TEXTS) + Math.floor(random() * 1000)),
      () => dataFactory.literal(pick(TEXTS), pick(['en', 'de-AT'])),
      () => dataFactory.literal(pick(TEXTS), iri('type')),
    ])();
  return Array.from({ length: 1 + Math.floor(600 * random() ** 2) }, () =>
    dataFactory.quad(iri('s'), iri('p'), object(), hasGraphs && random() < 0.4 ? iri('g') : dataFactory.defaultGraph()),
  );
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Quads as lines, and the code of the error that ended them. */
async function read(source: TextSource, contentType: string): Promise<{ lines: string[]; code: string | undefined }> {
  const lines: string[] = [];
  try {
    const options = { contentType, baseIri: 'https://example.org/' };
    for await (const quad of parseRdf(source, options)) lines.push(writeQuad(quad));
    return { lines, code: undefined };
  } catch (error) {
    return { lines, code: (error as { code?: string }).code };
  }
}

/** Literals of RDF/XML by hand: it is not written by everything that reads it. */
function toRdfXml(quads: readonly RDF.Quad[]): string {
  const toXml = (text: string): string => text.replace(/[<&>"\n\t]/gu, (unit) => `&#${unit.codePointAt(0)};`);
  const descriptions = quads.map(({ subject, object }, n) => {
    const about = toXml(subject.value);
    return `<rdf:Description rdf:about="${about}"><ex:p${n}>${toXml(object.value)}</ex:p${n}></rdf:Description>`;
  });
  const names = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="https://example.org/"';
  return `<?xml version="1.0"?>\n<rdf:RDF ${names}>\n${descriptions.join('\n')}\n</rdf:RDF>\n`;
}

const prefixes = { ex: 'https://example.org/', o: 'https://example.org/o/' };
const written = (contentType: string) => (quads: readonly RDF.Quad[]) =>
  textOf(serializeRdf(quads, { contentType, prefixes }));

const SYNTAXES: Readonly<Record<string, (quads: readonly RDF.Quad[]) => string | Promise<string>>> = {
  'text/turtle': written('text/turtle'),
  'application/trig': written('application/trig'),
  'application/n-triples': written('application/n-triples'),
  'application/n-quads': written('application/n-quads'),
  'application/ld+json': written('application/ld+json'),
  'application/rdf+xml': toRdfXml,
};

describe.each(Object.keys(SYNTAXES))('a document of %s that comes late and in pieces of every size', (contentType) => {
  const documentOf = (random: Random): string | Promise<string> =>
    SYNTAXES[contentType](randomQuads(random, /trig|quads|json/.test(contentType)));

  it('gives the quads of the whole, in their order', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const document = await documentOf(random);
      const whole = await read(document, contentType);
      expect([whole.code, whole.lines.length > 0], `seed ${seed}`).toEqual([undefined, true]);
      const bytes = new TextEncoder().encode(document);
      const options = { random, sizes: SIZES, delays: 0.1 };
      expect(await read(delayedSource(bytes, options), contentType), `bytes, seed ${seed}`).toEqual(whole);
      expect(await read(delayedText(document, options), contentType), `text, seed ${seed}`).toEqual(whole);
    }
  });

  it('that is cut anywhere is refused, or gives the first quads of the whole and no others', async () => {
    for (let seed = 1; seed <= RUNS * 4; seed++) {
      const random = seededRandom(seed);
      const document = await documentOf(random);
      const whole = await read(document, contentType);
      const bytes = new TextEncoder().encode(document);
      const cut = bytes.subarray(0, Math.floor(random() * bytes.length));
      const part = await read(delayedSource(cut, { random, sizes: SIZES, delays: 0.1 }), contentType);
      expect([undefined, 'ERR_RDF_SYNTAX'], `seed ${seed}`).toContain(part.code);
      expect(part.lines, `seed ${seed}, cut at ${cut.length}`).toEqual(whole.lines.slice(0, part.lines.length));
    }
  });

  it('whose source fails throws what the source threw', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const bytes = new TextEncoder().encode(await documentOf(random));
      const failure = Object.assign(new Error('the source broke'), { code: 'ERR_SOURCE' });
      const failsAt = Math.floor(random() * bytes.length);
      const source = delayedSource(bytes, { random, sizes: SIZES, delays: 0.1, failsAt, failure });
      expect((await read(source, contentType)).code, `seed ${seed}`).toBe('ERR_SOURCE');
    }
  });
});

describe('an RDF patch that comes late and in pieces of every size', () => {
  it('gives the rows of the whole', async () => {
    const rowsOf = async (source: TextSource): Promise<string[]> => {
      const rows: string[] = [];
      for await (const row of parsePatch(source)) rows.push(writePatchRow(row));
      return rows;
    };
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const rows = randomQuads(random, true).map((quad) => `${random() < 0.5 ? 'A' : 'D'} ${writeQuad(quad)}`);
      const patch = `TX .\n${rows.map((row) => row.trim()).join('\n')}\nTC .\n`;
      const whole = await rowsOf(patch);
      expect(whole, `seed ${seed}`).toHaveLength(rows.length + 2);
      const source = delayedSource(new TextEncoder().encode(patch), { random, sizes: SIZES, delays: 0.1 });
      expect(await rowsOf(source), `seed ${seed}`).toEqual(whole);
    }
  });
});

describe('an answer whose solutions come late', () => {
  async function* late<T>(items: readonly T[], random: Random, failsAt = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
    const bytes = delayedSource(new Uint8Array(items.length), { random, sizes: [1, 2, 50, 400], delays: 0.3 });
    let at = 0;
    for await (const piece of bytes) {
      for (const item of items.slice(at, at + piece.length)) {
        if (at++ >= failsAt) throw new Error('the evaluation broke');
        yield item;
      }
    }
  }

  it.each(SOLUTION_MEDIA_TYPES)('is as one whose solutions are at hand, in %s', async (mediaType) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const solutions = randomQuads(random, false).map(
        ({ subject, object }): Solution =>
          new Map<string, RDF.Term>(
            random() < 0.8
              ? [
                  ['s', subject],
                  ['o', object],
                ]
              : [['s', subject]],
          ),
      );
      const result = (from: AsyncIterable<Solution>): QueryResult => ({
        type: 'bindings',
        variables: ['s', 'o'],
        solutions: from,
      });
      const atHand = async function* (): AsyncGenerator<Solution> {
        yield* solutions;
      };
      const whole = await textOf(writeResult(result(atHand()), { mediaType }));
      expect(await textOf(writeResult(result(late(solutions, random)), { mediaType })), `seed ${seed}`).toBe(whole);
      let begun = '';
      const cut = async (): Promise<void> => {
        const failing = late(solutions, random, Math.floor(random() * solutions.length));
        for await (const piece of writeResult(result(failing), { mediaType })) begun += piece;
      };
      await expect(cut(), `seed ${seed}`).rejects.toThrow('the evaluation broke');
      expect(whole.startsWith(begun) && begun.length < whole.length, `seed ${seed}`).toBe(true);
    }
  });
});
