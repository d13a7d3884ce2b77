import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { RtfParser } from '../rtf/parser.ts';
import { addProperty, type Properties } from '../xml/properties.ts';

/** Dublin Core names of the entries of `\info`. */
const INFO_NAMES: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['author', 'creator'],
  ['subject', 'description'],
  ['keywords', 'subject'],
  ['creatim', 'created'],
  ['revtim', 'modified'],
]);

/** RTF: the text by code pages and `\u`, without what is hidden, struck out or an object. */
export const readRtf: FormatReader = ({ bytes }, { limits, text }) => {
  if (bytes.length > limits.maxEntryBytes) throw new ExtractionLimitError('the RTF', limits.maxEntryBytes, 'bytes');
  const properties: Properties = { metadata: {} };
  const parser = new RtfParser(
    {
      text: (piece) => text.append(piece),
      paragraph: () => text.endParagraph(),
      property: (name, value) => {
        const term = INFO_NAMES.get(name);
        if (term !== undefined && value.trim() !== '') addProperty(properties, term, name, value.trim());
      },
    },
    limits.maxDepth,
  );
  parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
  return properties;
};
