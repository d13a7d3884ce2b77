import { createViewerOfEverything } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { createPlatformSchema } from '../platform/schema.ts';
import { datasetOf } from '../testing/dataset.ts';
import { answerGraphQLHttp, type GraphQLHttpOptions, type GraphQLHttpRequest } from './answer.ts';

const schema = createPlatformSchema();
const RESPONSE = 'application/graphql-response+json';
let dataset: StoreDataset;

beforeAll(async () => {
  dataset = await datasetOf({ '*': ':a :p :b .' });
});

async function answer(request: Partial<GraphQLHttpRequest>, options: Partial<GraphQLHttpOptions> = {}) {
  const { status, headers, body } = await answerGraphQLHttp(
    { method: 'GET', headers: { accept: RESPONSE }, ...request },
    { schema, dataset, viewer: createViewerOfEverything(), ...options },
  );
  return { status, type: headers['content-type'], allow: headers['allow'], body };
}

const get = (query: string): Partial<GraphQLHttpRequest> => ({ query: `query=${encodeURIComponent(query)}` });
const post = (body: string, headers: Record<string, string> = {}): Partial<GraphQLHttpRequest> => ({
  method: 'POST',
  body,
  headers: { accept: RESPONSE, 'content-type': 'application/json', ...headers },
});

describe('GraphQL over HTTP', () => {
  it('answers GET and POST alike, partial data with 200', async () => {
    const query = '{ node(uri: "http://e/a") { shortUri } search(searchTerm: "x") { id } }';
    const first = await answer(get(query));
    expect(first).toMatchObject({ status: 200, type: `${RESPONSE}; charset=utf-8` });
    expect(JSON.parse(first.body)).toMatchObject({ data: { node: { shortUri: 'e:a' }, search: null }, errors: [{}] });
    expect(await answer(post(JSON.stringify({ query })))).toEqual(first);
  });

  it('validates each of the documents that arrive together in a turn of the event loop of its own', async () => {
    let turn = 0;
    const count = (): void => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const validate = async (i: number): Promise<number> => {
      expect(await answer({ ...get(`{ a${i}: __typename }`), headers: {} }, { mode: 'validate' })).toMatchObject({
        status: 200,
      });
      return turn;
    };
    const turns = await Promise.all(Array.from({ length: 20 }, (_, i) => validate(i)));
    clearImmediate(counting);
    expect(new Set(turns).size).toBe(20);
  });

  it.each<[string, Partial<GraphQLHttpRequest>, number]>([
    ['a blank query', { query: 'query=%20' }, 400],
    ['no query', { query: '' }, 400],
    ['variables that are no JSON', { query: 'query={__typename}&variables={' }, 400],
    ['a body that is no JSON', post('{'), 400],
    ['a body that is a batch', post('[{"query": "{ __typename }"}]'), 400],
    ['an unknown key', post('{"query": "{ __typename }", "qeury": 1}'), 400],
    ['another content type', post('{}', { 'content-type': 'text/plain' }), 415],
    ['another charset', post('{}', { 'content-type': 'application/json; charset=latin1' }), 415],
    ['bytes that are not UTF-8', { ...post(''), body: new Uint8Array([0x7b, 0xff, 0x7d]) }, 415],
    ['no content type', { method: 'POST', body: '{}' }, 415],
    ['another method', { method: 'DELETE' }, 405],
    ['an Accept that takes neither type', { ...get('{ __typename }'), headers: { accept: 'text/html' } }, 406],
    ['a body that is too large', post(`{"query": "${'x'.repeat(100_001)}"}`), 413],
    ['a mutation', get('mutation { __typename }'), 400],
    ['a syntax error', get('{'), 400],
    ['an unknown field', get('{ nothing }'), 400],
  ])('refuses %s', async (_what, request, status) => {
    const refused = await answer(request);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ message: expect.any(String) }] });
    expect(refused.allow).toBe(status === 405 ? 'GET, POST' : undefined);
  });

  it('understands the Accept header that clients send, charsets and all', async () => {
    const accept = `${RESPONSE}; charset=utf-8, application/json; charset=utf-8;q=0.9`;
    expect(await answer({ ...get('{ __typename }'), headers: { accept } })).toMatchObject({
      status: 200,
      type: `${RESPONSE}; charset=utf-8`,
    });
    expect(await answer({ ...get('{'), headers: { accept: 'application/json' } })).toMatchObject({ status: 200 });
  });

  it('answers a time limit with 503', async () => {
    let now = 0;
    const options = { nowMs: () => (now += 100), limits: { timeLimitMs: 50 } };
    expect(await answer(get('{ node(uri: "http://e/a") { id } }'), options)).toMatchObject({ status: 503 });
  });

  it('validates without running', async () => {
    expect(await answer({ ...get('{ node(uri: "x") { id } }'), headers: {} }, { mode: 'validate' })).toMatchObject({
      status: 200,
      type: 'text/plain; charset=utf-8',
      body: 'Query is valid',
    });
    const invalid = await answer(
      { ...get('{ nothing }'), headers: { accept: 'application/json' } },
      { mode: 'validate' },
    );
    expect(invalid).toMatchObject({ status: 400, type: 'application/json; charset=utf-8' });
    expect(JSON.parse(invalid.body)).toMatchObject({ errors: [{ locations: [{ line: 1, column: 3 }] }] });
  });

  it.each([
    [undefined, 200, 'text/plain', 400, RESPONSE],
    ['*/*', 200, 'text/plain', 400, RESPONSE],
    ['text/plain', 200, 'text/plain', 400, 'text/plain'],
    ['text/*;q=0.1, application/json', 200, 'text/plain', 400, 'application/json'],
    ['application/json', 200, 'application/json', 400, 'application/json'],
    [RESPONSE, 200, RESPONSE, 400, RESPONSE],
    ['text/html', 406, RESPONSE, 406, RESPONSE],
  ])('validates for Accept %s in a type that it takes', async (accept, status, type, badStatus, badType) => {
    const headers = { accept };
    const valid = await answer({ ...get('{ __typename }'), headers }, { mode: 'validate' });
    expect([valid.status, valid.type]).toEqual([status, `${type}; charset=utf-8`]);
    const invalid = await answer({ ...get('{ nothing }'), headers }, { mode: 'validate' });
    expect([invalid.status, invalid.type]).toEqual([badStatus, `${badType}; charset=utf-8`]);
    const missing = await answer({ ...get(''), headers }, { mode: 'validate' });
    expect([missing.status, missing.type]).toEqual([badStatus, `${badType}; charset=utf-8`]);
  });

  it('answers 400 to an invalid document unless application/json alone is asked for', async () => {
    const invalid = get('{ nothing }');
    const statusFor = async (accept?: string): Promise<[number, string]> => {
      const { status, type } = await answer({ ...invalid, headers: accept === undefined ? {} : { accept } });
      return [status, type.split(';')[0]];
    };
    expect(await statusFor()).toEqual([400, 'application/json']);
    expect(await statusFor('*/*')).toEqual([400, 'application/json']);
    expect(await statusFor('application/graphql-response+json, application/json;q=0.9')).toEqual([
      400,
      'application/graphql-response+json',
    ]);
    expect(await statusFor('text/html, application/json')).toEqual([400, 'application/json']);
    expect(await statusFor('application/json')).toEqual([200, 'application/json']);
    expect(await statusFor('application/json; charset=utf-8')).toEqual([200, 'application/json']);
  });

  it('says PersistedQueryNotSupported to a request that holds the hash of a query alone', async () => {
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'ab' } });
    const error = { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } };
    const byGet = await answer({ query: `extensions=${encodeURIComponent(extensions)}` });
    expect([byGet.status, JSON.parse(byGet.body)]).toEqual([400, { errors: [error] }]);
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const byPost = await answer({ method: 'POST', headers, body: `{"extensions":${extensions}}` });
    expect([byPost.status, JSON.parse(byPost.body)]).toEqual([200, { errors: [error] }]);
    const sent = await answer({ method: 'POST', headers, body: `{"query":"{__typename}","extensions":${extensions}}` });
    expect(JSON.parse(sent.body)).toEqual({ data: { __typename: 'Query' } });
  });

  it('answers an error in place of a body that is too long', async () => {
    const long = await answer(get('{ a: __typename b: __typename }'), { limits: { maxAnswerBytes: 20 } });
    expect([long.status, JSON.parse(long.body)]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'ERR_GRAPHQL_ANSWER' } }] },
    ]);
  });
});
