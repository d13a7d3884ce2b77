import { isCodedError } from '@cairn/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from './base64.ts';
import { choice, flag, integer, optionalText, requiredText, texts } from './parameter.ts';
import { type ParameterSource, readParameters } from './read.ts';
import { parseForm } from './sent.ts';

const source: ParameterSource = { endpoint: 'GET /documents', kind: 'query', ignoreUnknown: false };
const table = {
  query: requiredText('query', { description: '' }),
  limit: integer('limit', { description: '', minimum: 1, maximum: 1000, fallback: 100 }),
  mode: choice('mode', { description: '', choices: ['any', 'entity'], fallback: 'any' }),
  shown: flag('shown', { description: '' }),
  ids: texts('id', { description: '', base64By: 'is-base64' }),
  isBase64: flag('is-base64', { description: '' }),
  indices: texts('indices', { description: '', commaSeparated: true }),
  sort: optionalText('sort', { description: '' }),
};

function read(text: string): ReturnType<typeof readParameters<typeof table>> {
  return readParameters(table, parseForm(text), source);
}

function faultOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (isCodedError(error)) return `${error.code} ${error.message}`;
  }
  return 'none';
}

describe('reading parameters', () => {
  it('fills in the defaults', () => {
    expect(read('query=a')).toEqual({
      query: 'a',
      limit: 100,
      mode: 'any',
      shown: false,
      ids: [],
      isBase64: false,
      indices: [],
      sort: undefined,
    });
  });

  it('reads every type', () => {
    expect(
      read('query=a&limit=1000&mode=ENTITY&shown=True&id=1&id=2&indices=a,b&indices=c&sort=%3Cstart'),
    ).toMatchObject({
      limit: 1000,
      mode: 'entity',
      shown: true,
      ids: ['1', '2'],
      indices: ['a', 'b', 'c'],
      sort: '<start',
    });
  });

  it.each([
    ['', 'query parameter query is required'],
    ['query=%20', 'query parameter query is required'],
    ['query=a&limit=0', 'query parameter limit must be 1 to 1000; got "0"'],
    ['query=a&limit=1001', 'query parameter limit must be 1 to 1000; got "1001"'],
    ['query=a&limit=1.5', 'query parameter limit must be 1 to 1000; got "1.5"'],
    ['query=a&limit=', 'query parameter limit must be 1 to 1000; got nothing'],
    ['query=a&mode=all', 'query parameter mode must be one of any, entity; got "all"'],
    ['query=a&shown=yes', 'query parameter shown must be true or false; got "yes"'],
    ['query=a&query=b', 'query parameter query must be given once; got 2'],
    ['query=a&id=%21&is-base64=true', 'query parameter id must be canonical base64 of UTF-8 text; got "!"'],
  ])('refuses %j naming the parameter, the value and the bound', (text, fault) => {
    expect(faultOf(text)).toBe(`ERR_PARAMETER GET /documents: ${fault}`);
  });

  it('refuses a parameter that it does not know, and names the ones it does', () => {
    expect(faultOf('query=a&Limit=5')).toBe(
      'ERR_PARAMETER GET /documents: query parameter "Limit" is unknown; known are query, limit, mode, shown, id, is-base64, indices, sort',
    );
    expect(readParameters(table, parseForm('query=a&x=1'), { ...source, ignoreUnknown: true }).query).toBe('a');
  });

  it('tells several faults together', () => {
    expect(faultOf('limit=0')).toMatch(/^ERR_PARAMETERS .*query is required; .*limit must be/);
  });

  it('decodes base64 of either alphabet when the flag says so', () => {
    const iri = 'https://example.org/?ü>>';
    const standard = encodeURIComponent(Buffer.from(iri).toString('base64'));
    const url = Buffer.from(iri).toString('base64url');
    expect(read(`query=a&is-base64=true&id=${standard}&id=${url}`).ids).toEqual([iri, iri]);
  });
});

describe('base64', () => {
  it('gives back every text, in both alphabets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeBase64(Buffer.from(text).toString('base64'))).toBe(text);
        expect(decodeBase64(Buffer.from(text).toString('base64url'))).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['YQ=', 'YR==', 'Y', 'YQ==YQ==', 'Y Q=', '/_8=', '_w'])(
    'refuses %j, which is not canonical or not UTF-8',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});
