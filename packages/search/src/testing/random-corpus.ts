import { createViewer, type JsonValue, type Viewer } from '@cairn/security';
import type { SearchDocument } from '../port/search-index.ts';
import type { Random } from './random.ts';

const WORDS = [
  'moon',
  'moons',
  'landing',
  'land',
  'crew',
  'the',
  'of',
  'apollo',
  'Apollo',
  'rover',
  'dust',
  'été',
  'Ete',
  'Привет',
  'wi-fi',
  'mission',
  'run',
  'running',
  '11',
  '2020',
  'a',
  'naïve',
  '月面着陸',
  "don't",
  'don’t',
  'moon,dust',
  'crew/land',
  'wifi',
  'U.S.A.',
  'usa',
  'crew@moon.org',
  'C++',
];
const LABELS = ['*', 'c=O', 'c=S', 'o=A', 'o=A|o=B', 'c=S&o=B', '!', '((', ''];
const IDS = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? `http://e.org/${i}` : `doc-${i}`));
const DATES = ['2019-12-31', '2020-01-01T12:00:00Z', '2020-05', '2021-06-15T00:00:00+02:00', '1969-07-16'];
const TYPES = ['http://e.org/Person', 'http://e.org/Mission', 'Thing'];

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
  const add = (key: string, value: JsonValue): void => {
    document[key] = value;
    if (random.chance(0.4)) labels[key] = random.pick(LABELS);
  };
  if (random.chance(0.8)) add('primaryName', randomText(random, 3));
  if (random.chance(0.7)) add('body', randomText(random, 12));
  if (random.chance(0.4)) add('number', random.pick([1, 2, 10, 2020, -1.5]));
  if (random.chance(0.4)) add('start', random.pick(DATES));
  if (random.chance(0.4))
    add(
      'types',
      random.list(1, 2, () => random.pick(TYPES)),
    );
  if (random.chance(0.3)) add('isState', random.chance(0.7));
  if (random.chance(0.3)) add('about', random.pick(IDS));
  if (random.chance(0.5)) addList(random, 'notes', document, labels);
  if (random.chance(0.4))
    add(
      'parts',
      random.list(1, 2, () => randomPart(random)),
    );
  if (random.chance(0.3))
    add(
      'entities',
      random.list(1, 3, () => randomEntity(random)),
    );
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
