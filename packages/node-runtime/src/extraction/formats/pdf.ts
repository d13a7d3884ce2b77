import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader, Metadata } from '../format-reader.ts';
import type { ResolvedExtractionLimits } from '../limits.ts';
import type { TextBuilder } from '../text-builder.ts';

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;
type PdfTextItem = {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly transform: readonly number[];
  readonly height: number;
};

/** PDF: the text in the order in which the pages draw it, which is the reading order of all usual producers. */
export const readPdf: FormatReader = async ({ bytes }, { limits, text }) => {
  const { getDocumentProxy } = await import('unpdf');
  let pdf: PdfDocument;
  try {
    pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, useSystemFonts: false, stopAtErrors: false });
  } catch (error) {
    if ((error as Error).name === 'PasswordException') return { reason: 'encrypted' };
    throw error;
  }
  try {
    const { info } = await pdf.getMetadata();
    const facts = info as Record<string, unknown>;
    await readPages(pdf, limits, text);
    return { title: toText(facts['Title']), metadata: { ...toMetadata(facts), pages: pdf.numPages } };
  } finally {
    await pdf.destroy();
  }
};

async function readPages(pdf: PdfDocument, limits: ResolvedExtractionLimits, text: TextBuilder): Promise<void> {
  if (pdf.numPages > limits.maxPages) throw new ExtractionLimitError('pages', limits.maxPages, 'pages');
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    readPage(items as unknown as PdfTextItem[], text);
    page.cleanup();
  }
}

/** Lines that stand closer than one and a half of their height belong to one paragraph. */
function readPage(items: readonly PdfTextItem[], text: TextBuilder): void {
  let last: PdfTextItem | undefined;
  for (const item of items) {
    if (last !== undefined && startsParagraph(last, item)) text.endParagraph();
    else if (last?.hasEOL) text.append(' ');
    text.append(item.str);
    if (item.str !== '' || item.hasEOL)
      last = item.str.trim() === '' && last ? { ...last, hasEOL: last.hasEOL || item.hasEOL } : item;
  }
  text.endParagraph();
}

function startsParagraph(last: PdfTextItem, item: PdfTextItem): boolean {
  if (!last.hasEOL || item.str.trim() === '') return false;
  const distance = Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0));
  return distance > 1.5 * Math.max(last.height, item.height) || last.height !== item.height;
}

const INFO_NAMES: readonly (readonly [string, string])[] = [
  ['Author', 'creator'],
  ['Subject', 'description'],
  ['Language', 'language'],
  ['Producer', 'producer'],
];

function toMetadata(info: Record<string, unknown>): Metadata {
  const metadata: Metadata = {};
  for (const [name, key] of INFO_NAMES) {
    const value = toText(info[name]);
    if (value !== undefined) metadata[key] = value;
  }
  const keywords =
    toText(info['Keywords'])
      ?.split(/\s*[,;]\s*/)
      .filter(Boolean) ?? [];
  if (keywords.length > 0) metadata['subject'] = keywords;
  const created = toIsoDate(toText(info['CreationDate']));
  if (created !== undefined) metadata['created'] = created;
  const modified = toIsoDate(toText(info['ModDate']));
  if (modified !== undefined) metadata['modified'] = modified;
  return metadata;
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?'?)?/;

/** ISO 32000, 7.9.4: `D:20240131120000+02'00'`. */
function toIsoDate(text: string | undefined): string | undefined {
  const match = text === undefined ? null : PDF_DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , zone, zoneMinutes = '00'] =
    match;
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinutes}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
