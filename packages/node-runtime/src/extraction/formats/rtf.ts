import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { RtfParser } from '../rtf/parser.ts';

/** RTF: the text by code pages and `\u`, without what is hidden, struck out or an object. */
export const readRtf: FormatReader = ({ bytes }, { limits, text }) => {
  if (bytes.length > limits.maxEntryBytes) throw new ExtractionLimitError('the RTF', limits.maxEntryBytes, 'bytes');
  const parser = new RtfParser(text, limits.maxDepth);
  parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
  return parser.properties;
};
