import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { type Properties, readProperties } from '../xml/properties.ts';
import { parseXml, type XmlElement, type XmlHandler } from '../xml/sax.ts';
import { createMarkupHandler, type MarkupRules } from './markup-text.ts';
import { parsePart } from './office.ts';

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

/** ODT, ODS and ODP: the text of the content, the properties of `meta.xml`. */
export const readOpenDocument: FormatReader = async ({ bytes, contentType }, context) => {
  const { limits, text } = context;
  const archive = await ZipArchive.open(bytes, limits);
  if (archive.isEncrypted || (await hasEncryptedParts(archive, limits.maxDepth))) return { reason: 'encrypted' };
  if (!archive.has('content.xml')) throw malformed('the OpenDocument file has no content.xml');
  const properties: Properties = { metadata: {} };
  const meta = await archive.read('meta.xml');
  if (meta !== undefined) readOpenDocumentProperties(meta, limits.maxDepth, properties);
  const isSheet = contentType.endsWith('.spreadsheet');
  const handler = createMarkupHandler(isSheet ? SHEET_RULES : RULES, text);
  const counted = new PartNames(isSheet ? 'table' : 'page');
  await parsePart({ archive, context }, 'content.xml', {
    ...handler,
    open: (element) => {
      if (counted.add(element) && isSheet) {
        text.append(element.attribute('name') ?? '');
        text.endParagraph();
      }
      handler.open?.(element);
    },
  });
  if (isSheet) properties.metadata['sheets'] = counted.names;
  if (contentType.endsWith('.presentation')) properties.metadata['slides'] = counted.names.length;
  return properties;
};

/** Collects the names of the sheets or slides on the way. */
class PartNames {
  readonly names: string[] = [];
  readonly #local: string;

  constructor(local: string) {
    this.#local = local;
  }

  add(element: XmlElement): boolean {
    if (element.local !== this.#local) return false;
    this.names.push(element.attribute('name') ?? '');
    return true;
  }
}

async function hasEncryptedParts(archive: ZipArchive, maxDepth: number): Promise<boolean> {
  const manifest = await archive.read('META-INF/manifest.xml');
  let encrypted = false;
  const handler: XmlHandler = {
    open: ({ local }) => {
      if (local === 'encryption-data') encrypted = true;
    },
  };
  if (manifest !== undefined) parseXml(manifest, maxDepth, handler);
  return encrypted;
}

function readOpenDocumentProperties(bytes: Uint8Array, maxDepth: number, properties: Properties): void {
  readProperties(bytes, maxDepth, properties);
  const { metadata } = properties;
  // In OpenDocument dc:date is when the document was last changed.
  const { date, ...rest } = metadata;
  if (date === undefined) return;
  delete metadata['date'];
  Object.assign(metadata, rest, { modified: date });
}
