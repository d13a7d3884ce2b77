import { isCodedError } from '@cairn/errors';
import { createViewerOfEverything } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { parseSparql } from './parser.ts';

const viewer = createViewerOfEverything();

describe('the parser', () => {
  it('says where the syntax is wrong and what could stand there', () => {
    const parse = () => parseSparql('SELECT ?x\nWHERE { ?x ?y }');
    expect(parse).toThrow(
      expect.objectContaining({
        code: 'ERR_SPARQL_SYNTAX',
        position: { offset: 24, line: 2, column: 15 },
        expected: expect.arrayContaining(['VAR', 'IRIREF']),
      }),
    );
  });

  it('takes escapes in prefixed names', () => {
    const query = parseSparql('PREFIX e: <http://e/> ASK { e:a\\/b\\-c ?p ?o }') as {
      where: { triples: { subject: unknown }[] }[];
    };
    expect(query.where[0].triples[0].subject).toMatchObject({ value: 'http://e/a/b-c' });
  });

  it('lets nothing but its own errors out, whatever the text', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const piece = fc.constantFrom(
      'SELECT',
      '*',
      '?x',
      '{',
      '}',
      '(',
      ')',
      'FILTER',
      '<e:a>',
      '"x',
      '"',
      '.',
      'a',
      '/',
      '+',
      'GRAPH',
      'AS',
      '1',
      'VALUES',
      'INSERT',
      'DATA',
      '\\',
      '\u0000',
      '<<',
      '>>',
      'COUNT',
      'GROUP BY',
      '_:b',
      '^',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        for (const run of [
          () => dataset.query(viewer, source),
          () => dataset.evaluateUpdate(viewer, source, { label: '*' }),
        ]) {
          const error: unknown = await run().then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error !== undefined && !isCodedError(error)) throw error;
        }
      }),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 400 : 20_000 },
    );
  });

  it('refuses what is nested beyond the stack, and texts that are too long', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const deep = `ASK { ${'{ OPTIONAL '.repeat(3000)}${'}'.repeat(3000)} }`;
    const wide = `ASK { FILTER(1 ${'|| 1 '.repeat(4000)}) }`;
    for (const text of [deep, wide]) {
      const error: unknown = await dataset.query(viewer, text).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error === undefined || isCodedError(error)).toBe(true);
    }
    await expect(dataset.query(viewer, ' '.repeat(1_100_000))).rejects.toMatchObject({ code: 'ERR_SPARQL_LENGTH' });
  });

  it('says at once that a text has too many parts or levels, and takes any number of values and triples of data', () => {
    const fill = (head: string, part: string, tail: string, times: number) => head + part.repeat(times) + tail;
    const tooLarge = [
      fill('ASK {', '?x a ?y.', '}', 100_000),
      fill('ASK {', 'BIND(1 AS ?y)', '}', 70_000),
      fill('SELECT', ' ?x', '{}', 100_000),
      fill('ASK {{}', 'UNION{}', '}', 100_000),
      fill('ASK {?s a', '/a', ' ?o}', 100_000),
      `ASK {${'('.repeat(200_000)}${')'.repeat(200_000)} ?p ?o}`,
    ];
    const taken = [
      fill('ASK {VALUES ?x {', 'true', '}}', 100_000),
      fill('ASK {FILTER(?x IN (1', ',1', '))}', 20_000),
      fill('INSERT DATA {', '<a:> a 1.', '}', 50_000),
      fill('', 'INSERT DATA {<a:> a 1};', '', 10_000),
      fill('INSERT', ' ', '{} WHERE {}', 1_000_000),
    ];
    const started = process.cpuUsage();
    for (const text of tooLarge) {
      expect(() => parseSparql(text), text.slice(0, 30)).toThrow(expect.objectContaining({ kind: 'too-large' }));
    }
    for (const text of taken) parseSparql(text);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });

  it('says that prefixes and bases make IRIs far longer than the text, and takes long prefixes that are named a few times', () => {
    const long = 'http://long.example/'.padEnd(60_000, 'y');
    const list = (item: (i: number) => string, separator = ' ') =>
      Array.from({ length: 4000 }, (_, i) => item(i)).join(separator);
    const base = long.slice(0, 8000);
    const tooLarge = [
      `PREFIX p: <${long}> INSERT DATA { ${list((i) => `p:${i} p:a "1"^^p:b`, ' . ')} }`,
      `PREFIX p: <${long}> DELETE WHERE { ${list(() => '?s p: ?o', ' . ')} }`,
      `BASE <${base}/> INSERT DATA { ${list((i) => `<${i}> <#a> <>`, ' . ')} }`,
      `PREFIX p: <${long}> ASK { VALUES ?x { ${list((i) => `p:${i}`)} } }`,
      `PREFIX p: <${long}> ASK { FILTER(<e:a> IN (${list((i) => `p:${i}`, ', ')})) }`,
      `PREFIX p: <${long}> SELECT * ${list((i) => `FROM p:${i}`)} {}`,
      `BASE <${base}/> ${list((i) => `PREFIX p${i}: <./${i}/..>`)} ASK {}`,
      `BASE <${base}/> ${list((i) => `BASE <./${i}/..>`)} ASK {}`,
      `PREFIX p: <${long}> ${list((i) => `CLEAR GRAPH p:${i}`, '; ')}`,
    ];
    for (const text of tooLarge) {
      expect(() => parseSparql(text), text.replaceAll('y', '').slice(0, 90)).toThrow(
        expect.objectContaining({ code: 'ERR_SPARQL_LENGTH', kind: 'too-large' }),
      );
    }
    expect(() => parseSparql('ASK { <a> ?p ?o }', long)).toThrow(expect.objectContaining({ kind: 'too-large' }));
    const namespace = 'http://long.example/'.padEnd(200, 'y');
    parseSparql(`PREFIX p: <${long}> ASK { p:a p:b p:c, p:d }`);
    parseSparql(`PREFIX p: <${namespace}> INSERT DATA { ${'p:a p:b p:c . '.repeat(70_000)} }`);
    parseSparql(`INSERT DATA { ${'<e:a> a (1 2 3) . '.repeat(40_000)} }`);
  });

  it('says at once that a base is too long', () => {
    const started = process.cpuUsage();
    for (const base of [`http://long.example/${'y'.repeat(1_000_000)}/`, `${'x'.repeat(1_000_000)}:`]) {
      expect(() => parseSparql(`BASE <${base}> ASK { <a> ?p ?o }`)).toThrow(
        expect.objectContaining({ code: 'ERR_SPARQL_LENGTH', kind: 'too-large' }),
      );
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });

  it('leaves nothing of a text that failed for the next one', () => {
    expect(() => parseSparql('BASE <http://b/> PREFIX p: <http://p/> ASK { p:a <b> }')).toThrow();
    expect(() => parseSparql('ASK { p:a <e:b> 1 }')).toThrow('Unknown prefix');
    expect(() => parseSparql('ASK { <a> <e:b> 1 }')).toThrow('relative');
  });
});
