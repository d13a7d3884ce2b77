import type { FormatReader } from '../format-reader.ts';
import { RDF_TYPES } from '../type/known-types.ts';
import { isTextLike } from '../type/text-likeness.ts';
import { readCsv } from './csv.ts';
import { readDocx } from './docx.ts';
import { readEpub } from './epub.ts';
import { readHtml } from './html.ts';
import { readJson, readJsonLines } from './json.ts';
import { readMail } from './mail.ts';
import { readMarkdown } from './markdown.ts';
import { readEncryptedOffice } from './office.ts';
import { readOpenDocument } from './open-document.ts';
import { readPdf } from './pdf.ts';
import { readPlainText } from './plain-text.ts';
import { readPptx } from './pptx.ts';
import { readRtf } from './rtf.ts';
import { readXlsx } from './xlsx.ts';
import { readXml } from './xml.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

const READERS: ReadonlyMap<string, FormatReader> = new Map<string, FormatReader>([
  ['application/pdf', readPdf],
  [`${OOXML}.wordprocessingml.document`, readDocx],
  [`${OOXML}.wordprocessingml.template`, readDocx],
  ['application/vnd.ms-word.document.macroenabled.12', readDocx],
  [`${OOXML}.spreadsheetml.sheet`, readXlsx],
  [`${OOXML}.spreadsheetml.template`, readXlsx],
  ['application/vnd.ms-excel.sheet.macroenabled.12', readXlsx],
  [`${OOXML}.presentationml.presentation`, readPptx],
  [`${OOXML}.presentationml.slideshow`, readPptx],
  [`${OOXML}.presentationml.template`, readPptx],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', readPptx],
  [`${ODF}.text`, readOpenDocument],
  [`${ODF}.spreadsheet`, readOpenDocument],
  [`${ODF}.presentation`, readOpenDocument],
  ['application/epub+zip', readEpub],
  ['application/x-cfb', readEncryptedOffice],
  ['application/rtf', readRtf],
  ['text/html', readHtml],
  ['application/xhtml+xml', readHtml],
  ['message/rfc822', readMail],
  ['text/csv', readCsv],
  ['text/tab-separated-values', readCsv],
  ['application/json', readJson],
  ['application/x-ndjson', readJsonLines],
  ['application/xml', readXml],
  ['text/markdown', readMarkdown],
  ...[...RDF_TYPES].map((type) => [type, readPlainText] as const),
]);

/** Types that are named by what they are written in (RFC 6838, 4.2.8). */
const SUFFIXES: readonly (readonly [string, FormatReader])[] = [
  ['+xml', readXml],
  ['+json', readJson],
];

/** The reader of a content type; any text without a reader of its own is read as plain text. */
export function findReader(contentType: string, bytes: Uint8Array): FormatReader | undefined {
  const bySuffix = SUFFIXES.find(([suffix]) => contentType.endsWith(suffix))?.[1];
  return READERS.get(contentType) ?? bySuffix ?? (isTextLike(bytes) ? readPlainText : undefined);
}
