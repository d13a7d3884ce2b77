import { setImmediate as nextTurn } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { createDatasetSchema } from '../dataset/schema.ts';
import { createPlatformSchema } from '../platform/schema.ts';
import type { EntityFinder } from '../port/entity-finder.ts';
import { type Asking, ask, askBoth, datasetOf, parseTrig } from '../testing/dataset.ts';
import { createTraversalSchema } from '../traversal/schema.ts';
import { validateGraphQL } from './execute.ts';

const platform = createPlatformSchema();
const traversal = createTraversalSchema();
const quads = createDatasetSchema();
let dataset: StoreDataset;

beforeAll(async () => {
  const wide = Array.from({ length: 300 }, (_, i) => `:hub :p :n${i} . :n${i} :p :hub .`).join('\n');
  dataset = await datasetOf({ '*': `${wide} :hub :name "Hub" ; a :T .` });
});

const hub = 'http://e/hub';
const messages = async (query: string, options?: Asking): Promise<string[]> =>
  ((await askBoth(platform, dataset, query, options)).errors ?? []).map(({ message }) => message);

describe('the dataset schema', () => {
  it('finds quads by pattern and tells the kinds of their terms', async () => {
    const result = await askBoth(
      quads,
      dataset,
      `{ quads(subject: {kind: URI, value: "${hub}"}, object: {kind: PLAIN_LITERAL, value: "Hub"}) {
      predicate { kind value } object { kind value datatype language triple { subject { value } } } graph { kind value } } }`,
    );
    expect(result.data).toEqual({
      quads: [
        {
          predicate: { kind: 'URI', value: 'http://e/name' },
          object: {
            kind: 'TYPED_LITERAL',
            value: 'Hub',
            datatype: 'http://www.w3.org/2001/XMLSchema#string',
            language: null,
            triple: null,
          },
          graph: { kind: 'URI', value: 'urn:x-arq:DefaultGraph' },
        },
      ],
    });
  });

  it('takes VARIABLE for any term and says what a filter lacks', async () => {
    const any = await ask(
      quads,
      dataset,
      '{ quads(object: {kind: VARIABLE, value: "o"}, predicate: {kind: URI, value: "http://e/name"}) { object { value } } }',
    );
    expect(any.data).toEqual({ quads: [{ object: { value: 'Hub' } }] });
    const lacking = await ask(quads, dataset, '{ quads(object: {kind: URI}) { object { value } } }');
    expect(lacking.errors?.[0]).toMatchObject({ message: 'a URI filter must have a value', path: ['quads'] });
  });
});

describe('the traversal schema', () => {
  it('starts at every subject, at those given, or nowhere', async () => {
    const result = await askBoth(
      traversal,
      dataset,
      `{ all: nodes { node { value } } none: nodes(starts: []) { node { value } }
      one: nodes(starts: [{kind: URI, value: "http://e/absent"}, {kind: URI, value: "${hub}"}]) { node { value } } }`,
    );
    expect(result.data).toMatchObject({ all: { length: 301 }, none: [], one: [{ node: { value: hub } }] });
  });

  it('follows edges either way, by predicate and kind, and gives null where there are none', async () => {
    const result = await askBoth(
      traversal,
      dataset,
      `{ nodes(starts: [{kind: URI, value: "${hub}"}]) {
      outgoing(kinds: [PLAIN_LITERAL]) { edge { value } direction target { node { value } outgoing { edge { value } } } }
      incoming(predicate: [{kind: URI, value: "http://e/p"}]) { direction }
      none: outgoing(predicate: []) { direction } } }`,
    );
    expect(result.data).toMatchObject({
      nodes: [
        {
          outgoing: [
            { edge: { value: 'http://e/name' }, direction: 'OUT', target: { node: { value: 'Hub' }, outgoing: null } },
          ],
          incoming: { length: 300 },
          none: null,
        },
      ],
    });
  });
});

describe('the limits of a request', () => {
  it('refuse size and tokens before the text is read', async () => {
    expect(await messages(`{ node(uri: "${'x'.repeat(100_001)}") { id } }`)).toEqual([
      'a query may have 100000 bytes; got more',
    ]);
    expect(await messages(`{ ${'a '.repeat(6_000)} }`)).toEqual(['a document may have 5000 tokens; got more']);
    expect(await messages('{'.repeat(4_000))).toHaveLength(1);
  });

  it('refuse a document whose fields or fragments at one place would be compared each with each', async () => {
    const refusal = /^a document may have 20000 pairs of fields or fragments at one place; got \d+ or more$/;
    const nested = 'outRels(limit: 1) { range { id } } ';
    const fragments = Array.from({ length: 300 }, (_, i) => `fragment F${i} on Query { __typename }`);
    const circle = Array.from({ length: 300 }, (_, i) => `fragment F${i} on Query { ...F${(i + 1) % 300} }`);
    const spreads = fragments.map((_, i) => `...F${i}`).join(' ');
    const both = 'fragment A on Entity { a { ...A } b { ...A } }';
    for (const text of [
      `{ ${'getAllEntities { id } '.repeat(980)} }`,
      `{ node(uri: "${hub}") { ${nested.repeat(130)} } }`,
      `{ ${'...{ __typename } '.repeat(300)} }`,
      `{ ${spreads} } ${fragments.join(' ')}`,
      `{ ${spreads} } ${circle.join(' ')}`,
      `{ node(uri: "${hub}") { ...A } } ${both}`,
    ]) {
      const { errors } = await ask(platform, dataset, text);
      expect(errors).toMatchObject([{ extensions: { code: 'ERR_GRAPHQL_LIMIT' } }]);
      expect(errors?.[0]?.message).toMatch(refusal);
    }
    expect(await messages(`{ ${'getAllEntities(limit: 1) { id } '.repeat(100)} }`)).toEqual([]);
  });

  it('say how many faults of a document are listed', async () => {
    const { errors } = await ask(platform, dataset, `{ ${Array.from({ length: 30 }, (_, i) => `f${i}`).join(' ')} }`);
    expect(errors).toHaveLength(21);
    expect(errors?.[20]).toMatchObject({
      message: 'an answer lists 20 errors of a document; it has more',
      extensions: { code: 'ERR_GRAPHQL_LIMIT' },
    });
  });

  it('refuse depth, aliases, directives and fields, fragments counted as often as spread', async () => {
    const deep = (levels: number): string =>
      levels === 0 ? 'id' : `outRels(limit: 1) { range { ${deep(levels - 1)} } }`;
    expect(await messages(`{ node(uri: "${hub}") { ${deep(10)} } }`)).toEqual([
      'a document may nest fields 20 times; got 22',
    ]);
    const aliases = Array.from({ length: 51 }, (_, i) => `a${i}: __typename`).join(' ');
    expect(await messages(`{ ${aliases} }`)).toEqual(['a document may have aliases 50 times; got 51']);
    expect(await messages(`{ __typename ${'@skip(if: false) '.repeat(51)} }`)).toEqual([
      'a document may have directives 50 times; got 51',
    ]);
    const doubling = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(
      ' ',
    );
    const bomb = `{ ...F0 } ${doubling} fragment F60 on Query { x: __typename }`;
    expect(await messages(bomb)).toEqual([
      'a document may have aliases 50 times; got far more',
      'a document may have fields 2000 times; got far more',
    ]);
    expect(await messages('{ ...A } fragment A on Query { ...A }')).toEqual([
      expect.stringContaining('Cannot spread fragment'),
    ]);
  });

  it('refuse what costs too much by its page sizes, literal or variable', async () => {
    const hops = (limit: string): string =>
      `outRels(limit: ${limit}) { range { outRels(limit: ${limit}) { range { outRels(limit: ${limit}) { id } } } } }`;
    expect(await messages(`{ node(uri: "${hub}") { ${hops('250')} } }`)).toEqual([
      'an answer may hold 1000000 objects by its page sizes; 15750501 are asked for',
    ]);
    const variables = { l: 250 };
    expect(await messages(`query($l: Int) { node(uri: "${hub}") { ${hops('$l')} } }`, { variables })).toHaveLength(1);
    expect(await messages(`query($l: Int = 250) { node(uri: "${hub}") { ${hops('$l')} } }`)).toHaveLength(1);
    expect(await messages(`query($l: Int) { node(uri: "${hub}") { ${hops('$l')} } }`, { variables: { l: 3 } })).toEqual(
      [],
    );
  });

  it('refuse an answer that lists too much', async () => {
    const result = await ask(traversal, dataset, '{ nodes { node { value } } }', { limits: { maxItems: 300 } });
    expect(result).toEqual({
      errors: [
        {
          message: 'an answer may list 300 items; it lists more',
          extensions: { code: 'ERR_RESULT_ROWS', kind: 'exhausted' },
        },
      ],
    });
  });

  it('allow introspection unless it is switched off', async () => {
    expect(await messages(getIntrospectionQuery())).toEqual([]);
    expect(await messages('{ __schema { types { name } } }', { introspection: false })).toEqual([
      expect.stringContaining('introspection has been disabled'),
      expect.stringContaining('introspection has been disabled'),
    ]);
    expect(await messages('{ __typename }', { introspection: false })).toEqual([]);
  });
});

describe('the execution', () => {
  const busy = `{ node(uri: "${hub}") { outRels(limit: 250) { range { outRels(limit: 250) { range { uri } } } } } }`;

  it('ends the whole request when its time is over', async () => {
    let now = 0;
    const result = await ask(platform, dataset, busy, { nowMs: () => now++, limits: { timeLimitMs: 20 } });
    expect(result).toEqual({
      errors: [{ message: 'the time limit of 20 ms is over', extensions: { code: 'ERR_TIME_LIMIT', kind: 'timeout' } }],
    });
  });

  it('lets other events through, and ends when its caller withdraws', async () => {
    const controller = new AbortController();
    // A clock that goes on by a millisecond with each look: slices end on every machine.
    let now = 0;
    const running = ask(platform, dataset, busy, { signal: controller.signal, nowMs: () => now++ });
    setImmediate(() => controller.abort());
    expect(await running).toMatchObject({ errors: [{ extensions: { code: 'ERR_CANCELLED' } }] });
  });

  it('reads the state in which it began, whatever is written between two of its fields', async () => {
    const own = await datasetOf({ '*': ':a :p :b . :b a :T .' });
    const search: EntityFinder = {
      search: async () => {
        const additions = (await parseTrig(':a :p :c . :c a :T . :new :p :a .')).map((quad) => ({ quad, label: '*' }));
        const deletions = (await parseTrig(':a :p :b .')).map((quad) => ({ quad, label: undefined }));
        await own.apply([{ deletions, additions }]);
        return { maybeMore: false, results: [{ id: 'http://e/a' }] };
      },
    };
    const query = `{ search(searchTerm: "x") { uri outRels { range { uri } } inRels { domain { uri } } }
      getAllEntities { uri } }`;
    const asks = () => ask(platform, own, query, { search });
    expect((await asks()).data).toEqual({
      search: [{ uri: 'http://e/a', outRels: [{ range: { uri: 'http://e/b' } }], inRels: [] }],
      getAllEntities: [{ uri: 'http://e/b' }],
    });
    expect((await asks()).data).toEqual({
      search: [
        {
          uri: 'http://e/a',
          outRels: [{ range: { uri: 'http://e/c' } }],
          inRels: [{ domain: { uri: 'http://e/new' } }],
        },
      ],
      getAllEntities: [{ uri: 'http://e/b' }, { uri: 'http://e/c' }],
    });
  });

  it('tells errors in the order of the document, whichever field failed first', async () => {
    const search: EntityFinder = {
      search: async () => {
        // The other field fails within one turn of the event loop.
        for (let turn = 0; turn < 20; turn++) await nextTurn();
        throw new TypeError('down');
      },
    };
    const query = '{ a: search(searchTerm: "x") { uri } b: search(searchTerm: "x", limit: 300) { uri } }';
    expect(await messages(query, { search })).toEqual([
      'search is unavailable: the search index does not answer',
      'limit must be at most 250; got 300',
    ]);
  });

  it('says where an error stands and at which path', async () => {
    const result = await ask(platform, dataset, `{\n  node(uri: "${hub}") {\n    outRels(limit: 300) { id } } }`);
    expect(result.errors).toEqual([
      {
        message: 'limit must be at most 250; got 300',
        locations: [{ line: 3, column: 5 }],
        path: ['node', 'outRels'],
        extensions: { code: 'ERR_GRAPHQL_PAGE', kind: 'invalid' },
      },
    ]);
  });

  it('hides what a defect says', async () => {
    const broken = Object.assign(Object.create(dataset) as StoreDataset, {
      snapshot: () => {
        throw new TypeError('secret detail');
      },
    });
    expect(await ask(platform, broken, '{ __typename }')).toMatchObject({ errors: [{ message: 'internal error' }] });
  });

  it('refuses mutations, unknown operations and what is no dataset', async () => {
    // graphql 17 refuses it before we do.
    expect(await messages('mutation { __typename }')).toEqual([
      expect.stringMatching(/queries only; got a mutation|mutation operation is not/),
    ]);
    expect(await messages('query A { __typename } query B { __typename }')).toEqual([
      'operationName must name one operation',
    ]);
    const foreign = { name: 'far', prefixes: async () => ({}) } as unknown as StoreDataset;
    await expect(ask(platform, foreign, '{ __typename }')).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
  });
});

describe('the validation', () => {
  it('gives nothing for a valid document and places for an invalid one', () => {
    expect(validateGraphQL(platform, { query: '{ node(uri: "x") { id } }' })).toEqual([]);
    const [error] = validateGraphQL(platform, { query: '{ node(uri: "x") { nothing } }' });
    expect(error?.toJSON()).toMatchObject({ locations: [{ line: 1, column: 20 }] });
    expect(validateGraphQL(platform, { query: '{ node(' })).toHaveLength(1);
  });
});
