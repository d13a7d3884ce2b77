import { isCodedError } from '@cairn/errors';
import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from '../charset/text.ts';
import { ExtractionLimitError, malformed, TooMuchTextError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** A record longer than this is a quote that was never closed. */
const MAX_RECORD_CHARACTERS = 1_048_576;

/** CSV and TSV: one line to a row, cells with tabs between them; the delimiter is the one that the first line has most. */
export const readCsv: FormatReader = ({ bytes, contentType, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new TooMuchTextError('the table', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  const delimiter = contentType === 'text/tab-separated-values' ? '\t' : findDelimiter(text);
  checkLines(text);
  return { metadata: { charset, rows: readRows(text, delimiter, out) } };
};

/** Adds the rows one by one, so that they are never held all at once; gives their number. */
function readRows(text: string, delimiter: string, out: TextBuilder): number {
  let rows = 0;
  const onRecord = (cells: readonly string[]): undefined => {
    rows++;
    out.append(cells.join('\t'));
    out.endParagraph();
  };
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      on_record: onRecord,
    });
  } catch (error) {
    if (isCodedError(error)) throw error;
    // The message of the library quotes the record; its code does not.
    throw malformed(`the CSV is malformed: ${error instanceof CsvError ? error.code : 'unknown'}`);
  }
  return rows;
}

/** The parser limits the size of a cell only, and each cell takes more memory than its delimiter. */
function checkLines(text: string): void {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const length = (end < 0 ? text.length : end) - start;
    if (length > MAX_RECORD_CHARACTERS) throw new ExtractionLimitError('a line', MAX_RECORD_CHARACTERS, 'characters');
    start += length + 1;
  }
}

function findDelimiter(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}
