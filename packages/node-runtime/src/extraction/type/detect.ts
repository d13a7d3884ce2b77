import { MIMEType } from 'node:util';
import type { ExtractionRequest } from '@cairn/ingest';
import { fileTypeFromBuffer } from 'file-type';
import { decodeText } from '../charset/text.ts';
import { isTextType, toKnownType, typeOfFilename } from '../formats/formats.ts';
import { isTextLike } from './text-likeness.ts';

/** Types that programs declare when they know nothing better; an extension says more. */
const WEAK: ReadonlySet<string> = new Set([
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/xml',
  'application/json',
  'application/zip',
]);
/** Magic bytes that say only what a document is wrapped in. */
const WRAPPERS: ReadonlySet<string> = new Set(['application/zip', 'application/x-cfb', 'application/xml']);
const HTML = /^<(?:!doctype\s+html|html|head|body|title|script|h1|table|div|p)\b/i;
const HEADER_LINE =
  /^(?:from|to|cc|date|subject|message-id|mime-version|received|return-path|delivered-to|reply-to|content-type|x-[\w-]+):\s/i;
/** Only this much is sniffed for a type. */
const SNIFF_BYTES = 1_048_576;

/**
 * The type of a document: a lower-case media type without parameters, `application/octet-stream` when unknown.
 *
 * In this order: magic bytes of a format (not of a mere wrapper, and not those of a binary format on what looks like
 * text); the declared type, when it is a known one that fits the bytes and says more than text/plain or
 * application/octet-stream; the extension, when it fits the bytes; the declared type whatever it is; the look of the
 * text; the wrapper. A type fits when both it and the bytes are text, or neither is.
 */
export async function detectType({ bytes, filename, declaredType }: ExtractionRequest): Promise<string> {
  const magic = await detectMagic(bytes);
  const textLike = isTextLike(bytes);
  if (magic !== undefined && !WRAPPERS.has(magic) && (!textLike || toKnownType(magic) !== undefined)) return magic;
  const fits = (type: string): boolean => bytes.length === 0 || isTextType(type) === textLike;
  const declared = parseContentType(declaredType)?.essence;
  const known = declared === undefined ? undefined : toKnownType(declared);
  if (known !== undefined && !WEAK.has(known) && fits(known)) return known;
  const byName = typeOfFilename(filename);
  if (byName !== undefined && fits(byName)) return byName;
  if (textLike) return detectTextType(bytes, declared, known);
  return magic ?? (declared !== undefined && !known ? declared : 'application/octet-stream');
}

function detectTextType(bytes: Uint8Array, declared: string | undefined, known: string | undefined): string {
  const sniffed = sniffTextType(decodeText(bytes.subarray(0, SNIFF_BYTES)).text);
  if (sniffed !== 'text/plain') return sniffed;
  if (known !== undefined && isTextType(known)) return known;
  return declared !== undefined && !known && !WEAK.has(declared) ? declared : sniffed;
}

async function detectMagic(bytes: Uint8Array): Promise<string | undefined> {
  try {
    const mime = (await fileTypeFromBuffer(bytes))?.mime;
    return mime === undefined ? undefined : (toKnownType(mime) ?? mime);
  } catch {
    // A file that only starts like the format it claims to be: its reader will say what is wrong with it.
    return undefined;
  }
}

/** Takes a declared content type apart, in lower case; `undefined` when there is none or it is malformed. */
export function parseContentType(
  declared: string | undefined,
): { readonly essence: string; readonly charset: string | undefined } | undefined {
  if (!declared) return undefined;
  try {
    const type = new MIMEType(declared);
    return { essence: type.essence, charset: type.params.get('charset')?.toLowerCase() };
  } catch {
    return undefined;
  }
}

/** The type of a text that neither its sender nor its name tells: HTML, XML, JSON, a mail, or plain text. */
function sniffTextType(text: string): string {
  const start = text.trimStart().slice(0, 1024);
  if (HTML.test(start)) return 'text/html';
  if (start.startsWith('<?xml')) return 'application/xml';
  if (isMail(text)) return 'message/rfc822';
  if (/^[{[]/.test(start) && isJson(text)) return 'application/json';
  return 'text/plain';
}

/** At least three lines of mail headers at the very start, folded ones aside, and one of them says from whom. */
function isMail(text: string): boolean {
  const lines = text
    .slice(0, 8192)
    .split(/\r?\n/)
    .filter((line) => !/^[ \t]/.test(line));
  const end = lines.findIndex((line) => !HEADER_LINE.test(line));
  const headers = end < 0 ? lines : lines.slice(0, end);
  return headers.length >= 3 && headers.some((line) => /^(?:from|received|return-path):/i.test(line));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
