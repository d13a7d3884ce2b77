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
    expect(query.where[0]!.triples[0]!.subject).toMatchObject({ value: 'http://e/a/b-c' });
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
});
