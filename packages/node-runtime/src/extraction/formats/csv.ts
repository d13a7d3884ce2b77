import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from '../charset/decode.ts';
import { ExtractionLimitError, malformed } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** A record longer than this is a quote that was never closed. */
const MAX_RECORD_CHARACTERS = 1_048_576;

/** CSV and TSV: one line to a row, cells with tabs between them; the delimiter is the one that the first line has most. */
export const readCsv: FormatReader = ({ bytes, contentType, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new ExtractionLimitError('the table', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  const delimiter = contentType === 'text/tab-separated-values' ? '\t' : findDelimiter(text);
  const rows = parseRows(text, delimiter);
  for (const row of rows) {
    out.append(row.join('\t'));
    out.endParagraph();
  }
  return { metadata: { charset, rows: rows.length } };
};

function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
    });
  } catch (error) {
    // The message of the library quotes the record; its code does not.
    throw malformed(`the CSV is malformed: ${error instanceof CsvError ? error.code : 'unknown'}`);
  }
}

function findDelimiter(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}
