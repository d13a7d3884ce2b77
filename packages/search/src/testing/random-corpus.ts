import { createViewer, type JsonValue, type Viewer } from '@cairn/security';
import type { SynonymRow } from '../mapping/configuration.ts';
import type { SearchDocument } from '../port/search-index.ts';
import type { Random } from './random.ts';

const ENGLISH = 'moon moons landing land crew the of apollo Apollo rover dust mission run running 11 2020 a';
const OTHERS =
  'été Ete Привет naïve 月面着陸 月面 着陸地点 ｶﾒﾗ Ёлка елка كِتَاب كتاب straße don’t moon,dust crew/land wi-fi wifi U.S.A. usa crew@moon.org C++';
const WORDS = [...ENGLISH.split(' '), ...OTHERS.split(' '), "don't"];
const LABELS = ['*', 'c=O', 'c=S', 'o=A', 'o=A|o=B', 'c=S&o=B', '!', '((', ''];
const IDS = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? `http://e.org/${i}` : `doc-${i}`));
const DATES = ['2019-12-31', '2020-01-01T12:00:00Z', '2020-05', '2021-06-15T00:00:00+02:00', '1969-07-16'];
const TYPES = ['http://e.org/Person', 'http://e.org/Mission', 'Thing'];

/** Synonyms among these words: both ways and one way, of one word and of several, of stop words and of compounds. */
export const SYNONYMS: readonly SynonymRow[] = [
  ['moon', 'rover', 'the dust'],
  ['landing crew', 'Apollo', 'wi-fi of moon'],
  { from: ['mission', 'moon land', 'usa'], to: ['run', 'été dust'] },
  { from: ['the', '月面'], to: ['rover crew'] },
];

/** Viewers who differ in what they may see. */
export const VIEWERS: readonly Viewer[] = [
  createViewer({ attributes: {} }),
  createViewer({ attributes: { c: ['O'] } }),
  createViewer({ attributes: { c: ['O', 'S'], o: ['B'] } }),
  createViewer({ attributes: { o: ['A'] } }),
  createViewer({ attributes: { c: ['O', 'S'], o: ['A', 'B'] } }),
];

/** Words, ids, dates and types for queries that find something now and then. */
export const VOCABULARY: Readonly<Record<'WORDS' | 'IDS' | 'DATES' | 'TYPES', readonly string[]>> = {
  WORDS,
  IDS,
  DATES,
  TYPES,
};

/** A few words, sometimes none. */
export function randomText(random: Random, most = 8): string {
  return random.list(0, most, () => random.pick(WORDS)).join(random.pick([' ', ' ', ', ', ' - ']));
}

export function randomDocument(random: Random): SearchDocument {
  const labels: Record<string, JsonValue> = {};
  const document: Record<string, JsonValue> = { uri: random.pick(IDS) };
  const addSome = (key: string, probability: number, make: () => JsonValue): void => {
    if (!random.chance(probability)) return;
    document[key] = make();
    if (random.chance(0.4)) labels[key] = random.pick(LABELS);
  };
  addSome('primaryName', 0.8, () => randomText(random, 3));
  addSome('body', 0.7, () => randomText(random, 12));
  addSome('number', 0.4, () => random.pick([1, 2, 10, 2020, -1.5]));
  addSome('start', 0.4, () => random.pick(DATES));
  addSome('types', 0.4, () => random.list(1, 2, () => random.pick(TYPES)));
  addSome('isState', 0.3, () => random.chance(0.7));
  addSome('language', 0.3, () => random.pick(['fr', 'rus', 'en-GB', 'xx', 'fr, en']));
  addSome('about', 0.3, () => random.pick(IDS));
  if (random.chance(0.5)) addList(random, 'notes', document, labels);
  addSome('parts', 0.4, () => random.list(1, 2, () => randomPart(random)));
  addSome('entities', 0.3, () => random.list(1, 3, () => randomEntity(random)));
  if (random.chance(0.85)) labels['defaults'] = random.pick(LABELS);
  if (random.chance(0.05)) labels['uri'] = random.pick(LABELS);
  if (Object.keys(labels).length > 0) document['securityLabels'] = labels;
  return document as SearchDocument;
}

function addList(
  random: Random,
  key: string,
  document: Record<string, JsonValue>,
  labels: Record<string, JsonValue>,
): void {
  const items = random.list(1, 4, () => randomText(random, 4));
  document[key] = items;
  if (random.chance(0.6)) labels[key] = items.map(() => random.pick(LABELS));
}

function randomPart(random: Random): JsonValue {
  const part = { name: randomText(random, 2), types: [random.pick(TYPES)], title: random.pick(WORDS) };
  if (!random.chance(0.5)) return part;
  return { ...part, securityLabels: { defaults: random.pick(LABELS), name: random.pick(LABELS) } };
}

function randomEntity(random: Random): JsonValue {
  const entity = {
    text: random.pick(['Anna', 'Bob']),
    category: random.pick(TYPES),
    mentions: [{ field: 'body', start: 0, end: 1 }],
  };
  return random.chance(0.6) ? { ...entity, securityLabels: { defaults: random.pick(LABELS) } } : entity;
}
