import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { detectUtf16, findBom } from './unicode.ts';

/** Hints at a document's charset from outside its bytes. */
export interface CharsetHints {
  /** From the sender: a parameter of the content type. */
  readonly declared?: string | undefined;
  /** From the document itself: `<meta charset>` or an XML declaration. */
  readonly embedded?: string | undefined;
}

/** The encoding that an XML declaration at the start of a text names. */
export const XML_ENCODING: RegExp = /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})/;

/** Decodes a text in a charset that is detected. What cannot be decoded becomes U+FFFD; a byte order mark is dropped. */
export function decodeText(
  bytes: Uint8Array,
  hints?: CharsetHints,
): { readonly text: string; readonly charset: string } {
  const charset = detectCharset(bytes, hints);
  return { text: decode(bytes, charset), charset };
}

/** Encodings of the library that are not charsets of texts. */
const NO_CHARSETS: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'binary',
  'utf7',
  'utf-7',
  'utf7imap',
  'utf-7-imap',
]);

/** Decodes bytes from a charset; one that is unknown counts as windows-1252. */
export function decode(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (iconv.encodingExists(charset)) return iconv.decode(buffer, charset);
  return isWebCharset(charset) ? new TextDecoder(charset).decode(buffer) : iconv.decode(buffer, 'windows-1252');
}

function isKnownCharset(charset: string): boolean {
  return !NO_CHARSETS.has(charset.toLowerCase()) && (iconv.encodingExists(charset) || isWebCharset(charset));
}

function isWebCharset(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}

/** Detecting by letter frequency gets no better with more than this. */
const SAMPLE_BYTES = 65_536;
/** WHATWG Encoding: nobody means the C1 controls when they write ISO-8859-1. */
const WIDER: ReadonlyMap<string, string> = new Map([
  ['ascii', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
]);

/**
 * The charset of a text, lower case.
 *
 * In this order: a byte order mark; the declared charset; the embedded one; UTF-16 by its zeros; ISO-2022 by its
 * escapes; UTF-8 when the bytes are well-formed; letter frequencies; windows-1252. A charset that is unknown, or UTF-8
 * claimed for bytes that are not, is passed over.
 */
export function detectCharset(bytes: Uint8Array, hints: CharsetHints = {}): string {
  const bom = findBom(bytes);
  if (bom !== undefined) return bom;
  const wellFormed = isUtf8(bytes);
  const claimed = [hints.declared, hints.embedded].find((name) => isCredible(name, bytes, wellFormed));
  if (claimed !== undefined) return toWider(claimed);
  const utf16 = detectUtf16(bytes);
  if (utf16 !== undefined) return utf16;
  if (wellFormed && !hasIso2022Escape(bytes)) return 'utf-8';
  return detectByFrequency(bytes.subarray(0, SAMPLE_BYTES));
}

function isCredible(name: string | undefined, bytes: Uint8Array, wellFormed: boolean): boolean {
  if (name === undefined || !isKnownCharset(name)) return false;
  if (/^utf-?8$/i.test(name)) return wellFormed;
  // Bytes that can be read one by one as they are cannot be in UTF-16, whatever they say of themselves.
  return !/^utf-?(16|32)/i.test(name) || !wellFormed || bytes.includes(0);
}

function detectByFrequency(sample: Uint8Array): string {
  const match = analyse(sample).find(({ name }) => !/^utf/i.test(name) && isKnownCharset(name) && fits(sample, name));
  return match === undefined ? 'windows-1252' : toWider(match.name);
}

/** Returns true if every byte means something in a charset; the last character may be cut. */
function fits(sample: Uint8Array, charset: string): boolean {
  const text = decode(sample, toWider(charset));
  const strange = text.indexOf('\ufffd');
  return strange < 0 || strange >= text.length - 2;
}

function toWider(name: string): string {
  const lower = name.toLowerCase();
  return WIDER.get(lower) ?? lower;
}

function hasIso2022Escape(bytes: Uint8Array): boolean {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES));
  return sample.includes('\u001b$') || sample.includes('\u001b(J');
}
