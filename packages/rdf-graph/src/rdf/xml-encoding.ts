import { CodedError } from '@cairn/errors';
import { createIsoDecoder } from './iso-decoder.ts';
import { type ByteDecoder, createDecoder } from './text-source.ts';

/** Bytes in which a declaration of the encoding must end: longer ones are taken as UTF-8. */
const MAX_DECLARATION_BYTES = 1_024;

/** Byte order marks, and the first character of a document in UTF-16 without one. */
const SIGNATURES: readonly (readonly [start: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0], 'utf-16le'],
  [[0, 0x3c], 'utf-16be'],
];

const DECLARED = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]{1,100})["']/;

/**
 * The decoder of an XML document by its first bytes: by the byte order mark, then the declaration, then UTF-8 (XML 1.0,
 * F). `undefined` while more bytes are needed. Names are those of the Encoding Standard, but ISO-8859-1 is itself, as
 * parsers of XML read it, and not windows-1252; so its sisters and US-ASCII.
 * @throws `ERR_RDF_ENCODING` (unsupported) for one that is not known, or that the bytes are not in
 */
export function findXmlDecoder(bytes: Uint8Array, isWhole: boolean): ByteDecoder | undefined {
  if (bytes.length < 4 && !isWhole) return undefined;
  const signature = SIGNATURES.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (signature !== undefined) return createDecoder(signature[1]);
  const head = String.fromCharCode(...bytes.subarray(0, MAX_DECLARATION_BYTES));
  const mayGoOn = !head.includes('>') && '<?xml'.startsWith(head.slice(0, 5));
  if (mayGoOn && !isWhole && bytes.length < MAX_DECLARATION_BYTES) return undefined;
  const declared = DECLARED.exec(head)?.[1];
  return declared === undefined ? createDecoder('utf-8') : declaredDecoder(declared);
}

function declaredDecoder(declared: string): ByteDecoder {
  try {
    const decoder = createDecoder(declared);
    // The declaration was read byte by byte, so two of them are no character.
    if (!decoder.encoding.startsWith('utf-16')) return createIsoDecoder(declared, decoder) ?? decoder;
  } catch (error) {
    throw unknownEncoding(declared, error);
  }
  throw unknownEncoding(declared);
}

function unknownEncoding(declared: string, cause?: unknown): CodedError {
  const message = `RDF/XML must be in UTF-8, UTF-16 or an encoding that is known and declared; got ${JSON.stringify(declared)}`;
  return new CodedError({ code: 'ERR_RDF_ENCODING', kind: 'unsupported', message, cause });
}
