import { type Bomb, bomb, nested, search, searchForm, times } from './bomb.ts';

const SYNTAX: readonly string[] = ['400 ERR_QUERY_SYNTAX'];
const TOO_LONG: readonly string[] = ['400 ERR_REQUEST'];
/** Small data may let a query through that large data would not. */
const BOUNDED: readonly string[] = ['200', ...SYNTAX, '400 ERR_SEARCH_BUDGET', '503 ERR_TIME_LIMIT'];
const WRONG: readonly string[] = [...BOUNDED, '400 ERR_PARAMETER'];

function words(count: number, word: string | ((index: number) => string)): string {
  return times(count, word, ' ');
}

function form(
  name: string,
  ends: readonly string[],
  fields: Readonly<Record<string, string>>,
  path = 'documents',
): Bomb {
  return bomb(name, ends, () => searchForm(`/${path}`, fields));
}

function find(name: string, ends: readonly string[], query: string): Bomb {
  return form(name, ends, { query });
}

export const SEARCH_BOMBS: readonly Bomb[] = [
  bomb('parentheses nested 2,000 deep', SYNTAX, () => search(nested(2_000, '(', ')', 'letter'))),
  form('tags of 100,000 letters around each word that was found', BOUNDED, {
    query: 'letter OR text OR *e*',
    highlighting: 'true',
    'highlighting-pre-tag': 'x'.repeat(100_000),
    'highlighting-post-tag': 'y',
  }),
  find('a query of three megabytes', TOO_LONG, 'letter '.repeat(430_000)),
  find('words that each begin and end with wildcards', BOUNDED, '*e*t*r* '.repeat(4_000)),
  find('a wildcard between each two letters', BOUNDED, `${'?*'.repeat(10_000)}x`),
  find('stars in a row', BOUNDED, `${'*'.repeat(30_000)}r`),
  find('fuzzy words, 2,800', BOUNDED, words(2_800, 'lettr#~2')),
  find('a fuzzy word of 30,000 letters', BOUNDED, `${'letter'.repeat(5_000)}~2`),
  find('a regular expression that backtracks', BOUNDED, `/(${'l|le|'.repeat(50)}l)*x/`),
  find('a regular expression with counts of counts', BOUNDED, '/((((a{1,50}){1,50}){1,50}){1,50})/'),
  find('a regular expression nested 10,000 deep', BOUNDED, `/${nested(10_000, '(', ')', 'a')}/`),
  find('a regular expression of 30,000 alternatives', BOUNDED, `/${'a|'.repeat(15_000)}b/`),
  { ...find('regular expressions, two thousand', BOUNDED, words(2_000, '/.*.*.*x/')), isLong: true },
  find('a phrase of 7,200 words', BOUNDED, `"${'a letter '.repeat(3_600)}"~1000000`),
  find('phrases of a word with itself', BOUNDED, words(300, `"${'letter '.repeat(12)}"~9999`)),
  find('four thousand and more clauses', SYNTAX, words(5_000, 'a#')),
  find('groups in groups, wide and deep', BOUNDED, `${nested(60, '(letter OR ', ')', 'x')} `.repeat(30)),
  find('minus signs before everything', BOUNDED, words(4_000, '-a#')),
  find(
    'fields by pattern, two thousand',
    BOUNDED,
    words(2_000, (i) => `*${i % 10}*:letter`),
  ),
  find('ranges from nothing to everything', BOUNDED, words(1_000, '*:[* TO *]')),
  find('ranges with endless numbers', BOUNDED, `size:[${nested(15_000, '9', '9', ' TO ')}1]`),
  find('boosts beyond numbers', BOUNDED, words(1_000, `letter^1e308`)),
  find('quotes that never close', SYNTAX, `${'"'.repeat(9_999)}`),
  find('backslashes', [...SYNTAX, '200'], '\\'.repeat(30_001)),
  form('terms, 400,000 in one list', TOO_LONG, { query: words(400_000, 'a#'), type: 'term' }),
  form('a phrase of 400,000 words', TOO_LONG, { query: words(400_000, 'letter'), type: 'phrase' }),
  form('terms, 5,400 in one list', BOUNDED, { query: words(5_400, 'a#'), type: 'term' }),
  form('a phrase of 10,000 words, word for word', BOUNDED, { query: words(10_000, 'a'), type: 'phrase' }),
  find('combining marks on one letter', BOUNDED, `e${'\u0301'.repeat(30_000)}`),
  form('a word of 500,000 letters completed', TOO_LONG, { query: 'letter'.repeat(80_000) }, 'typeahead'),
  form('a facet of a field with 100,000 slashes', WRONG, { query: 'letter', facet: 'a/'.repeat(100_000) }, 'facets'),
  form('a range over 2,000 fields', WRONG, {
    query: 'letter',
    'range-start': '9'.repeat(100_000),
    'range-fields': times(2_000, 'f#', ','),
  }),
  form('an offset beyond everything', ['200', '400 ERR_PARAMETER'], {
    query: 'letter',
    offset: '9007199254740991',
    limit: '1000',
  }),
];
