import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { TermDictionary } from './term-dictionary.ts';
import { TermOrder } from './term-order.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '\r', '!', '#', '/', 'é', '😀', '～'),
  maxLength: 5,
});
const iri = fc
  .string({ unit: fc.constantFrom('a', 'b', '/', '#', '1', '~', '!', 'é', '😀', '_', '-', '+'), maxLength: 5 })
  .map((rest) => namedNode(`h:${rest}`));
const simple = fc.oneof(
  iri,
  fc.stringMatching(/^[a-c][a-c0-9]{0,3}$/).map((label) => blankNode(label)),
  text.map((value) => stringLiteral(value)),
  fc.tuple(text, fc.constantFrom('en', 'en-gb', 'fr')).map(([value, tag]) => languageLiteral(value, tag)),
  fc.tuple(text, iri).map(([value, datatype]) => typedLiteral(value, datatype.value)),
);
const term = fc.oneof(
  { weight: 5, arbitrary: simple },
  { weight: 1, arbitrary: fc.tuple(iri, iri, simple).map(([s, p, o]) => quad(s, p, o)) },
);

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

/** The reference: write both and compare their bytes. */
function compareWritten(a: string, b: string): number {
  const [x, y] = [bytes(a), bytes(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return Math.sign(x[i] - y[i]);
  return Math.sign(x.length - y.length);
}

describe('the order of terms', () => {
  it('is that of the bytes of their N-Triples form', () => {
    fc.assert(
      fc.property(term, term, (a, b) => {
        const dictionary = new TermDictionary();
        const ids = [dictionary.intern(a), dictionary.intern(b)] as const;
        const order = new TermOrder(dictionary);
        const expected = compareWritten(writeTerm(dictionary.term(ids[0])), writeTerm(dictionary.term(ids[1])));
        expect([Math.sign(order.compare(...ids)), Math.sign(order.compare(ids[1], ids[0]))]).toEqual([
          expected,
          expected === 0 ? 0 : -expected,
        ]);
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 200_000 : 2_000 },
    );
  }, 1_800_000);
});
