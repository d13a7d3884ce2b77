import { describe, expect, it } from 'vitest';
import { detectType } from './detect.ts';

const text = (value: string): Buffer => Buffer.from(value);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const noise = Buffer.from([1, 2, 3, 0, 4, 0, 9, 200, 201, 0, 0, 7]);
const OOXML = 'application/vnd.openxmlformats-officedocument';

const CASES: readonly [string, Buffer, string, string | undefined, string][] = [
  ['magic bytes over everything else', text('%PDF-1.7\n'), 'a.docx', 'text/plain', 'application/pdf'],
  ['RTF by its first word', text('{\\rtf1 x}'), 'a.txt', undefined, 'application/rtf'],
  ['an image whatever its name says', png, 'a.txt', 'text/plain', 'image/png'],
  ['text over the magic of two letters', text('BM is short for bookmark, MZ is not'), 'a.txt', undefined, 'text/plain'],
  ['the declared type over the extension', text('a,b'), 'a.txt', 'text/csv; charset=utf-8', 'text/csv'],
  ['the usual name of a declared type', text('# x'), 'a', 'text/x-markdown', 'text/markdown'],
  ['the extension over a weak declared type', text('a,b'), 'a.CSV', 'text/plain', 'text/csv'],
  ['the extension over text/xml', text('<x/>'), 'a.rdf', 'text/xml', 'application/rdf+xml'],
  ['the extension over a declared type that cannot be', text('a,b'), 'a.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['text over an extension that cannot be', text('just words'), 'a.pdf', undefined, 'text/plain'],
  ['the extension for bytes that may be it', noise, 'a.docx', undefined, `${OOXML}.wordprocessingml.document`],
  ['RDF by its extension', text('@prefix a: <b:> .'), 'x/y.ttl', undefined, 'text/turtle'],
  ['RDF by its declared type', text('{}'), 'a', 'application/ld+json', 'application/ld+json'],
  ['HTML by its looks', text('\n <!DOCTYPE html><p>x'), '', undefined, 'text/html'],
  ['XML by its looks', text('<?xml version="1.0"?><x/>'), '', undefined, 'application/xml'],
  ['JSON by its looks', text(' {"a": [1]}'), '', 'application/octet-stream', 'application/json'],
  ['no JSON that is none', text('[see below]'), '', undefined, 'text/plain'],
  [
    'a mail by its looks',
    text('From: a@example.com\nTo: b@example.com\nSubject: x\n\nHello'),
    '',
    undefined,
    'message/rfc822',
  ],
  ['no mail by one line', text('From: the start\nwe went on'), '', undefined, 'text/plain'],
  ['UTF-16 as text', Buffer.from('\ufeffwords', 'utf16le'), '', undefined, 'text/plain'],
  ['another declared text as it is', text('let x'), 'a.js', 'text/javascript', 'text/javascript'],
  ['another declared type for other bytes', noise, 'a.bin', 'application/x-thing', 'application/x-thing'],
  ['nothing for noise', noise, '', undefined, 'application/octet-stream'],
  ['nothing for noise with a malformed declared type', noise, '', ';;', 'application/octet-stream'],
  ['the extension of an empty file', text(''), 'a.pdf', undefined, 'application/pdf'],
  ['no extension for a name that ends in a slash of dots', text('x'), '../..', undefined, 'text/plain'],
];

describe('detectType', () => {
  it.each(CASES)('takes %s', async (_what, bytes, filename, declaredType, expected) => {
    expect(await detectType({ bytes, filename, declaredType })).toBe(expected);
  });
});
