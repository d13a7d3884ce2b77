import { createViewer } from '@cairn/security';
import type { GraphQLObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { createDatasetSchema } from '../dataset/schema.ts';
import type { EntityFinder, EntityQuery } from '../port/entity-finder.ts';
import { type Asking, askBoth as askSchema, datasetOf } from '../testing/dataset.ts';
import { createTraversalSchema } from '../traversal/schema.ts';
import { hashText } from './entity.ts';
import { IES_STATES } from './options.ts';
import { createPlatformSchema } from './schema.ts';

const schema = createPlatformSchema({ prefixes: { ies: 'http://ies.data.gov.uk/ontology/ies4#' } });

const DATA = `
:ann a :Person, :Agent ; :name "Ann", "Anna"@en ; :age 30 ; :knows :bob, :cid ; :likes :bob ; :at _:home .
:bob a :Person ; :name "Bob" .
:cid a :Robot .
_:home :zip "1" .`;

const NAMED = 'GRAPH :g { :ann :name "Ann of g" ; :knows :dan . :dan a :Person }';

const SECRET = `:ann :knows :spy ; :name "A." . :spy a :Person, :Spy .`;

let dataset: StoreDataset;

beforeAll(async () => {
  dataset = await datasetOf({ '*': DATA, secret: SECRET });
});

const ann = 'http://e/ann';
const open = createViewer({ attributes: {} });

async function data(query: string, options: Asking = {}): Promise<unknown> {
  const result = await askSchema(schema, dataset, query, { viewer: open, ...options });
  expect(result.errors).toBeUndefined();
  return result.data;
}

async function errors(query: string, options: Asking = {}): Promise<readonly string[]> {
  const result = await askSchema(schema, dataset, query, { viewer: open, ...options });
  return (result.errors ?? []).map(({ message }) => message);
}

const node = (fields: string): string => `{ node(uri: "${ann}") { ${fields} } }`;

describe('the platform schema', () => {
  it('names an entity by its IRI, hash and short form', async () => {
    expect(await data(node('id uri uriHash shortUri'))).toEqual({
      node: { id: ann, uri: ann, uriHash: hashText(ann), shortUri: 'e:ann' },
    });
    expect(hashText('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  });

  it('gives null for what is neither subject nor object, hidden or named only as a predicate', async () => {
    expect(
      await data(
        '{ a: node(uri: "http://e/none") { id } b: node(uri: "http://e/spy") { id } c: node(uri: "http://e/knows") { id } }',
      ),
    ).toEqual({ a: null, b: null, c: null });
  });

  it('lists types, properties and relations in the order of their N-Triples form', async () => {
    expect(await data(node('types { uri } properties { shortPredicate value datatype language }'))).toEqual({
      node: {
        types: [{ uri: 'http://e/Agent' }, { uri: 'http://e/Person' }],
        properties: [
          {
            shortPredicate: 'e:age',
            value: '30',
            datatype: 'http://www.w3.org/2001/XMLSchema#integer',
            language: null,
          },
          {
            shortPredicate: 'e:name',
            value: 'Ann',
            datatype: 'http://www.w3.org/2001/XMLSchema#string',
            language: null,
          },
          {
            shortPredicate: 'e:name',
            value: 'Anna',
            datatype: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString',
            language: 'en',
          },
        ],
      },
    });
    const { node: found } = (await data(node('outRels { predicate range { shortUri } }'))) as {
      node: { outRels: { predicate: string; range: { shortUri: string } }[] };
    };
    expect(found.outRels.map(({ predicate, range }) => `${predicate} ${range.shortUri}`)).toEqual([
      expect.stringMatching(/^http:\/\/e\/at _:/),
      'http://e/knows e:bob',
      'http://e/knows e:cid',
      'http://e/likes e:bob',
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#type e:Agent',
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#type e:Person',
    ]);
  });

  it('identifies a relation by the hash of its triple, from either end', async () => {
    const rel = {
      id: hashText('<http://e/ann> <http://e/likes> <http://e/bob>.'),
      domain_id: ann,
      range_id: 'http://e/bob',
    };
    expect(
      await data(`{
        node(uri: "http://e/bob") { inRels(predicateFilter: {values: ["http://e/likes"]}) { id domain_id range_id domain { uri } } }
      }`),
    ).toEqual({ node: { inRels: [{ ...rel, domain: { uri: ann } }] } });
  });

  it('pages and filters relations; counts obey the filters and not the page', async () => {
    const filters = `predicateFilter: {values: ["http://e/knows", "http://e/likes"]}, typeFilter: {values: ["http://e/Robot"], mode: EXCLUDE}`;
    expect(
      await data(
        node(`outRels(limit: 1, offset: 2, ${filters}) { predicate range_id }
          all: outRels(nodeFilter: {values: ["http://e/bob"]}) { predicate }
          relCounts { outRels(${filters}) all: outRels inRels properties types instances }`),
      ),
    ).toEqual({
      node: {
        outRels: [{ predicate: 'http://e/likes', range_id: 'http://e/bob' }],
        all: [{ predicate: 'http://e/knows' }, { predicate: 'http://e/likes' }],
        relCounts: { outRels: 2, all: 6, inRels: 0, properties: 3, types: 2, instances: 0 },
      },
    });
  });

  it('counts facets over all relations, a relation once per type of its other end', async () => {
    expect(
      await data(
        node(
          'relFacets { outRels { types { shortUri count } predicates { shortUri count } } inRels { types { uri } } }',
        ),
      ),
    ).toEqual({
      node: {
        relFacets: {
          outRels: {
            types: [
              { shortUri: 'e:Person', count: 2 },
              { shortUri: 'e:Robot', count: 1 },
            ],
            predicates: [
              { shortUri: 'e:knows', count: 2 },
              { shortUri: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type', count: 2 },
              { shortUri: 'e:at', count: 1 },
              { shortUri: 'e:likes', count: 1 },
            ],
          },
          inRels: { types: [] },
        },
      },
    });
  });

  it('shows more to who may see more, and never counts what is hidden', async () => {
    const query = node('relCounts { outRels properties } relFacets { outRels { types { shortUri count } } }');
    const viewer = createViewer({ attributes: { secret: ['true'] } });
    expect(await data(query, { viewer })).toMatchObject({
      node: {
        relCounts: { outRels: 7, properties: 4 },
        relFacets: { outRels: { types: [{ shortUri: 'e:Person', count: 3 }, { count: 1 }, { count: 1 }] } },
      },
    });
    expect(await data(query)).toMatchObject({ node: { relCounts: { outRels: 6, properties: 3 } } });
  });

  it('looks in any graph, or for a start in the one that is named, and reads relations from all of them', async () => {
    const several = await datasetOf({ '*': `${DATA} ${NAMED}`, secret: 'GRAPH :h { :bob :name "B" }' });
    const names = 'properties(predicateFilter: {values: ["http://e/name"]}) { value } relCounts { outRels }';
    const result = await askSchema(
      schema,
      several,
      `{
        any: node(uri: "${ann}") { ${names} }
        named: node(graph: "http://e/g", uri: "${ann}") { ${names} }
        union: node(graph: "union", uri: "${ann}") { ${names} }
        dan: node(uri: "http://e/dan") { uri }
        absent: node(graph: "http://e/none", uri: "${ann}") { id }
        elsewhere: node(graph: "http://e/g", uri: "http://e/bob") { id }
        notInDefault: node(graph: "default", uri: "http://e/dan") { id }
        hidden: node(graph: "http://e/h", uri: "http://e/bob") { id }
        nodes(graph: "http://e/g", uris: ["http://e/bob", "http://e/dan"]) { shortUri }
        typed: getAllEntities(graph: "http://e/g") { shortUri inRels { domain_id } }
      }`,
      { viewer: open },
    );
    const whole = {
      properties: [{ value: 'Ann of g' }, { value: 'Ann' }, { value: 'Anna' }],
      relCounts: { outRels: 7 },
    };
    expect(result).toEqual({
      data: {
        ...{ any: whole, named: whole, union: whole, dan: { uri: 'http://e/dan' } },
        ...{ absent: null, elsewhere: null, notInDefault: null, hidden: null },
        nodes: [{ shortUri: 'e:dan' }],
        typed: [{ shortUri: 'e:dan', inRels: [{ domain_id: ann }] }],
      },
    });
  });

  it('narrows each kind of facet by filters of its own', async () => {
    const people = '{values: ["http://e/Person"]}';
    const found = await data(
      node(`relFacets { outRels(predicateFilter: {values: ["http://e/knows", "http://e/likes"]}) {
        types(typeFilter: ${people}) { shortUri count }
        notBob: types(nodeFilter: {values: ["http://e/bob"], mode: EXCLUDE}) { shortUri count }
        predicates(predicateFilter: {values: ["http://e/likes"]}) { shortUri count }
        toCid: predicates(nodeFilter: {values: ["http://e/cid"]}) { shortUri count }
      } }`),
    );
    expect(found).toEqual({
      node: {
        relFacets: {
          outRels: {
            types: [{ shortUri: 'e:Person', count: 2 }],
            notBob: [{ shortUri: 'e:Robot', count: 1 }],
            predicates: [{ shortUri: 'e:likes', count: 1 }],
            toCid: [{ shortUri: 'e:knows', count: 1 }],
          },
        },
      },
    });
  });

  it('has the names and deprecations that clients know', () => {
    const query = schema.schema.getQueryType()!;
    expect(query.name).toBe('Query');
    expect(String(query.getFields()['states'].type)).toBe('[State]!');
    expect(query.getFields()['search'].deprecationReason).toContain('searchWithMetadata');
    const nodeType = schema.schema.getType('Node') as GraphQLObjectType;
    expect(nodeType.getFields()['uriHash'].deprecationReason).toBeTruthy();
    expect(createDatasetSchema().schema.getQueryType()?.name).toBe('Quads');
    expect(createTraversalSchema().schema.getQueryType()?.name).toBe('Traversal');
  });

  it('keeps the order of the uris asked for, without repeats and absent ones, then pages', async () => {
    const uris = ['http://e/cid', 'http://e/none', ann, 'http://e/cid', 'http://e/bob'];
    expect(
      await data('query($uris: [String!]!) { nodes(uris: $uris, limit: 2, offset: 2) { shortUri } }', {
        variables: { uris },
      }),
    ).toEqual({ nodes: [{ shortUri: 'e:ann' }, { shortUri: 'e:bob' }] });
  });

  it('lists every typed subject, or a page of them', async () => {
    expect(
      await data('{ getAllEntities { shortUri } page: getAllEntities(limit: 1, offset: 2) { shortUri } }'),
    ).toEqual({
      getAllEntities: [{ shortUri: 'e:ann' }, { shortUri: 'e:bob' }, { shortUri: 'e:cid' }],
      page: [{ shortUri: 'e:bob' }],
    });
  });

  it('takes a limit of zero or less for the default and refuses one over 250', async () => {
    expect(await data(node('outRels(limit: -1) { id } instances(limit: 0) { id }'))).toMatchObject({
      node: { outRels: { length: 6 }, instances: [] },
    });
    expect(await errors(node('outRels(limit: 251) { id }'))).toEqual(['limit must be at most 250; got 251']);
    expect(await errors(node('outRels(predicateFilter: {values: []}) { id }'))).toEqual([
      'predicateFilter.values must have at least one value; got none',
    ]);
  });
});

describe('states', () => {
  const ies = 'http://ies.data.gov.uk/ontology/ies4#';
  const STATES = `
    @prefix i: <${ies}> .
    :s1 i:isStateOf :ann ; a i:State ; i:inPeriod :p1 ; :in :town . :p1 i:iso8601PeriodRepresentation "2001" .
    :b i:isStartOf :ann ; a i:BoundingState ; i:inPeriod :p2 . :p2 i:iso8601PeriodRepresentation "2000-01-01" .
    :s1start i:isStartOf :s1 ; i:inPeriod :p3 . :p3 i:iso8601PeriodRepresentation "2001-02" .
    :untyped i:isStateOf :ann .
    :visit a :Event ; :of :s1 . :mention :of :s1 .`;

  it('come by link, with their periods, beginnings, ends and relations', async () => {
    const states = await datasetOf({ '*': STATES });
    const result = await askSchema(
      schema,
      states,
      `{ states(uri: "${ann}") {
        uri type period start end relations { predicate entity { shortUri } } relCounts { relations } } }`,
    );
    expect(result.errors).toBeUndefined();
    expect(result.data).toEqual({
      states: [
        {
          uri: 'http://e/s1',
          type: `${ies}State`,
          period: '2001',
          start: '2001-02',
          end: null,
          relations: [
            { predicate: 'http://e/in', entity: { shortUri: 'e:town' } },
            { predicate: `${ies}inPeriod`, entity: { shortUri: 'e:p1' } },
            { predicate: 'http://e/of', entity: { shortUri: 'e:visit' } },
          ],
          relCounts: { relations: 3 },
        },
        {
          uri: 'http://e/b',
          type: `${ies}BoundingState`,
          period: '2000-01-01',
          start: '2000-01-01',
          end: null,
          relations: [{ predicate: `${ies}inPeriod`, entity: { shortUri: 'e:p2' } }],
          relCounts: { relations: 1 },
        },
      ],
    });
  });

  it('are told by another vocabulary when one is configured', async () => {
    const vocabulary = {
      ...IES_STATES,
      links: ['http://e/phaseOf'],
      inPeriod: 'http://e/when',
      representation: 'http://e/text',
    };
    const own = createPlatformSchema({ name: 'telicent', states: vocabulary });
    const phases = await datasetOf({ '*': ':x :phaseOf :ann ; a :Phase ; :when [ :text "2020" ] .' });
    expect(own.name).toBe('telicent');
    expect(await askSchema(own, phases, `{ states(uri: "${ann}") { uri period } }`)).toEqual({
      data: { states: [{ uri: 'http://e/x', period: '2020' }] },
    });
  });
});

describe('search', () => {
  const RESULTS = { maybeMore: true, results: [ann, 'http://e/none', 'http://e/cid'].map((id) => ({ id })) };

  it('answers the results that are in the graph, with what the search says', async () => {
    const asked: EntityQuery[] = [];
    const search: EntityFinder = {
      search: async (_viewer, query) => {
        asked.push(query);
        return RESULTS;
      },
    };
    expect(
      await data(
        `{ searchWithMetadata(searchTerm: "x", searchType: TERM, limit: 2, offset: 3, typeFilter: "t") {
          searchTerm searchType limit offset maybeMore nodes { shortUri } } search(searchTerm: "x") { shortUri } }`,
        { search },
      ),
    ).toEqual({
      searchWithMetadata: {
        searchTerm: 'x',
        searchType: 'TERM',
        limit: 2,
        offset: 3,
        maybeMore: true,
        nodes: [{ shortUri: 'e:ann' }, { shortUri: 'e:cid' }],
      },
      search: [{ shortUri: 'e:ann' }, { shortUri: 'e:cid' }],
    });
    expect(asked[0]).toMatchObject({ query: 'x', type: 'term', limit: 2, offset: 3, typeFilter: { values: ['t'] } });
  });

  it('being down is an error of its field alone', async () => {
    const search: EntityFinder = { search: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')) };
    const result = await askSchema(schema, dataset, `{ search(searchTerm: "x") { id } node(uri: "${ann}") { id } }`, {
      search,
    });
    expect(result).toEqual({
      data: { search: null, node: { id: ann } },
      errors: [
        {
          message: 'search is unavailable: the search index does not answer',
          path: ['search'],
          locations: [{ line: 1, column: 3 }],
          extensions: { code: 'ERR_SEARCH_UNAVAILABLE', kind: 'unavailable' },
        },
      ],
    });
    expect(await errors('{ search(searchTerm: "x") { id } }')).toHaveLength(1);
    expect(await errors('{ search(searchTerm: "x", searchType: WILDCARD) { id } }', { search })).toEqual([
      'searchType must be QUERY, TERM or PHRASE; got WILDCARD',
    ]);
  });
});
