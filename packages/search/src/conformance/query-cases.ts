import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import type { Viewer } from '@cairn/security';
import type { DocumentChange } from '../port/search-index.ts';
import {
  ensureEqual,
  ensureRefused,
  idSetOf,
  idsOf,
  openSample,
  PUBLIC,
  puts,
  SECRET,
  type SearchIndexHarness,
} from './sample.ts';

/** Queries of the query language and what a viewer of everything labelled finds. */
const QUERIES: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ['harbour', ['d:1', 'd:3']],
  ['HARBOURS', ['d:1', 'd:3']],
  ['wrecks lighthouse', ['d:1', 'd:2']],
  ['wrecks AND survey', ['d:1']],
  ['repairs OR survey', ['d:1', 'd:2', 'd:3']],
  ['repairs AND NOT harbour', ['d:2']],
  ['+repairs -lighthouse', ['d:3']],
  ['(survey OR wall) AND harbour', ['d:1', 'd:3']],
  ['"old harbour"', ['d:1']],
  ['"harbour old"', []],
  ['"survey harbour"~3', ['d:1']],
  ['"shallow treasure"~1000', []],
  ['primaryName:repairs', ['d:2', 'd:3']],
  ['isIdentifiedBy.representationValue:b-7', ['d:3']],
  ['primary*:survey', ['d:1']],
  ['start:[2020 TO 2020-12-31]', ['d:1']],
  ['start:>=2020-03-01', ['d:1', 'd:2']],
  ['depth:{3 TO 12]', ['d:1']],
  ['depth:3', ['d:2']],
  ['light*', ['d:1', 'd:2']],
  ['w?ll', ['d:3']],
  ['harbuor~1', ['d:1', 'd:3']],
  ['/lightho.+/', ['d:1', 'd:2']],
  ['_exists_:depth', ['d:1', 'd:2']],
  ['"http://example.org/Mission"', ['d:1', 'd:2']],
  ['nothing:harbour', []],
  ['the', []],
  ['', []],
];

/** Texts in which punctuation joins words, and the queries that find them alone. */
const JOINED: Readonly<Record<string, readonly [text: string, queries: readonly string[]]>> = {
  comma: ['left,right', ['left', 'right', 'left,right', '"left right"']],
  stop: ['alpha.beta', ['alpha', 'beta', 'alpha.beta', '"alpha beta"']],
  quote: ['"quoted"word', ['quoted', 'word', '"quoted word"']],
  slash: ['north/south', ['north', 'south', 'north/south']],
  address: ['mail jane@example.org today', ['jane', 'example', 'jane@example.org', 'jane@*', '"mail jane example"']],
  apostrophe: ['we don\u2019t mind', ["don't", 'don\u2019t', '"don\'t mind"']],
  invisible: ['first\u200bsecond co\u00adoperate', ['first', 'second', 'cooperate']],
  hyphen: ['a wi-fi network', ['wi', 'fi', 'wi-fi', 'wifi', '"wi-fi network"', '"wifi network"']],
  acronym: ['made in the U.S.A. since', ['usa', 'U.S.A.', '"U.S.A. since"', '"usa since"']],
  number: ['about 3.14 and 1,000', ['3.14', '1,000']],
  name: ['written in C++ only', ['C++', 'c', '"C++ only"']],
};

/** Words that people write one way and look for the other way. */
const SPELLINGS: Readonly<Record<string, string>> = {
  hyphened: 'a fast wi-fi network',
  together: 'a fast wifi network',
  stopped: 'see section a.b there',
  spaced: 'see section a b there',
  file: 'the report.pdf of today',
};

const BY_SPELLING: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ['wi-fi', ['hyphened', 'together']],
  ['wifi', ['hyphened', 'together']],
  ['"fast wi-fi network"', ['hyphened', 'together']],
  ['"wifi network"', ['hyphened', 'together']],
  ['a.b', ['spaced', 'stopped']],
  ['"section a.b there"', ['spaced', 'stopped']],
  ['b.c', []],
  ['report.pdf', ['file']],
  ['wi-network', []],
];

/** Puts texts that everyone may see, by id. */
function putTexts(texts: Readonly<Record<string, string>>): DocumentChange[] {
  return puts(Object.entries(texts).map(([uri, text]) => ({ uri, text, securityLabels: { defaults: '*' } })));
}

/** Laws of queries and filters. */
export const queryCases: readonly ConformanceCase<SearchIndexHarness>[] = casesOf<SearchIndexHarness>('core', {
  async 'answers each kind of clause of the query language'(harness) {
    const index = await openSample(harness);
    for (const [query, ids] of QUERIES) ensureEqual(await idSetOf(index, SECRET, query), ids, query);
  },

  async 'takes term as any of the words and phrase as all of them in order'(harness) {
    const index = await openSample(harness);
    ensureEqual(await idSetOf(index, SECRET, { query: 'survey wall', type: 'term' }), ['d:1', 'd:3'], 'term');
    ensureEqual(await idSetOf(index, SECRET, { query: 'old harbour', type: 'phrase' }), ['d:1'], 'phrase');
    ensureEqual(await idSetOf(index, SECRET, { query: 'harbour (', type: 'term' }), ['d:1', 'd:3'], 'text alone');
  },

  async 'finds compounds however text and query join their parts'(harness) {
    const index = await harness.open(['search']);
    await index.apply(putTexts(SPELLINGS));
    for (const [query, ids] of BY_SPELLING) ensureEqual(await idSetOf(index, PUBLIC, query), ids, query);
  },

  async 'finds words that punctuation joins, and what they make together'(harness) {
    const index = await harness.open(['search']);
    await index.apply(putTexts(Object.fromEntries(Object.entries(JOINED).map(([uri, [text]]) => [uri, text]))));
    for (const [uri, [, queries]] of Object.entries(JOINED)) {
      for (const query of queries) ensureEqual(await idSetOf(index, PUBLIC, query), [uri], query);
    }
    for (const query of ['"right left"', '14', 'wif', 'oper'])
      ensureEqual(await idSetOf(index, PUBLIC, query), [], query);
  },

  async 'names where a query goes wrong'(harness) {
    const index = await openSample(harness);
    for (const query of ['(harbour', '"harbour', 'a AND', 'depth:[1 TO', 'a ) b', 'OR a']) {
      await ensureRefused(() => index.search(PUBLIC, { query }), 'ERR_QUERY_SYNTAX', query);
    }
  },

  async 'narrows by types'(harness) {
    const index = await openSample(harness);
    const by = (value: string, mode?: 'any' | 'entity' | 'identifier') => {
      return idSetOf(index, SECRET, { query: '*:*', typeFilter: { values: [value], mode } });
    };
    ensureEqual(await by('http://example.org/Repair'), ['d:2', 'd:3'], 'any');
    ensureEqual(await by('http://example.org/Berth'), ['d:3'], 'any, nested');
    ensureEqual(await by('http://example.org/Berth', 'entity'), [], 'entity');
    ensureEqual(await by('http://example.org/Repair', 'identifier'), [], 'identifier');
    ensureEqual(await by('http://example.org/repair'), [], 'other case');
  },

  async 'narrows by a range over any of several fields'(harness) {
    const index = await openSample(harness);
    const range = { start: '2020', end: '2020', fields: ['nothing', 'start'] };
    ensureEqual(await idSetOf(index, SECRET, { query: '*:*', range }), ['d:1'], 'a year');
    const shallow = { end: '5', fields: ['depth'] };
    ensureEqual(await idSetOf(index, SECRET, { query: '*:*', range: shallow }), ['d:2'], 'depth');
  },

  async 'orders equal scores by id and pages without gaps'({ open }) {
    const index = await open(['search']);
    const texts = ['c', 'a', 'e', 'b', 'd'].map((uri) => [uri, 'same words'] as const);
    await index.apply(putTexts(Object.fromEntries(texts)));
    ensureEqual(await idsOf(index, PUBLIC, 'same'), ['a', 'b', 'c', 'd', 'e'], 'order');
    const pages: string[] = [];
    for (const offset of [1, 3, 5, 7]) {
      const { results, maybeMore } = await index.search(PUBLIC, { query: 'same', limit: 2, offset });
      pages.push(`${results.map(({ id }) => id)} ${maybeMore}`);
    }
    ensureEqual(pages, ['a,b true', 'c,d true', 'e false', ' false'], 'pages');
  },

  async 'finds what is like a text or a document by its best visible words'(harness) {
    const index = await openSample(harness);
    const like = { query: 'old wrecks of the harbour', type: 'like' } as const;
    ensureEqual(await idsOf(index, SECRET, { ...like, like: { maxTerms: 1 } }), ['d:1'], 'the rarest word');
    ensureEqual(await idSetOf(index, SECRET, like), ['d:1', 'd:2', 'd:3'], 'any word');
    const common = { ...like, like: { minDocumentFrequency: 2 } };
    ensureEqual(await idSetOf(index, PUBLIC, common), ['d:1', 'd:3'], 'frequent among visible documents');
    const document = { query: 'd:1', type: 'like-document' } as const;
    ensureEqual(await idSetOf(index, SECRET, document), ['d:2', 'd:3'], 'others');
    ensureEqual(await idSetOf(index, PUBLIC, document), ['d:3'], 'visible others');
    for (const query of ['d:2', 'nowhere'])
      await ensureRefused(() => index.search(PUBLIC, { query, type: 'like-document' }), 'ERR_NO_DOCUMENT', query);
  },

  async 'collapses results to the first of each value, and says how many there are'(harness) {
    const index = await openSample(harness);
    const collapse = async (viewer: Viewer, field: string) => {
      const request = { query: '*:*', sort: '>depth', collapse: { field, bound: 1 }, total: true };
      const { results, total } = await index.search(viewer, request);
      return [total?.value, results.map(({ id, collapsed }) => [id, collapsed?.value, collapsed?.count.relation])];
    };
    const [mission, repair] = ['http://example.org/Mission', 'http://example.org/Repair'];
    const byType = [
      ['d:1', mission, 'gte'],
      ['d:3', repair, 'eq'],
    ];
    ensureEqual(await collapse(SECRET, 'types'), [3, byType], 'types');
    ensureEqual((await collapse(PUBLIC, 'types'))[1], [['d:1', mission, 'eq'], byType[1]], 'visible types');
    const byDepth = [
      ['d:1', '12', 'eq'],
      ['d:2', '3', 'eq'],
      ['d:3', undefined, undefined],
    ];
    ensureEqual((await collapse(SECRET, 'depth'))[1], byDepth, 'none');
  },

  async 'gives results with their keys in order'(harness) {
    const index = await openSample(harness);
    const found = await index.search(SECRET, { query: 'survey' });
    ensureEqual(Object.keys(found), ['maybeMore', 'limit', 'offset', 'query', 'type', 'results'], 'keys');
    ensureEqual([found.limit, found.offset, found.query, found.type], [100, 1, 'survey', 'query'], 'echo');
    const { highlighted, ...document } = found.results[0].document as Record<string, unknown>;
    ensureEqual([highlighted, document['securityLabels']], [undefined, undefined], 'nothing unasked for');
  },

  async 'marks matches in an escaped copy'(harness) {
    const index = await openSample(harness);
    const [first] = (await index.search(SECRET, { query: 'wall', highlight: true })).results;
    const expected = 'Repairs of the harbour <em>wall</em>. &lt;b&gt;Danger&lt;/b&gt; &amp; noise.';
    ensureEqual(first.highlighted?.['content'], expected, 'default tags');
    const tags = { preTag: '[', postTag: ']' };
    const { results } = await index.search(SECRET, { query: '*:*', highlight: tags });
    const marked = results.filter(({ highlighted }) => highlighted !== undefined);
    ensureEqual(marked, [], 'nothing matched in text');
  },
});
