import type { FormatReader } from '../format-reader.ts';
import { createMarkupHandler, type MarkupRules } from './markup-text.ts';
import { readOffice } from './office.ts';

const RULES: MarkupRules = {
  text: new Set(['t']),
  paragraph: new Set(['p']),
  insert: { tab: '\t', br: ' ', cr: ' ', noBreakHyphen: '-' },
  // Fallback repeats what its alternative already says; del is struck out; a paragraph's properties hold tab stops.
  skip: new Set(['Fallback', 'del', 'moveFrom', 'pPr', 'instrText']),
};
const FURTHER_PARTS = ['header', 'footer', 'footnotes', 'endnotes', 'comments'];

/** DOCX: body, headers and footers, notes and comments; not what was deleted under change tracking. */
export const readDocx: FormatReader = (input, context) =>
  readOffice(input, context, async (document) => {
    const further = FURTHER_PARTS.flatMap((type) => document.parts.filter((part) => part.type === type));
    for (const name of [document.main, ...further.map(({ target }) => target)]) {
      await document.archive.parse(name, createMarkupHandler(RULES, context.text));
    }
  });
