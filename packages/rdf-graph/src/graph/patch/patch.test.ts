import { isCodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeQuad } from '../../rdf/term-writer.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral } from '../../rdf/terms.ts';
import { toChangeSet } from './change-set.ts';
import { parsePatch } from './parser.ts';
import type { PatchRow } from './row.ts';
import { toPatch, writePatch } from './writer.ts';

async function parse(text: string | Iterable<string | Uint8Array>): Promise<PatchRow[]> {
  const rows: PatchRow[] = [];
  for await (const row of parsePatch(text)) rows.push(row);
  return rows;
}

const [a, p, g] = ['u:a', 'u:p', 'u:g'].map(namedNode) as [RDF.NamedNode, RDF.NamedNode, RDF.NamedNode];

/** Applies change sets the naive way: deletions first, then additions. */
function applied(before: Iterable<string>, rows: { deletions: string[]; additions: string[] }): string[] {
  const quads = new Set(before);
  for (const deletion of rows.deletions) quads.delete(deletion);
  for (const addition of rows.additions) quads.add(addition);
  return [...quads].sort();
}

async function netChanges(rows: PatchRow[]): Promise<{ deletions: string[]; additions: string[] }> {
  const changes = await toChangeSet(rows, { additionLabels: () => ['x'], prefixLabel: 'x', deletionLabel: undefined });
  const write = (list: readonly { quad: RDF.Quad }[]): string[] => list.map((change) => writeQuad(change.quad));
  return { deletions: write(changes.deletions), additions: write(changes.additions) };
}

describe('parsePatch', () => {
  it('reads every kind of row', async () => {
    const text = `
# a comment
H id <urn:uuid:1> .
H note "x" .
TX .
PA "rdf" "http://rdf/" .
PA e: <http://e/> .
PD "old" .
A <u:a> <u:p> "x"@en .
A <_:b 1> <u:p> _:b2 <u:g> .
D <u:a> <u:p> <_:b2> _:b2 .   # with a comment
TC .
TX .
TA .`;
    const rows = await parse(text.replace('<_:b 1>', '<_:b\\u00201>'));
    expect(rows.map((row) => row.type)).toEqual(
      'header header begin add-prefix add-prefix delete-prefix add add delete commit begin abort'.split(' '),
    );
    expect(rows[3]).toEqual({ type: 'add-prefix', prefix: 'rdf', iri: 'http://rdf/' });
    expect(rows[4]).toEqual({ type: 'add-prefix', prefix: 'e', iri: 'http://e/' });
    expect(rows[7]).toEqual({ type: 'add', quad: quad(blankNode('b 1'), p, blankNode('b2'), g) });
    expect(rows[8]).toEqual({ type: 'delete', quad: quad(a, p, blankNode('b2'), blankNode('b2')) });
  });

  it('takes any IRI in a header, relative or without a colon, and a blank node', async () => {
    const iris = ['1b2c3d4e-0000', 'a/b?c#d', '', 'urn:uuid:1', '#x', '//host/p'];
    for (const iri of iris) {
      expect(await parse(`H id <${iri}> .`), iri).toEqual([{ type: 'header', name: 'id', value: namedNode(iri) }]);
      expect(await parse(writePatch(await parse(`H prev <${iri}> .`))), iri).toHaveLength(1);
    }
    expect(await parse('H id <_:b1> .')).toEqual([{ type: 'header', name: 'id', value: blankNode('b1') }]);
    for (const bad of ['H id <a b> .', 'H id <a .', 'H id <a<b> .', 'H id <a> <b> .', 'A <1b2c> <u:p> <u:o> .']) {
      await expect(parse(bad), bad).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    }
  });

  it.each([
    ['TX .\nX <u:a> .', 2, 1, 'PA'],
    ['A <u:a> <u:p> .', 1, 15, 'IRI'],
    ['A <u:a> <u:p> "x"', 1, 18, '.'],
    ['TX', 1, 3, '.'],
    ['A <u:a> <_:p> "x" .', 1, 14, 'IRI'],
    ['PA <u:x> <u:y> .', 1, 4, 'prefix'],
    ['ADD <u:a> <u:p> "x" .', 1, 1, 'A'],
  ])('refuses %j with its place and what was expected', async (text, line, column, expected) => {
    const error = await parse(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ERR_RDF_SYNTAX', position: { line, column } });
    expect((error as { expected: string[] }).expected).toContain(expected);
  });

  it('throws only its own errors on noise', async () => {
    const word = fc.constantFrom(
      'A',
      'D',
      'TX',
      'TC',
      'PA',
      'H',
      ' ',
      '.',
      '\n',
      '<u:a>',
      '_:b',
      '"x"',
      '<_:',
      '"',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word), async (words) => {
        const error = await parse(words.join('')).catch((thrown: unknown) => thrown);
        if (!Array.isArray(error)) expect(isCodedError(error)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const term = fc.oneof(
  fc.constantFrom(a, g),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map(blankNode),
  fc.string({ unit: 'grapheme', maxLength: 5 }).map(stringLiteral),
  fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => languageLiteral(text, 'en')),
);
const node = term.filter(({ termType }) => termType !== 'Literal');
const anyQuad = fc
  .tuple(node, term, node, fc.boolean())
  .map(([s, o, graph, named]) => quad(s, p, o, named ? graph : undefined));
const row: fc.Arbitrary<PatchRow> = fc.oneof(
  anyQuad.map((value): PatchRow => ({ type: 'add', quad: value })),
  anyQuad.map((value): PatchRow => ({ type: 'delete', quad: value })),
  fc.string({ unit: 'grapheme-ascii' }).map((iri): PatchRow => ({ type: 'add-prefix', prefix: 'e', iri })),
  fc.constant<PatchRow>({ type: 'delete-prefix', prefix: '' }),
  fc.constant<PatchRow>({ type: 'header', name: 'id', value: namedNode('urn:uuid:1') }),
);

describe('writePatch', () => {
  it('gives a text that reads back as the same rows, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 10 }), fc.integer({ min: 1, max: 40 }), async (rows, size) => {
        const text = [...writePatch(rows)].join('');
        const bytes = new TextEncoder().encode(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        // Lone surrogates have no UTF-8 form.
        fc.pre(new TextDecoder().decode(bytes) === text);
        expect(await parse(pieces)).toEqual(rows);
      }),
      { numRuns: 400 },
    );
  });
});

describe('toPatch', () => {
  it('writes a change set as one transaction, deletions first', () => {
    const text = toPatch({
      additions: [{ quad: quad(a, p, stringLiteral('new\n')), label: 'x' }],
      deletions: [{ quad: quad(a, p, stringLiteral('old'), g), label: undefined }],
      prefixes: [
        { prefix: 'e', iri: 'http://e/', label: 'x' },
        { prefix: 'f', iri: undefined, label: undefined },
      ],
    });
    expect(text.trimEnd().split('\n')).toEqual([
      'TX .',
      'PA "e" "http://e/" .',
      'PD "f" .',
      'D <u:a> <u:p> "old" <u:g> .',
      'A <u:a> <u:p> "new\\n" .',
      'TC .',
    ]);
  });
});

describe('toChangeSet', () => {
  it('has the same effect as the rows one after the other', async () => {
    const few = fc.constantFrom('1', '2', '3').map((text) => quad(a, p, stringLiteral(text)));
    const change = fc.tuple(fc.constantFrom('add', 'delete'), few);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.array(few), async (changes, before) => {
        const one = new Set(before.map(writeQuad));
        for (const [type, value] of changes) one[type === 'add' ? 'add' : 'delete'](writeQuad(value));
        const rows = changes.map(([type, value]) => ({ type, quad: value }) as PatchRow);
        const net = await netChanges(rows);
        const once = applied(before.map(writeQuad), net);
        expect(once).toEqual([...one].sort());
        expect(applied(once, net)).toEqual(once);
      }),
    );
  });

  it('drops the rows of an aborted transaction', async () => {
    const rows = await parse('A <u:a> <u:p> "1" .\nTX .\nA <u:a> <u:p> "2" .\nTA .\nTX .\nD <u:a> <u:p> "3" .\nTC .');
    expect(await netChanges(rows)).toEqual({ additions: ['<u:a> <u:p> "1" .'], deletions: ['<u:a> <u:p> "3" .'] });
  });

  it.each(['TX .\nA <u:a> <u:p> "1" .', 'TC .', 'TX .\nTX .\nTC .\nTC .'])(
    'refuses a patch whose transactions do not pair up: %j',
    async (text) => {
      await expect(netChanges(await parse(text))).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    },
  );
});
