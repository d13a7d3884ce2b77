import type { Metadata } from '../format-reader.ts';
import type { XmlHandler } from './sax.ts';

/** A document's statements about itself, by the names of Dublin Core. */
export interface Properties {
  title?: string | undefined;
  readonly metadata: Metadata;
}

/** Dublin Core names of the elements of property lists; some are additions of office formats. */
export const TERM_NAMES: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['creator', 'creator'],
  ['initial-creator', 'creator'],
  ['contributor', 'contributor'],
  ['publisher', 'publisher'],
  ['language', 'language'],
  ['description', 'description'],
  ['identifier', 'identifier'],
  ['rights', 'rights'],
  ['subject', 'subject'],
  ['keyword', 'subject'],
  ['keywords', 'subject'],
  ['created', 'created'],
  ['creation-date', 'created'],
  ['modified', 'modified'],
  ['date', 'date'],
]);
const LISTS: ReadonlySet<string> = new Set(['creator', 'contributor', 'subject']);
const DATES: ReadonlySet<string> = new Set(['created', 'modified', 'date']);

/** Adds what an XML list of properties states. The first value of a property stands; lists gather all of them. */
export function createPropertiesHandler(properties: Properties): XmlHandler {
  let text = '';
  return {
    open: (element) => {
      text = '';
      // OpenDocument counts pages in an attribute, Office Open XML in an element.
      if (element.local === 'document-statistic') setPages(properties, element.attribute('page-count'));
    },
    text: (piece) => {
      text += piece;
    },
    close: (local) => {
      if (local === 'Pages') setPages(properties, text);
      const name = TERM_NAMES.get(local);
      if (name !== undefined && text.trim() !== '') addProperty(properties, name, local, text.trim());
      text = '';
    },
  };
}

function setPages({ metadata }: Properties, count: string | undefined): void {
  if (count !== undefined && /^[1-9]\d{0,8}$/.test(count)) metadata['pages'] = Number(count);
}

export function addProperty(properties: Properties, name: string, element: string, value: string): void {
  const { metadata } = properties;
  if (name === 'title') properties.title ??= value;
  else if (LISTS.has(name)) addToList(metadata, name, element === 'keywords' ? value.split(/\s*[,;]\s*/) : [value]);
  else metadata[name] ??= DATES.has(name) ? toIsoDate(value) : value;
}

function addToList(metadata: Metadata, name: string, values: readonly string[]): void {
  const before = [metadata[name] ?? []].flat() as string[];
  const all = [...new Set([...before, ...values.filter(Boolean)])];
  if (all.length > 0) metadata[name] = all.length === 1 ? (all[0] as string) : all;
}

/** A date and time as ISO 8601 in UTC; a date alone, and what is no date, stays as it is. */
function toIsoDate(value: string): string {
  if (!/^\d{4}-\d\d-\d\dT/.test(value)) return value;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`;
  const date = new Date(zoned);
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}
