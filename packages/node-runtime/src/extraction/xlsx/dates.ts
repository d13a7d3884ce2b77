import type { OfficeDocument } from '../formats/office.ts';

/** Numbers of formats that are built in and show a date or a time (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const MS_PER_DAY = 86_400_000;
/** Day 0, which makes day 60 the 29 February 1900 that never was; before it nobody keeps dates. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465;

/** Reads which cell styles of a workbook show a number as a date. */
export async function readDateStyles(document: OfficeDocument): Promise<ReadonlySet<number>> {
  const custom = new Map<number, boolean>();
  const dates = new Set<number>();
  let inCells = false;
  let style = 0;
  await document.archive.parse(document.parts.find(({ type }) => type === 'styles')?.target, {
    open: (element) => {
      if (element.local === 'cellXfs') inCells = true;
      const format = Number(element.attribute('numFmtId') ?? -1);
      if (element.local === 'numFmt') custom.set(format, isDateFormat(element.attribute('formatCode') ?? ''));
      if (element.local !== 'xf' || !inCells) return;
      if (custom.get(format) ?? isBuiltIn(format)) dates.add(style);
      style++;
    },
    close: (local) => {
      if (local === 'cellXfs') inCells = false;
    },
  });
  return dates;
}

/** The serial number of a day as ISO 8601: a date, a time when it is less than a day, or both. */
export function toCellDate(serial: string, is1904: boolean): string {
  const days = Number(serial);
  if (serial.trim() === '' || !(days >= 0 && days <= LAST_DAY)) return serial;
  const ms = Math.round((days * MS_PER_DAY) / 1000) * 1000;
  const [date = '', time = ''] = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + ms)
    .toISOString()
    .slice(0, 19)
    .split('T');
  if (days < 1) return time;
  return ms % MS_PER_DAY === 0 ? date : `${date}T${time}`;
}

/** Returns true if a format code, less its literal text, colours and conditions, has a part of a date or time in it. */
function isDateFormat(code: string): boolean {
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare);
}

function isBuiltIn(format: number): boolean {
  return BUILT_IN.some(([first, last]) => format >= first && format <= last);
}
