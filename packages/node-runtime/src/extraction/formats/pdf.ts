import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader, Metadata } from '../format-reader.ts';
import { checkHeap } from '../heap-guard.ts';
import type { ResolvedExtractionLimits } from '../limits.ts';
import { locateCharacterMaps } from '../pdf/character-maps.ts';
import { checkPackedStreams } from '../pdf/packed-streams.ts';
import { PageText, type PdfTextItem } from '../pdf/page-text.ts';
import type { TextBuilder } from '../text-builder.ts';

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

const OPEN_OPTIONS = {
  verbosity: 0,
  useSystemFonts: false,
  stopAtErrors: false,
  cMapUrl: locateCharacterMaps(),
  cMapPacked: true,
};

/** PDF: the text in the order in which the pages draw it, which is the reading order of all usual producers. */
export const readPdf: FormatReader = async ({ bytes }, { limits, text }) => {
  checkPackedStreams(bytes, limits);
  const pdf = await openPdf(bytes);
  if (pdf === undefined) return { reason: 'encrypted' };
  try {
    const info = (await pdf.getMetadata()).info as Record<string, unknown>;
    await readPages(pdf, limits, text);
    return { title: toPdfText(info['Title']), metadata: { ...toPdfMetadata(info), pages: pdf.numPages } };
  } finally {
    await pdf.destroy();
  }
};

/** `undefined` when it takes a password. The bytes are copied, since the library takes them over. */
async function openPdf(bytes: Uint8Array): Promise<PdfDocument | undefined> {
  // Loaded when first needed: it is by far the largest of the libraries.
  const { getDocumentProxy } = await import('unpdf');
  try {
    return await getDocumentProxy(new Uint8Array(bytes), OPEN_OPTIONS);
  } catch (error) {
    if ((error as Error).name === 'PasswordException') return undefined;
    throw error;
  }
}

async function readPages(pdf: PdfDocument, limits: ResolvedExtractionLimits, text: TextBuilder): Promise<void> {
  if (pdf.numPages > limits.maxPages) throw new ExtractionLimitError('pages', limits.maxPages, 'pages');
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    await readPage(page, text);
    page.cleanup();
    checkHeap(limits.maxHeapBytes);
  }
}

async function readPage(page: PdfPage, text: TextBuilder): Promise<void> {
  const pageText = new PageText(text);
  const chunks = page.streamTextContent() as AsyncIterable<{ readonly items: readonly PdfTextItem[] }>;
  for await (const { items } of chunks) for (const item of items) pageText.add(item);
  pageText.end();
}

const TEXTS: readonly (readonly [string, string])[] = [
  ['Author', 'creator'],
  ['Subject', 'description'],
  ['Language', 'language'],
];
const DATES: readonly (readonly [string, string])[] = [
  ['CreationDate', 'created'],
  ['ModDate', 'modified'],
];

/** The entries of a PDF's information dictionary by the names of Dublin Core. */
function toPdfMetadata(info: Readonly<Record<string, unknown>>): Metadata {
  const metadata: Metadata = {};
  const set = (name: string, value: string | readonly string[] | undefined): void => {
    if (value !== undefined && value.length > 0) metadata[name] = value;
  };
  for (const [entry, name] of TEXTS) set(name, toPdfText(info[entry]));
  for (const [entry, name] of DATES) set(name, parsePdfDate(toPdfText(info[entry])));
  set(
    'subject',
    toPdfText(info['Keywords'])
      ?.split(/[,;]/)
      .map((word) => word.trim())
      .filter(Boolean),
  );
  return metadata;
}

/** A text that says something; `undefined` for anything else. */
function toPdfText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?'?)?/;

/** A date of ISO 32000, 7.9.4, `D:20240131130000+01'00'`, as ISO 8601 in UTC. */
function parsePdfDate(text: string | undefined): string | undefined {
  const match = text === undefined ? null : PDF_DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinutes = '00'] = match;
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinutes}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
