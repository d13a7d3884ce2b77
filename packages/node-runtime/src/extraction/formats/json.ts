import { decodeText } from '../charset/text.ts';
import { ExtractionLimitError, malformed, TooMuchTextError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';

/** JSON: its strings in the order of the document, one to a line; not the names of members. */
export const readJson: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new TooMuchTextError('the JSON', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  checkDepth(text, limits.maxDepth);
  const value = parse(text);
  appendStrings(value, out);
  return { title: findTitle(value), metadata: { charset } };
};

/** NDJSON: as JSON, line by line. */
export const readJsonLines: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new ExtractionLimitError('the JSON', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  for (const line of lines) {
    checkDepth(line, limits.maxDepth);
    appendStrings(parse(line), out);
  }
  return { metadata: { charset, rows: lines.length } };
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser quotes the document; the position in it does not.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw malformed(`the JSON is malformed${position === undefined ? '' : ` at character ${position}`}`);
  }
}

/** Counts brackets outside strings; before parsing, since the parser's own stack takes 40 bytes for each. */
function checkDepth(text: string, maxDepth: number): void {
  let depth = 0;
  for (const [token] of text.matchAll(/[[{]|[\]}]|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > maxDepth) throw new ExtractionLimitError('values inside each other', maxDepth, 'deep');
  }
}

function appendStrings(value: unknown, out: TextBuilder): void {
  if (typeof value === 'string') {
    out.append(value);
    out.endParagraph();
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) appendStrings(member, out);
  }
}

function findTitle(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { title, name } = value as Record<string, unknown>;
  return [title, name].find((text): text is string => typeof text === 'string' && text.trim() !== '');
}
