import type { FormatReader } from '../format-reader.ts';
import { RDF_TYPES } from '../type/known-types.ts';
import { isTextLike } from '../type/text-likeness.ts';
import { readHtml } from './html.ts';
import { readPdf } from './pdf.ts';
import { readPlainText } from './plain-text.ts';

const READERS: ReadonlyMap<string, FormatReader> = new Map<string, FormatReader>([
  ['application/pdf', readPdf],
  ['text/html', readHtml],
  ['application/xhtml+xml', readHtml],
  ...[...RDF_TYPES].map((type) => [type, readPlainText] as const),
]);

/** The reader of a content type; any text without a reader of its own is read as plain text. */
export function findReader(contentType: string, bytes: Uint8Array): FormatReader | undefined {
  return READERS.get(contentType) ?? (isTextLike(bytes) ? readPlainText : undefined);
}
