import { openSearchIndex, type SearchDocument, type SearchIndex } from '@cairn/search';
import { createViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../dataset/open.ts';
import type { StoreDataset } from '../dataset/store-dataset.ts';
import {
  blankNode,
  defaultGraph,
  languageLiteral,
  namedNode,
  quad,
  stringLiteral,
  typedLiteral,
} from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';
import { portAlone } from '../testing/port-alone.ts';
import { createDatasetSchema } from './dataset/schema.ts';
import type { GraphSchema } from './execution/graph-schema.ts';
import { createPlatformSchema } from './platform/schema.ts';
import { ask } from './testing/dataset.ts';
import { createTraversalSchema } from './traversal/schema.ts';

const IES = 'http://ies.data.gov.uk/ontology/ies4#';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const e = (name: string): RDF.NamedNode => namedNode(`http://e/${name}`);

const subject = fc.constantFrom<RDF.Term>(...['a', 'b', 'c', 'd', 's1', 's2'].map(e), blankNode('x'));
const predicate = fc.constantFrom(
  ...[TYPE, TYPE, 'http://e/p', 'http://e/q', `${IES}isStateOf`, `${IES}isStartOf`, `${IES}inPeriod`].map(namedNode),
  namedNode(`${IES}iso8601PeriodRepresentation`),
);
const object = fc.oneof(
  { weight: 4, arbitrary: subject },
  fc.constantFrom<RDF.Term>(
    e('T'),
    e('U'),
    stringLiteral('1'),
    languageLiteral('1', 'en'),
    typedLiteral('1', xsd.integer),
    quad(e('a'), e('p'), e('b')),
  ),
);
const graph = fc.constantFrom<RDF.Term>(defaultGraph(), defaultGraph(), defaultGraph(), e('g'));
const labelled = fc.record({
  quad: fc.tuple(subject, predicate, object, graph).map(([s, p, o, g]) => quad(s, p, o, g)),
  label: fc.constantFrom('*', '*', 'a', 'b', 'a&b', '!'),
});
const viewerOf = (held: readonly string[]): Viewer =>
  createViewer({ attributes: Object.fromEntries(held.map((name) => [name, ['true']])) });

const REL = 'id domain_id predicate range_id range { uri } domain { uri }';
const FILTERED =
  'typeFilter: {values: ["http://e/T"]}, predicateFilter: {values: ["http://e/q"], mode: EXCLUDE}, nodeFilter: {values: ["http://e/d"], mode: EXCLUDE}';
const ENTITY = `id uri uriHash shortUri types { uri } instances(limit: 2) { uri }
  properties { predicate shortPredicate value datatype language }
  outRels { ${REL} } out: outRels(limit: 1, offset: 2, ${FILTERED}) { ${REL} }
  inRels { ${REL} } in: inRels(limit: 2, ${FILTERED}) { ${REL} }
  relCounts { inRels outRels properties types instances in: inRels(${FILTERED}) out: outRels(${FILTERED}) }
  relFacets {
    inRels { types { uri shortUri count } predicates { uri count } }
    outRels { types { uri count } predicates { uri count } }
    in: inRels(${FILTERED}) { types { uri count } predicates { uri count } }
  }`;
const PLATFORM = `query($uri: String!, $graph: String, $words: String!, $searchType: SearchType, $limit: Int) {
  node(uri: $uri, graph: $graph) { ${ENTITY} }
  nodes(uris: [$uri, "http://e/b", "_:x", "http://e/T"], graph: $graph, limit: 3, offset: 2) { uri relCounts { inRels } }
  getAllEntities(graph: $graph) { uri outRels { range { types { uri } } } }
  states(uri: $uri, graph: $graph) { uri type period start end relations { predicate entity { uri } } relCounts { relations } }
  searchWithMetadata(searchTerm: $words, searchType: $searchType, graph: $graph, limit: $limit) {
    searchTerm searchType limit offset maybeMore nodes { uri relCounts { outRels } }
  }
  search(searchTerm: $words, graph: $graph, offset: 2, typeFilter: "http://e/T") { uri types { uri } }
  bad: search(searchTerm: "un( balanced", graph: $graph) { uri }
  unpaged: search(searchTerm: "alpha", graph: $graph, limit: 500) { uri }
}`;
const NODE = 'kind value datatype language triple { subject { value } object { value } }';
const DATASET = `query($uri: String!) {
  all: quads { subject { ${NODE} } predicate { value } object { ${NODE} } graph { value } }
  some: quads(subject: {kind: URI, value: $uri}, object: {kind: PLAIN_LITERAL, value: "1"}) { predicate { value } }
  default: quads(graph: {kind: URI, value: "urn:x-arq:DefaultGraph"}) { object { ${NODE} } }
}`;
const TRAVERSAL = `query($uri: String!, $graph: String) {
  all: nodes(graph: $graph) { node { ${NODE} } outgoing { edge { value } direction target { node { ${NODE} } } } }
  nodes(starts: [{kind: URI, value: $uri}, {kind: BLANK, value: "x"}], graph: $graph) {
    node { value } incoming(kinds: [URI]) { edge { value } target { node { value } } }
    outgoing(predicate: [{kind: URI, value: "http://e/p"}]) { target { node { value } outgoing { edge { value } } } }
  }
}`;

const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'alphabet'), { minLength: 1, maxLength: 4 });
const label = fc.constantFrom('*', '*', 'a', 'b', 'a&b', '!');

/** A document with one label for its name and types, and another for its content. */
const documentText = fc.record({
  uri: fc.constantFrom('a', 'b', 'c', 'd', 's1', 's2', 'T', 'none').map((name) => `http://e/${name}`),
  name: words.map((list) => list.join(' ')),
  types: fc.subarray(['http://e/T', 'http://e/U']),
  content: words.map((list) => list.join(' ')),
  defaults: label,
  contentLabel: label,
});
type DocumentText = (typeof documentText extends fc.Arbitrary<infer Value> ? Value : never) & {};

function toDocument({ uri, name, types, content, defaults, contentLabel }: DocumentText): SearchDocument {
  return { uri, primaryName: name, types, content, securityLabels: { defaults, content: contentLabel } };
}

/** Returns a document without all that a viewer may not see. */
function visiblePart(document: DocumentText, viewer: Viewer): SearchDocument | undefined {
  const { uri, primaryName, types, content, securityLabels } = toDocument(document);
  const open: Partial<SearchDocument> = viewer.permits(document.defaults)
    ? { primaryName: primaryName!, types: types! }
    : {};
  const own: Partial<SearchDocument> = viewer.permits(document.contentLabel) ? { content: content! } : {};
  const rest = { ...open, ...own } as Omit<SearchDocument, 'uri'>;
  return Object.keys(rest).length === 0 ? undefined : { ...rest, uri, securityLabels: securityLabels! };
}

async function searchOver(documents: readonly SearchDocument[], batches: number): Promise<SearchIndex> {
  const index = await openSearchIndex({ indices: ['search'] });
  const size = Math.max(1, Math.ceil(documents.length / batches));
  for (let i = 0; i < documents.length; i += size) {
    const part = documents.slice(i, i + size);
    await index.apply(part.map((document) => ({ type: 'put', index: 'search', document })));
  }
  return index;
}

const ASKED: readonly (readonly [GraphSchema, string])[] = [
  [createPlatformSchema(), PLATFORM],
  [createDatasetSchema(), DATASET],
  [createTraversalSchema(), TRAVERSAL],
];

/** CI keeps to a few seconds. */
const RUNS = process.env['CAIRN_LONG'] ? 5_000 : 1_000;

type Labelled = { readonly quad: RDF.Quad; readonly label: string };

async function datasetOf(quads: readonly Labelled[], batches: number): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'test', prefixes: { e: 'http://e/' } });
  const size = Math.max(1, Math.ceil(quads.length / batches));
  for (let i = 0; i < quads.length; i += size) {
    await dataset.apply([{ deletions: [], additions: quads.slice(i, i + size) }]);
  }
  return dataset;
}

describe('every field of every schema', () => {
  it('answers as if only what the viewer may see had ever been stored', async () => {
    const asked = fc.record({
      uri: fc.constantFrom('http://e/a', 'http://e/d', 'http://e/T', '_:x', 'http://e/none'),
      graph: fc.constantFrom('default', 'union', 'http://e/g'),
      words: fc.constantFrom('alpha', 'alph* OR gamma', 'beta gamma', 'content:alpha -beta', '"alpha beta"', '*'),
      searchType: fc.constantFrom('QUERY', 'TERM', 'PHRASE', 'WILDCARD'),
      limit: fc.integer({ min: 1, max: 3 }),
    });
    const documents = fc.uniqueArray(documentText, { maxLength: 6, selector: ({ uri }) => uri });
    const texts = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(labelled, { maxLength: 40 }),
        fc.subarray(['a', 'b']),
        asked,
        fc.integer({ min: 1, max: 4 }),
        documents,
        async (quads, held, variables, batches, stored) => {
          const viewer = viewerOf(held);
          const all = await datasetOf(quads, batches);
          const visible = await datasetOf(quads.filter(({ label }) => viewer.permits(label)).reverse(), 1);
          const parts = stored.map((one) => visiblePart(one, viewer)).filter((one) => one !== undefined);
          const search = await searchOver(stored.map(toDocument), batches);
          const visibleSearch = await searchOver(parts.reverse(), 1);
          for (const [schema, query] of ASKED) {
            const ours = await ask(schema, all, query, { viewer, variables, search });
            const theirs = await ask(schema, visible, query, { viewer, variables, search: visibleSearch });
            expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
            const byMatch = await ask(schema, portAlone(all), query, { viewer, variables, search });
            expect(JSON.stringify(byMatch)).toBe(JSON.stringify(theirs));
            expect(ours.data).toBeDefined();
            texts.add(JSON.stringify(ours.data?.['searchWithMetadata']));
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(texts.size).toBeGreaterThan(RUNS / 10);
  }, 1_800_000);

  it('is told apart from one that counts hidden documents', async () => {
    const hidden = { uri: 'http://e/b', primaryName: 'alpha', securityLabels: { defaults: 'a' } };
    const open = { uri: 'http://e/a', primaryName: 'alpha', securityLabels: { defaults: '*' } };
    const index = await searchOver([hidden, open], 1);
    const dataset = await datasetOf([{ quad: quad(e('a'), e('p'), e('b')), label: '*' }], 1);
    const query = '{ searchWithMetadata(searchTerm: "alpha", limit: 1) { maybeMore nodes { uri } } }';
    const answer = { nodes: [{ uri: 'http://e/a' }] };
    const asks = (held: readonly string[]) =>
      ask(ASKED[0][0], dataset, query, { viewer: viewerOf(held), search: index });
    expect((await asks([])).data).toEqual({ searchWithMetadata: { maybeMore: false, ...answer } });
    expect((await asks(['a'])).data).toEqual({ searchWithMetadata: { maybeMore: true, ...answer } });
  });

  it('asks each of them', () => {
    for (const [schema, query] of ASKED) {
      for (const type of Object.values(schema.schema.getTypeMap())) {
        if (type.name.startsWith('__') || !('getFields' in type) || 'parseValue' in type) continue;
        for (const field of Object.keys(type.getFields()))
          expect(query, `${type.name}.${field}`).toMatch(new RegExp(`\\b${field}\\b`));
      }
    }
  });

  it('counts a budget by visible work only', async () => {
    const quads = Array.from(
      { length: 50 },
      (_, i): Labelled => ({ quad: quad(e('a'), e('p'), e(`n${i}`)), label: i < 5 ? '*' : 'a' }),
    );
    const dataset = await datasetOf(quads, 2);
    const options = { limits: { maxItems: 10 } };
    const asks = (held: readonly string[]) =>
      ask(ASKED[1][0], dataset, '{ quads { object { value } } }', { viewer: viewerOf(held), ...options });
    expect((await asks([])).data).toMatchObject({ quads: { length: 5 } });
    expect(await asks(['a'])).toMatchObject({ errors: [{ extensions: { code: 'ERR_RESULT_ROWS' } }] });
  });
});
