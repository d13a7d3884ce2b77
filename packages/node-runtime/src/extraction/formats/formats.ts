import type { FormatReader } from '../format-reader.ts';
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

interface Format {
  readonly isText?: boolean;
  readonly extensions: readonly string[];
  readonly aliases?: readonly string[];
  /** Without one, what looks like text is read as such. */
  readonly read?: FormatReader;
}

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

const FORMATS: Readonly<Record<string, Format>> = {
  'application/pdf': { extensions: ['pdf'], aliases: ['application/x-pdf'], read: readPdf },
  [`${OOXML}.wordprocessingml.document`]: { extensions: ['docx'], read: readDocx },
  [`${OOXML}.wordprocessingml.template`]: { extensions: ['dotx'], read: readDocx },
  'application/vnd.ms-word.document.macroenabled.12': { extensions: ['docm'], read: readDocx },
  'application/vnd.ms-word.template.macroenabled.12': { extensions: ['dotm'], read: readDocx },
  [`${OOXML}.spreadsheetml.sheet`]: { extensions: ['xlsx'], read: readXlsx },
  [`${OOXML}.spreadsheetml.template`]: { extensions: ['xltx'], read: readXlsx },
  'application/vnd.ms-excel.sheet.macroenabled.12': { extensions: ['xlsm'], read: readXlsx },
  'application/vnd.ms-excel.template.macroenabled.12': { extensions: ['xltm'], read: readXlsx },
  [`${OOXML}.presentationml.presentation`]: { extensions: ['pptx'], read: readPptx },
  [`${OOXML}.presentationml.slideshow`]: { extensions: ['ppsx'], read: readPptx },
  [`${OOXML}.presentationml.template`]: { extensions: ['potx'], read: readPptx },
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': { extensions: ['pptm'], read: readPptx },
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': { extensions: ['ppsm'], read: readPptx },
  'application/vnd.ms-powerpoint.template.macroenabled.12': { extensions: ['potm'], read: readPptx },
  [`${ODF}.text`]: { extensions: ['odt'], read: readOpenDocument },
  [`${ODF}.text-template`]: { extensions: ['ott'], read: readOpenDocument },
  [`${ODF}.spreadsheet`]: { extensions: ['ods'], read: readOpenDocument },
  [`${ODF}.spreadsheet-template`]: { extensions: ['ots'], read: readOpenDocument },
  [`${ODF}.presentation`]: { extensions: ['odp'], read: readOpenDocument },
  [`${ODF}.presentation-template`]: { extensions: ['otp'], read: readOpenDocument },
  'application/epub+zip': { extensions: ['epub'], read: readEpub },
  'application/msword': { extensions: ['doc'] },
  'application/vnd.ms-excel': { extensions: ['xls'] },
  'application/vnd.ms-powerpoint': { extensions: ['ppt'] },
  'application/rtf': { isText: true, extensions: ['rtf'], aliases: ['text/rtf', 'text/richtext'], read: readRtf },
  'text/html': { isText: true, extensions: ['html', 'htm'], read: readHtml },
  'application/xhtml+xml': { isText: true, extensions: ['xhtml', 'xht'], read: readHtml },
  'message/rfc822': { isText: true, extensions: ['eml'], read: readMail },
  'text/csv': { isText: true, extensions: ['csv'], read: readCsv },
  'text/tab-separated-values': { isText: true, extensions: ['tsv', 'tab'], read: readCsv },
  'application/json': { isText: true, extensions: ['json', 'geojson'], read: readJson },
  'application/x-ndjson': { isText: true, extensions: ['ndjson', 'jsonl'], read: readJsonLines },
  'application/xml': { isText: true, extensions: ['xml'], aliases: ['text/xml'], read: readXml },
  'text/markdown': { isText: true, extensions: ['md', 'markdown'], aliases: ['text/x-markdown'], read: readMarkdown },
  'text/plain': { isText: true, extensions: ['txt', 'text', 'log'] },
  'text/turtle': { isText: true, extensions: ['ttl'], aliases: ['application/x-turtle'], read: readPlainText },
  'application/n-triples': { isText: true, extensions: ['nt'], read: readPlainText },
  'application/n-quads': { isText: true, extensions: ['nq'], read: readPlainText },
  'application/trig': { isText: true, extensions: ['trig'], read: readPlainText },
  'text/n3': { isText: true, extensions: ['n3'], read: readPlainText },
  'application/rdf+xml': { isText: true, extensions: ['rdf', 'owl'], read: readPlainText },
  'application/ld+json': { isText: true, extensions: ['jsonld'], read: readPlainText },
  'application/rdf-patch': { isText: true, extensions: ['rdfp', 'rdfpatch'], read: readPlainText },
};

/** A wrapper of encrypted documents and of those from before 2007; the type of no document. */
const COMPOUND_FILE = 'application/x-cfb';

/** Types that are named by what they are written in (RFC 6838, 4.2.8). */
const SUFFIXES: readonly (readonly [string, FormatReader])[] = [
  ['+xml', readXml],
  ['+json', readJson],
];

/** The reader of a content type; any text without a reader of its own is read as plain text. */
export function findReader(contentType: string, bytes: Uint8Array): FormatReader | undefined {
  if (contentType === COMPOUND_FILE) return readEncryptedOffice;
  const bySuffix = SUFFIXES.find(([suffix]) => contentType.endsWith(suffix))?.[1];
  return FORMATS[contentType]?.read ?? bySuffix ?? (isTextLike(bytes) ? readPlainText : undefined);
}

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMATS).flatMap(([type, { aliases = [] }]) => [type, ...aliases].map((name) => [name, type])),
);

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMATS).flatMap(([type, { extensions }]) => extensions.map((extension) => [extension, type])),
);

/** The usual name of a type that is known here, whichever of its names is given. */
export function toKnownType(name: string): string | undefined {
  return BY_NAME.get(name);
}

/** The type that a file name's extension stands for. */
export function typeOfFilename(filename: string): string | undefined {
  const extension = /\.([^./\\]{1,16})$/.exec(filename)?.[1];
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase());
}

/** Returns true if the bytes of a type are known to be text. */
export function isTextType(type: string): boolean {
  return FORMATS[type]?.isText === true;
}
