import type { Metadata } from '../format-reader.ts';

const TEXTS: readonly (readonly [string, string])[] = [
  ['Author', 'creator'],
  ['Subject', 'description'],
  ['Language', 'language'],
];
const DATES: readonly (readonly [string, string])[] = [
  ['CreationDate', 'created'],
  ['ModDate', 'modified'],
];

/** The entries of a PDF's information dictionary by the names of Dublin Core. */
export function toPdfMetadata(info: Readonly<Record<string, unknown>>): Metadata {
  const metadata: Metadata = {};
  const set = (name: string, value: string | readonly string[] | undefined): void => {
    if (value !== undefined && value.length > 0) metadata[name] = value;
  };
  for (const [entry, name] of TEXTS) set(name, toPdfText(info[entry]));
  for (const [entry, name] of DATES) set(name, parsePdfDate(toPdfText(info[entry])));
  set('subject', toPdfText(info['Keywords'])?.split(/[,;]/).map(trim).filter(Boolean));
  return metadata;
}

/** A text that says something; `undefined` for anything else. */
export function toPdfText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function trim(text: string): string {
  return text.trim();
}

const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?'?)?/;

/** A date of ISO 32000, 7.9.4, `D:20240131130000+01'00'`, as ISO 8601 in UTC. */
export function parsePdfDate(text: string | undefined): string | undefined {
  const match = text === undefined ? null : PDF_DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinutes = '00'] = match;
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinutes}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
