import { describe, expect, it } from 'vitest';
import { resolveIri } from './iri.ts';

describe('resolveIri', () => {
  // RFC 3986, 5.4.
  const base = 'http://a/b/c/d;p?q';
  const examples: [reference: string, iri: string][] = [
    ['g:h', 'g:h'],
    ['g', 'http://a/b/c/g'],
    ['./g', 'http://a/b/c/g'],
    ['g/', 'http://a/b/c/g/'],
    ['/g', 'http://a/g'],
    ['//g', 'http://g'],
    ['?y', 'http://a/b/c/d;p?y'],
    ['g?y', 'http://a/b/c/g?y'],
    ['#s', 'http://a/b/c/d;p?q#s'],
    ['g#s', 'http://a/b/c/g#s'],
    [';x', 'http://a/b/c/;x'],
    ['', 'http://a/b/c/d;p?q'],
    ['.', 'http://a/b/c/'],
    ['./', 'http://a/b/c/'],
    ['..', 'http://a/b/'],
    ['../g', 'http://a/b/g'],
    ['../..', 'http://a/'],
    ['../../g', 'http://a/g'],
    ['../../../g', 'http://a/g'],
    ['/./g', 'http://a/g'],
    ['/../g', 'http://a/g'],
    ['g.', 'http://a/b/c/g.'],
    ['..g', 'http://a/b/c/..g'],
    ['./g/.', 'http://a/b/c/g/'],
    ['g/../h', 'http://a/b/c/h'],
    ['g;x=1/../y', 'http://a/b/c/y'],
  ];

  it.each(examples)('resolves %j as the examples of RFC 3986 do', (reference, iri) => {
    expect(resolveIri(reference, base)).toBe(iri);
  });

  it('keeps an absolute IRI as it is written', () => {
    expect(resolveIri('http://a/b/../c', base)).toBe('http://a/b/../c');
  });

  it('gives nothing for a relative reference without a base, or for characters no IRI has', () => {
    expect(resolveIri('g', undefined)).toBeUndefined();
    expect(resolveIri('g', 'not-absolute')).toBeUndefined();
    expect(resolveIri('http://a/ b', base)).toBeUndefined();
  });
});
