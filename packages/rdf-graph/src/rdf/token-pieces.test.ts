import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenPieces } from './token-pieces.ts';

type Place = 'between' | 'iri' | 'opening' | 'short' | 'long' | 'comment';

/** Reads unit by unit: gives the last place to cut after each piece, 0 for none. */
function createModel(): (text: string) => number {
  let place: Place = 'between';
  let quote = '';
  let quotes = 0;
  let escaped = false;
  const begin = (unit: string): void => {
    if (unit === '"' || unit === "'") [place, quote, quotes] = ['opening', unit, 1];
    else if (unit === '<') place = 'iri';
    else if (unit === '#') place = 'comment';
  };
  const enter = (unit: string): void => {
    if (place === 'between') begin(unit);
    else if (place === 'iri' && (unit === '>' || unit <= ' ' || unit === '<')) place = 'between';
    else if (place === 'short' && (unit === quote || unit === '\n')) place = 'between';
    else if (place === 'comment' && unit === '\n') place = 'between';
    else if (place === 'long') {
      quotes = unit === quote ? quotes + 1 : 0;
      if (quotes === 3) place = 'between';
    } else if (place === 'opening' && unit === quote) {
      if (++quotes === 3) [place, quotes] = ['long', 0];
    } else if (place === 'opening') {
      place = quotes === 2 ? 'between' : 'short';
      enter(unit);
    }
  };
  return (text) => {
    let cut = 0;
    let before: Place = place;
    for (const [at, unit] of text.split('').entries()) {
      const isFirst = at === 0 || before !== 'iri';
      before = place;
      // An IRI that ends in this piece is not looked into, but for a second < right after the first.
      if (place === 'iri' && unit !== '>' && text.includes('>', at) && !(isFirst && unit === '<')) continue;
      if (escaped) escaped = false;
      else if (unit === '\\' && place !== 'comment' && place !== 'iri') {
        escaped = true;
        quotes = 0;
        if (place === 'opening') place = 'short';
      } else {
        enter(unit);
        if (place === 'between' && (before !== 'between' || /[\0- ,;()[\]{}]/.test(unit))) cut = at + 1;
      }
    }
    return cut;
  };
}

const anyPiece = fc
  .array(fc.constantFrom('"', "'", '"""', '<', '>', '#', '\\', '\n', ' ', ',', 'a', 'é', '(', '@', '{'), {
    maxLength: 30,
  })
  .map((units) => units.join(''));

describe('pieces between tokens', () => {
  it('are those of a model that reads unit by unit', () => {
    fc.assert(
      fc.property(fc.array(anyPiece, { maxLength: 6 }), (texts) => {
        const pieces = createTokenPieces(1_000_000);
        const model = createModel();
        let kept = '';
        for (const text of texts) {
          const cut = model(text);
          expect(pieces.push(text)).toBe(cut === 0 ? '' : kept + text.slice(0, cut));
          kept = cut === 0 ? kept + text : text.slice(cut);
        }
        expect(pieces.finish()).toBe(kept);
      }),
      { numRuns: 2_000 },
    );
  });
});
