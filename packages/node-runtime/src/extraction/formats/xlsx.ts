import type { FormatReader } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { XmlHandler } from '../xml/sax.ts';
import { type OfficeDocument, parsePart, readOffice } from './office.ts';

/** XLSX: each sheet's name and then its rows, the cells of a row with tabs between them. Formulas give their values. */
export const readXlsx: FormatReader = (input, context) =>
  readOffice(input, context, async (document) => {
    const strings = await readSharedStrings(document);
    const sheets = await listSheets(document);
    document.properties.metadata['sheets'] = sheets.map(({ name }) => name);
    for (const { name, target } of sheets) {
      context.text.append(name);
      context.text.endParagraph();
      await parsePart(document, target, createSheetHandler(strings, context.text));
    }
  });

async function listSheets(document: OfficeDocument): Promise<{ name: string; target: string }[]> {
  const targets = new Map(document.parts.map(({ id, target }) => [id, target]));
  const sheets: { name: string; target: string }[] = [];
  await parsePart(document, document.main, {
    open: (element) => {
      const target = element.local === 'sheet' ? targets.get(element.prefixed('id') ?? '') : undefined;
      if (target !== undefined) sheets.push({ name: element.attribute('name') ?? '', target });
    },
  });
  return sheets;
}

/** The strings that cells refer to by number, without the readings that stand over East Asian ones. */
async function readSharedStrings(document: OfficeDocument): Promise<string[]> {
  const strings: string[] = [];
  const target = document.parts.find(({ type }) => type === 'sharedStrings')?.target;
  let inText = false;
  let phonetic = 0;
  await parsePart(document, target, {
    open: ({ local }) => {
      if (local === 'si') strings.push('');
      if (local === 'rPh') phonetic++;
      inText = local === 't' && phonetic === 0;
    },
    close: (local) => {
      if (local === 'rPh') phonetic--;
      inText = false;
    },
    text: (text) => {
      if (inText) strings[strings.length - 1] += text;
    },
  });
  return strings;
}

function createSheetHandler(strings: readonly string[], out: TextBuilder): XmlHandler {
  let cellType = '';
  let value = '';
  let inValue = false;
  let phonetic = 0;
  return {
    open: (element) => {
      const { local } = element;
      if (local === 'c') {
        cellType = element.attribute('t') ?? 'n';
        value = '';
      }
      if (local === 'rPh') phonetic++;
      inValue = (local === 'v' || local === 't') && phonetic === 0;
    },
    close: (local) => {
      inValue = false;
      if (local === 'rPh') phonetic--;
      if (local === 'c') out.append(`${toCellText(cellType, value, strings)}\t`);
      if (local === 'row') out.endParagraph();
    },
    text: (text) => {
      if (inValue) value += text;
    },
  };
}

function toCellText(type: string, value: string, strings: readonly string[]): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return value;
}
