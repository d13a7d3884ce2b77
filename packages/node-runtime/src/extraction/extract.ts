import type { Extraction, ExtractionRequest } from '@cairn/ingest';
import { ExtractionLimitError, TooMuchTextError, toExtractionError } from './extraction-error.ts';
import type { FormatContent, ReadContext } from './format-reader.ts';
import { findReader } from './formats/formats.ts';
import type { ResolvedExtractionLimits } from './limits.ts';
import { TextBuilder } from './text-builder.ts';
import { detectType, parseContentType } from './type/detect.ts';

/**
 * Detects the type of a document and reads it, in the current thread and without a time limit.
 * @throws `ERR_EXTRACTION` (invalid) for a malformed document or one that goes over a limit.
 */
export async function extractDocument(
  request: ExtractionRequest,
  limits: ResolvedExtractionLimits,
): Promise<Extraction> {
  const text = new TextBuilder(limits);
  const { contentType, title, metadata = {}, reason } = await readTopmost(request, limits, text);
  return {
    contentType,
    text: reason === undefined ? text.toText() : '',
    ...(title ? { title } : {}),
    metadata,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Bytes of text for each byte of a document, as far as compression of honest text goes. More is a bomb. */
const MAX_TEXT_RATIO = 20;

/** A text that is too long fails no document, but it is not cut either: half of it would be found wrongly. */
async function readTopmost(
  request: ExtractionRequest,
  limits: ResolvedExtractionLimits,
  text: TextBuilder,
): Promise<FormatContent & { contentType: string }> {
  try {
    return await readDocument(request, limits, text, 0);
  } catch (error) {
    const swells = request.bytes.length * MAX_TEXT_RATIO < limits.maxTextBytes;
    if (!(error instanceof TooMuchTextError) || swells) throw error;
    return { contentType: await detectType(request), reason: 'too much text' };
  }
}

async function readDocument(
  request: ExtractionRequest,
  limits: ResolvedExtractionLimits,
  text: TextBuilder,
  nesting: number,
): Promise<FormatContent & { contentType: string }> {
  if (nesting > limits.maxNesting)
    throw new ExtractionLimitError('documents inside documents', limits.maxNesting, 'deep');
  const contentType = await detectType(request);
  if (request.bytes.length === 0) return { contentType, reason: 'empty' };
  const reader = findReader(contentType, request.bytes);
  if (reader === undefined)
    return { contentType, reason: contentType === 'application/octet-stream' ? 'unknown type' : 'unsupported type' };
  const charset = parseContentType(request.declaredType)?.charset;
  const context: ReadContext = {
    limits,
    text,
    readNested: (nested) => readDocument(nested, limits, text, nesting + 1),
  };
  try {
    return { contentType, ...(await reader({ bytes: request.bytes, contentType, charset }, context)) };
  } catch (error) {
    throw toExtractionError(error, contentType);
  }
}
