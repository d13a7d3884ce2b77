import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { createPropertiesHandler, type Properties } from '../xml/properties.ts';
import { createMarkupHandler, type MarkupRules } from './markup-text.ts';

/** A count of spaces is cut here: it is a number that any size can be written in. */
const MAX_SPACES = 100;

const RULES: MarkupRules = {
  text: new Set(['p', 'h']),
  paragraph: new Set(['p', 'h', 'table-row']),
  insert: {
    tab: '\t',
    s: (element) => ' '.repeat(Math.min(Number(element.attribute('c') ?? 1) || 1, MAX_SPACES)),
    'line-break': ' ',
  },
  skip: new Set(['tracked-changes']),
};

/** In a spreadsheet a paragraph is a cell, and a line is a row. */
const SHEET_RULES: MarkupRules = {
  ...RULES,
  paragraph: new Set(['table-row']),
  insert: { ...RULES.insert, 'table-cell': '\t' },
};

/** ODT, ODS and ODP, and templates of them: the text of the content, the properties of `meta.xml`. */
export const readOpenDocument: FormatReader = async ({ bytes, contentType }, context) => {
  const kind = contentType.replace(/^.*\.|-template$/g, '');
  const { limits, text } = context;
  const archive = await ZipArchive.open(bytes, limits);
  if (archive.isEncrypted || (await hasEncryptedParts(archive))) return { reason: 'encrypted' };
  if (!archive.has('content.xml')) throw malformed('the OpenDocument file has no content.xml');
  const properties: Properties = { metadata: {} };
  await readOpenDocumentProperties(archive, properties);
  const isSheet = kind === 'spreadsheet';
  const handler = createMarkupHandler(isSheet ? SHEET_RULES : RULES, text);
  const sheets: string[] = [];
  let slides = 0;
  await archive.parse('content.xml', {
    ...handler,
    open: (element) => {
      if (element.local === 'page') slides++;
      if (isSheet && element.local === 'table') {
        sheets.push(element.attribute('name') ?? '');
        text.append(sheets[sheets.length - 1]);
        text.endParagraph();
      }
      handler.open?.(element);
    },
  });
  if (isSheet) properties.metadata['sheets'] = sheets;
  if (kind === 'presentation') properties.metadata['slides'] = slides;
  return properties;
};

async function hasEncryptedParts(archive: ZipArchive): Promise<boolean> {
  let encrypted = false;
  await archive.parse('META-INF/manifest.xml', {
    open: ({ local }) => {
      if (local === 'encryption-data') encrypted = true;
    },
  });
  return encrypted;
}

async function readOpenDocumentProperties(archive: ZipArchive, properties: Properties): Promise<void> {
  await archive.parse('meta.xml', createPropertiesHandler(properties));
  const { metadata } = properties;
  // In OpenDocument dc:date is when the document was last changed.
  const { date, ...rest } = metadata;
  if (date === undefined) return;
  delete metadata['date'];
  Object.assign(metadata, rest, { modified: date });
}
