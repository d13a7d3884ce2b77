import type { FormatReader } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';
import { readDateStyles, toCellDate } from '../xlsx/dates.ts';
import type { XmlHandler } from '../xml/sax.ts';
import { type OfficeDocument, readOffice } from './office.ts';

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly target: string }[];
  readonly strings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly is1904: boolean;
}

/** XLSX: each sheet's name, then its rows, cells with tabs between; formulas by their value, dates in ISO 8601. */
export const readXlsx: FormatReader = (input, context) =>
  readOffice(input, context, async (document) => {
    const workbook = await readWorkbook(document);
    document.properties.metadata['sheets'] = workbook.sheets.map(({ name }) => name);
    for (const { name, target } of workbook.sheets) {
      context.text.append(name);
      context.text.endParagraph();
      await document.archive.parse(target, createSheetHandler(workbook, context.text));
    }
  });

async function readWorkbook(document: OfficeDocument): Promise<Workbook> {
  const targets = new Map(document.parts.map(({ id, target }) => [id, target]));
  const sheets: { name: string; target: string }[] = [];
  let is1904 = false;
  await document.archive.parse(document.main, {
    open: (element) => {
      if (element.local === 'workbookPr') is1904 = /^(?:1|true)$/.test(element.attribute('date1904') ?? '');
      const target = element.local === 'sheet' ? targets.get(element.prefixed('id') ?? '') : undefined;
      if (target !== undefined) sheets.push({ name: element.attribute('name') ?? '', target });
    },
  });
  return { sheets, is1904, strings: await readSharedStrings(document), dateStyles: await readDateStyles(document) };
}

/** The strings that cells refer to by number, without the readings that are over East Asian ones. */
async function readSharedStrings(document: OfficeDocument): Promise<string[]> {
  const strings: string[] = [];
  const target = document.parts.find(({ type }) => type === 'sharedStrings')?.target;
  let inText = false;
  let phonetic = 0;
  await document.archive.parse(target, {
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

interface Cell {
  readonly type: string;
  readonly style: number;
  value: string;
}

function createSheetHandler(workbook: Workbook, out: TextBuilder): XmlHandler {
  let cell: Cell = { type: 'n', style: 0, value: '' };
  let inValue = false;
  let phonetic = 0;
  return {
    open: (element) => {
      const { local } = element;
      if (local === 'c') {
        cell = { type: element.attribute('t') ?? 'n', style: Number(element.attribute('s') ?? 0), value: '' };
      }
      if (local === 'rPh') phonetic++;
      inValue = (local === 'v' || local === 't') && phonetic === 0;
    },
    close: (local) => {
      inValue = false;
      if (local === 'rPh') phonetic--;
      if (local === 'c') out.append(`${toCellText(cell, workbook)}\t`);
      if (local === 'row') out.endParagraph();
    },
    text: (text) => {
      if (inValue) cell.value += text;
    },
  };
}

function toCellText({ type, style, value }: Cell, { strings, dateStyles, is1904 }: Workbook): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' && dateStyles.has(style) ? toCellDate(value, is1904) : value;
}
