import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { checkHeap } from '../heap-guard.ts';
import type { ResolvedExtractionLimits } from '../limits.ts';
import { toPdfMetadata, toPdfText } from '../pdf/info.ts';
import { checkPackedStreams } from '../pdf/packed-streams.ts';
import { PageText, type PdfTextItem } from '../pdf/page-text.ts';
import type { TextBuilder } from '../text-builder.ts';

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

const OPEN_OPTIONS = { verbosity: 0, useSystemFonts: false, stopAtErrors: false };

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
