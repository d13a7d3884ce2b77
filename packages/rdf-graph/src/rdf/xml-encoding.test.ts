import { describe, expect, it } from 'vitest';
import { parseRdf } from './parse.ts';

function document(encoding: string | undefined, text = 'é漢'): string {
  const declaration = encoding === undefined ? '' : `<?xml version="1.0" encoding="${encoding}"?>`;
  return `${declaration}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a" e:p="${text}"/></rdf:RDF>`;
}

async function textOf(bytes: Uint8Array, size = bytes.length): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  let value: string | undefined;
  for await (const quad of parseRdf(pieces, { contentType: 'application/rdf+xml' })) value = quad.object.value;
  return value;
}

const LATIN = Buffer.from(document('ISO-8859-1', '\u00c3\u00a9'), 'latin1');
const LITTLE = Buffer.from(`\ufeff${document('UTF-16')}`, 'utf16le');
const BIG = Buffer.from(LITTLE).swap16();

describe('the encoding of RDF/XML', () => {
  it.each([
    ['as it is declared', LATIN, '\u00c3\u00a9'],
    ['UTF-16 with the low byte first', LITTLE, 'é漢'],
    ['UTF-16 with the high byte first', BIG, 'é漢'],
    ['UTF-16 told by its first character', LITTLE.subarray(2), 'é漢'],
    ['UTF-8 where nothing is declared', Buffer.from(document(undefined)), 'é漢'],
    ['UTF-8 by its byte order mark, whatever is declared', Buffer.from(`\ufeff${document('ISO-8859-1')}`), 'é漢'],
  ])('is %s, in pieces of any size', async (_, bytes, text) => {
    for (const size of [1, 2, 3, 7, bytes.length]) expect(await textOf(bytes, size)).toBe(text);
  });

  it.each(['x-unheard-of', 'UTF-7', 'UTF-16'])(
    'is refused by name where %s is declared and not there',
    async (name) => {
      await expect(textOf(Buffer.from(document(name)))).rejects.toMatchObject({
        code: 'ERR_RDF_ENCODING',
        kind: 'unsupported',
        message: expect.stringContaining(JSON.stringify(name)),
      });
    },
  );

  it.each([
    ['ISO-8859-1', '\u0080\u009f\u00ff', [0x80, 0x9f, 0xff]],
    ['latin1', '\u0093a\u0094', [0x93, 0x61, 0x94]],
    ['windows-1252', '\u20ac\u0178\u00ff', [0x80, 0x9f, 0xff]],
    ['cp1252', '\u201ca\u201d', [0x93, 0x61, 0x94]],
    ['ISO-8859-9', '\u0080\u011e', [0x80, 0xd0]],
    ['windows-1254', '\u20ac\u011e', [0x80, 0xd0]],
    ['TIS-620', '\u0085\u0e01', [0x85, 0xa1]],
    ['windows-874', '\u2026\u0e01', [0x85, 0xa1]],
    ['ISO-8859-15', '\u0080\u20ac', [0x80, 0xa4]],
    ['us-ascii', 'a~', [0x61, 0x7e]],
  ])('is %s itself, and no other of Windows', async (name, text, bytes) => {
    const written = Buffer.from(document(name, String.fromCharCode(...bytes)), 'latin1');
    for (const size of [1, 5, written.length]) expect(await textOf(written, size)).toBe(text);
  });

  it('is US-ASCII for bytes of seven bits alone', async () => {
    const written = Buffer.from(document('us-ascii', 'caf\u00e9'), 'latin1');
    await expect(textOf(written)).rejects.toMatchObject({
      code: 'ERR_RDF_SYNTAX',
      message: expect.stringContaining('not US-ASCII'),
    });
  });

  it('is one that all bytes must be of', async () => {
    const cut = LITTLE.subarray(0, LITTLE.length - 1);
    await expect(textOf(cut)).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
    const bytes = Buffer.from(document('utf-8', '\u00e9'), 'latin1');
    await expect(textOf(bytes)).rejects.toMatchObject({ message: expect.stringContaining('not UTF-8') });
  });
});
