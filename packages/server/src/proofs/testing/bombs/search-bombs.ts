import { type Bomb, search, searchForm } from './bomb.ts';

const SYNTAX: readonly string[] = ['400 ERR_QUERY_SYNTAX'];
const TOO_LONG: readonly string[] = ['400 ERR_REQUEST'];
/** Small data may let a query through that large data would not. */
const BOUNDED: readonly string[] = ['200', ...SYNTAX, '400 ERR_SEARCH_BUDGET', '503 ERR_TIME_LIMIT'];

function times(count: number, piece: (index: number) => string, between = ' '): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(between);
}

function post(query: string, more: Readonly<Record<string, string>> = {}, path = '/documents'): Bomb['request'] {
  return () => searchForm(path, { query, ...more });
}

/** Queries of documents. */
export const SEARCH_BOMBS: readonly Bomb[] = [
  {
    name: 'parentheses nested 2,000 deep',
    request: () => search(`${'('.repeat(2_000)}letter${')'.repeat(2_000)}`),
    ends: SYNTAX,
  },
  {
    name: 'tags of 100,000 letters around each word that was found',
    request: post('letter OR text OR *e*', {
      highlighting: 'true',
      'highlighting-pre-tag': 'x'.repeat(100_000),
      'highlighting-post-tag': 'y',
    }),
    ends: BOUNDED,
  },
  { name: 'a query of three megabytes', request: post('letter '.repeat(430_000)), ends: TOO_LONG },
  { name: 'words that each begin and end with wildcards', request: post('*e*t*r* '.repeat(4_000)), ends: BOUNDED },
  { name: 'a wildcard between each two letters', request: post(`${'?*'.repeat(10_000)}x`), ends: BOUNDED },
  { name: 'stars in a row', request: post(`${'*'.repeat(30_000)}r`), ends: BOUNDED },
  { name: 'fuzzy words, 2,800', request: post(times(2_800, (i) => `lettr${i}~2`)), ends: BOUNDED },
  { name: 'a fuzzy word of 30,000 letters', request: post(`${'letter'.repeat(5_000)}~2`), ends: BOUNDED },
  { name: 'a regular expression that backtracks', request: post(`/(${'l|le|'.repeat(50)}l)*x/`), ends: BOUNDED },
  {
    name: 'a regular expression with counts of counts',
    request: post('/((((a{1,50}){1,50}){1,50}){1,50})/'),
    ends: BOUNDED,
  },
  {
    name: 'a regular expression nested 10,000 deep',
    request: post(`/${'('.repeat(10_000)}a${')'.repeat(10_000)}/`),
    ends: BOUNDED,
  },
  { name: 'a regular expression of 30,000 alternatives', request: post(`/${'a|'.repeat(15_000)}b/`), ends: BOUNDED },
  {
    name: 'regular expressions, two thousand',
    request: post(times(2_000, () => '/.*.*.*x/')),
    ends: BOUNDED,
    isLong: true,
  },
  { name: 'a phrase of 7,200 words', request: post(`"${'a letter '.repeat(3_600)}"~1000000`), ends: BOUNDED },
  {
    name: 'phrases of a word with itself',
    request: post(times(300, () => `"${'letter '.repeat(12)}"~9999`)),
    ends: BOUNDED,
  },
  { name: 'four thousand and more clauses', request: post(times(5_000, (i) => `a${i}`)), ends: SYNTAX },
  {
    name: 'groups in groups, wide and deep',
    request: post(`${'(letter OR '.repeat(60)}x${')'.repeat(60)} `.repeat(30)),
    ends: BOUNDED,
  },
  { name: 'minus signs before everything', request: post(times(4_000, (i) => `-a${i}`)), ends: BOUNDED },
  { name: 'fields by pattern, two thousand', request: post(times(2_000, (i) => `*${i % 10}*:letter`)), ends: BOUNDED },
  { name: 'ranges from nothing to everything', request: post(times(1_000, () => '*:[* TO *]')), ends: BOUNDED },
  {
    name: 'ranges with endless numbers',
    request: post(`size:[${'9'.repeat(15_000)} TO ${'9'.repeat(15_000)}1]`),
    ends: BOUNDED,
  },
  { name: 'boosts beyond numbers', request: post(times(1_000, () => `letter^1e308`)), ends: BOUNDED },
  { name: 'quotes that never close', request: post(`${'"'.repeat(9_999)}`), ends: SYNTAX },
  { name: 'backslashes', request: post('\\'.repeat(30_001)), ends: [...SYNTAX, '200'] },
  {
    name: 'terms, 400,000 in one list',
    request: post(
      times(400_000, (i) => `a${i}`),
      { type: 'term' },
    ),
    ends: TOO_LONG,
  },
  {
    name: 'a phrase of 400,000 words',
    request: post(
      times(400_000, () => 'letter'),
      { type: 'phrase' },
    ),
    ends: TOO_LONG,
  },
  {
    name: 'terms, 5,400 in one list',
    request: post(
      times(5_400, (i) => `a${i}`),
      { type: 'term' },
    ),
    ends: BOUNDED,
  },
  {
    name: 'a phrase of 10,000 words, word for word',
    request: post(
      times(10_000, () => 'a'),
      { type: 'phrase' },
    ),
    ends: BOUNDED,
  },
  { name: 'combining marks on one letter', request: post(`e${'\u0301'.repeat(30_000)}`), ends: BOUNDED },
  {
    name: 'a word of 500,000 letters completed',
    request: post('letter'.repeat(80_000), {}, '/typeahead'),
    ends: TOO_LONG,
  },
  {
    name: 'a facet of a field with 100,000 slashes',
    request: post('letter', { facet: 'a/'.repeat(100_000) }, '/facets'),
    ends: [...BOUNDED, '400 ERR_PARAMETER'],
  },
  {
    name: 'a range over 2,000 fields',
    request: () =>
      searchForm('/documents', {
        query: 'letter',
        'range-start': '9'.repeat(100_000),
        'range-fields': times(2_000, (i) => `f${i}`, ','),
      }),
    ends: [...BOUNDED, '400 ERR_PARAMETER'],
  },
  {
    name: 'an offset beyond everything',
    request: post('letter', { offset: '9007199254740991', limit: '1000' }),
    ends: ['200', '400 ERR_PARAMETER'],
  },
];
