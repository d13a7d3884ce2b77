import { request as rawRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ACCEPT_LENGTH } from '../http/problem.ts';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

/** Statuses that no request of a client provokes on a server that is well, and where else they are tested. */
const ELSEWHERE: readonly (readonly [status: number, operations: RegExp, why: string])[] = [
  [500, /./, 'a defect of the server or of what it stores in; interface/unavailable.test.ts has one'],
  [503, /^readyz$/, 'a probe is never too busy; interface/unavailable.test.ts asks while the server starts'],
];

const FORM = 'application/x-www-form-urlencoded';
const TOO_LONG = 'x'.repeat(5_000);

/** A named graph that is there, and the operations that must name one graph. */
const STORED = 'urn:stored';
const NAMES_GRAPH = /^graphStore(Replace|Delete)$/;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly description: Loose;
}

interface Sent {
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | FormData | undefined;
}

/** A server whose user alice has as many requests in work as she may. */
let usual: TestServer;
/** One with little room and less patience. */
let strict: TestServer;
/** One whose datasets are late. */
let hasty: TestServer;
let operations: readonly Operation[];
/** A document with an entity. */
let annotated: Loose;

function withLimits(limits: object, graph: object = {}): typeof TEST_CONFIGURATION {
  return { ...TEST_CONFIGURATION, server: { ...TEST_CONFIGURATION.server, limits }, graph };
}

beforeAll(async () => {
  const route = { name: 'local', topic: 'document.extractrequest', namespace: 'https://example.org/documents/' };
  const oneEach = withLimits({ maxConcurrentRequests: 2, maxConcurrentRequestsPerUser: 1 });
  usual = await startTestServer({ ...oneEach, routes: [{ ...route, maxFiles: 10 }] });
  const small = {
    maxBodyBytes: 4_000,
    maxRdfBytes: 4_000,
    bodyTimeoutMs: 300,
    requestTimeoutMs: 300,
    headersTimeoutMs: 300,
  };
  const fast = { minUploadBytesPerSecond: 1_000_000, uploadGraceMs: 100, uploadWindowMs: 100 };
  strict = await startTestServer(withLimits({ ...small, ...fast }, { graphqlLimits: { maxBytes: 4_000 } }));
  hasty = await startTestServer(withLimits({}, { applyTimeoutMs: 1 }));
  operations = operationsOf(await usual.get(undefined, '/api/openapi.json'));
  const label = '<http://www.w3.org/2000/01/rdf-schema#label> "Eagle"';
  await usual.update(
    'alice',
    '*',
    `INSERT DATA { <https://example.org/apollo/11> a <urn:Mission> ; ${label} } ; INSERT DATA { GRAPH <${STORED}> { <urn:s> <urn:p> 1 } }`,
  );
  await usual.upload('alice', '*', { 'eagle.txt': 'The Eagle has landed.' });
  annotated = await eventually(async () => {
    const { results } = await usual.get('alice', '/api/search/documents?query=landed&indices=doc-content');
    return results[0]?.document;
  });
});
afterAll(() => Promise.all([usual, strict, hasty].map(({ server }) => server.close())));

function operationsOf({ paths }: Loose): Operation[] {
  return Object.entries(paths as Loose).flatMap(([path, methods]) =>
    Object.entries(methods as Loose).map(([method, description]: [string, Loose]) => {
      return { name: description.operationId, method: method.toUpperCase(), path, description };
    }),
  );
}

/** The request that the description has as an example: what it requires, and nothing else. */
function exampleOf({ name: operation, path, description }: Operation): Sent {
  const sent: Sent = { path, query: [], headers: {}, body: undefined };
  for (const { name, in: place, required, example } of description.parameters as Loose[]) {
    if (place === 'path') sent.path = sent.path.replace(`{${name}}`, encodeURIComponent(example));
    else if (required && place === 'query') sent.query.push([name, [example].flat()[0]]);
    else if (required) sent.headers[name] = example;
  }
  if (NAMES_GRAPH.test(operation)) sent.query.push(['graph', STORED]);
  const [[type, { schema, example }] = ['', {}]] = Object.entries(
    (description.requestBody?.content ?? {}) as Loose,
  ) as [string, Loose][];
  if (type === 'multipart/form-data') sent.body = toParts(1);
  else if (type !== '') sent.headers['Content-Type'] = type;
  if (type === FORM) sent.body = formOf(schema.required, description);
  else if (sent.body === undefined && example !== undefined)
    sent.body = typeof example === 'string' ? example : JSON.stringify(example);
  return sent;
}

/** A form has the parameters of its twin, and they the examples. */
function formOf(required: readonly string[], { operationId }: Loose): string {
  const twin = operations.find(({ name }) => `${name}ByPost` === operationId)?.description.parameters as Loose[];
  const exampleFor = (name: string): string => twin.find((parameter) => parameter.name === name).example;
  return new URLSearchParams(required.map((name): [string, string] => [name, [exampleFor(name)].flat()[0]])).toString();
}

/** Those of some parameters that an operation or its twin takes, as a form. */
function askedOf({ name }: Operation, values: URLSearchParams): string {
  const twin = operations.find((operation) => operation.name === name.replace(/ByPost$/, '')) as Operation;
  const taken = new Set(twin.description.parameters.map((parameter: Loose) => parameter.name));
  return new URLSearchParams([...values].filter(([parameter]) => taken.has(parameter))).toString();
}

function toParts(count: number): FormData {
  const form = new FormData();
  for (let n = 0; n < count; n++) form.append('file', new Blob(['text']), `${n}.txt`);
  return form;
}

async function statusOf(
  server: TestServer,
  user: string | undefined,
  { method }: Operation,
  sent: Sent,
): Promise<number> {
  const init: RequestInit = { method, headers: sent.headers, ...(sent.body !== undefined && { body: sent.body }) };
  const response = await server.send(user, targetOf(sent), init);
  await response.arrayBuffer();
  return response.status;
}

function targetOf({ path, query }: Sent): string {
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value).replace('%25FF', '%FF')}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** The status that headers alone are answered with, when the body that they promise does not come. */
async function statusOfHeaders(
  { server, url }: TestServer,
  user: string,
  { method }: Operation,
  sent: Sent,
): Promise<number> {
  const type = sent.body instanceof FormData ? { 'Content-Type': 'multipart/form-data; boundary=b' } : {};
  const authorization = `Bearer ${await server.issueToken(user)}`;
  const headers = { ...sent.headers, ...type, Authorization: authorization, 'Content-Length': '1000' };
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest(`${url}${targetOf(sent)}`, { method, headers, agent: false }, ({ statusCode }) => {
      resolve(statusCode ?? 0);
      outgoing.destroy();
    });
    outgoing.on('error', reject).flushHeaders();
  });
}

/** Keeps requests of users in work while others are sent: their bodies do not end. */
async function whileHeld<Result>(users: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const held = await Promise.all(
    users.map(async (user) => {
      const headers = {
        Authorization: `Bearer ${await usual.server.issueToken(user)}`,
        'Content-Type': 'application/sparql-query',
        'Content-Length': '1000',
        Expect: '100-continue',
      };
      const outgoing = rawRequest(`${usual.url}/api/graph/knowledge/query`, { method: 'POST', headers, agent: false });
      outgoing.on('error', () => undefined);
      // It is read by then, and so in work.
      await new Promise((resolve) => outgoing.once('continue', resolve).flushHeaders());
      return outgoing;
    }),
  );
  try {
    return await work();
  } finally {
    for (const outgoing of held) outgoing.destroy();
    await eventually(async () =>
      (await usual.send('alice', '/api/search/indices')).status === 200 ? true : undefined,
    );
  }
}

/** Sends the example of an operation, altered, so that it is answered with one status. */
const PROVOKE: Readonly<Record<number, (operation: Operation, sent: Sent) => Promise<number>>> = {
  200: (operation, sent) => {
    if (operation.name === 'updateEntity') {
      const { uri, entities } = annotated;
      const [{ text, category }] = entities;
      const resolved = { resolvedEntityUri: 'urn:e', resolvedCategory: category };
      sent.body = JSON.stringify({ documentUri: uri, entityText: text, entityCategory: category, ...resolved });
    }
    if (operation.name.startsWith('graphStore')) sent.headers['Security-Label'] = '*';
    if (operation.name === 'graphStoreAdd') sent.query.push(['graph', STORED]);
    return statusOf(usual, 'alice', operation, sent);
  },
  201: (operation, sent) => {
    sent.headers['Security-Label'] = '*';
    sent.query = sent.query.map(([name]) => [name, 'urn:new']);
    return statusOf(usual, 'alice', operation, sent);
  },
  202: (operation, sent) => {
    if (!/^graph(Upload|StoreAdd)$/.test(operation.name)) return statusOf(usual, 'alice', operation, sent);
    sent.body = Array.from({ length: 20_000 }, (_, i) => `<urn:late:${i}> <urn:p> _:b${i} .`).join('\n');
    sent.headers['Content-Type'] = 'application/n-triples';
    return statusOf(hasty, 'alice', operation, sent);
  },
  400: (operation, sent) => {
    if (sent.headers['Content-Type'] === FORM && operation.path.startsWith('/api/search')) sent.body += '&x=%FF';
    else sent.query.push(['x', '%FF']);
    return statusOf(usual, 'alice', operation, sent);
  },
  401: (operation, sent) => statusOf(usual, undefined, operation, sent),
  403: (operation, sent) => statusOf(usual, 'nobody', operation, sent),
  404: (operation, sent) => {
    sent.path = sent.path.replace(/knowledge|local|https%3A.*/, 'nowhere');
    // A search is for what is like a document.
    const unknown = new URLSearchParams({
      id: 'urn:nowhere',
      query: 'urn:nowhere',
      type: 'like-document',
      facet: 'types',
    });
    if (sent.headers['Content-Type'] === FORM) sent.body = askedOf(operation, unknown);
    else if (/^.api.search[^{]*$/.test(operation.path))
      sent.query = [...new URLSearchParams(askedOf(operation, unknown))];
    return statusOf(usual, 'alice', operation, sent);
  },
  406: (operation, sent) => {
    sent.headers['Accept'] = 'image/png';
    return statusOf(usual, 'alice', operation, sent);
  },
  408: (operation, sent) => statusOfHeaders(strict, 'alice', operation, sent),
  413: (operation, sent) => {
    if (sent.body instanceof FormData) sent.body = toParts(150);
    else if (operation.method === 'GET') sent.query = [['query', `{ ${TOO_LONG} }`]];
    else sent.body = TOO_LONG;
    return statusOf(sent.body instanceof FormData ? usual : strict, 'alice', operation, sent);
  },
  415: (operation, sent) => {
    sent.headers['Content-Type'] = 'application/x-unheard-of';
    sent.body = 'x';
    return statusOf(usual, 'alice', operation, sent);
  },
  429: (operation, sent) => statusOf(usual, 'alice', operation, sent),
  503: (operation, sent) => statusOf(usual, 'alice', operation, sent),
};

/** Users who are busy meanwhile. */
const HELD: Readonly<Record<number, readonly string[]>> = { 429: ['alice'], 503: ['alice', 'dieter'] };

function isElsewhere(status: number, { name }: Operation): boolean {
  return ELSEWHERE.some(([known, names]) => known === status && names.test(name));
}

describe('the statuses that the description has', () => {
  it('are all known here', () => {
    const described = operations.flatMap((operation) =>
      Object.keys(operation.description.responses).filter((status) => !isElsewhere(Number(status), operation)),
    );
    expect([...new Set(described)].sort()).toEqual(Object.keys(PROVOKE));
  });

  it.each(Object.keys(PROVOKE).map(Number))('are really answered: %i', async (status) => {
    const answered: Record<string, number> = {};
    const expected: Record<string, number> = {};
    await whileHeld(HELD[status] ?? [], async () => {
      for (const operation of operations) {
        const isDescribed = operation.description.responses[status] !== undefined;
        if (!isDescribed || isElsewhere(status, operation)) continue;
        expected[operation.name] = status;
        answered[operation.name] = await PROVOKE[status](operation, exampleOf(operation));
      }
    });
    expect(answered).toEqual(expected);
  });

  it('are answered by whether Accept is looked at, which is no longer than the reference says', async () => {
    for (const [length, isRead] of [
      [MAX_ACCEPT_LENGTH, true],
      [MAX_ACCEPT_LENGTH + 1, false],
    ] as const) {
      for (const operation of operations.filter(({ description }) => description.responses[406] !== undefined)) {
        const sent = exampleOf(operation);
        sent.headers['Accept'] = '*/*'.padEnd(length, ',a/b');
        expect([operation.name, await statusOf(usual, 'alice', operation, sent)]).toEqual([
          operation.name,
          isRead ? 200 : 406,
        ]);
      }
    }
  });

  it('are all that are answered, whatever Accept says and however busy the server is', async () => {
    const others: string[] = [];
    const note = (operation: Operation, status: number): void => {
      if (operation.description.responses[status] === undefined) others.push(`${operation.name} ${status}`);
    };
    for (const operation of operations) note(operation, await PROVOKE[406](operation, exampleOf(operation)));
    for (const operation of operations) note(operation, await PROVOKE[400](operation, exampleOf(operation)));
    for (const status of [429, 503])
      await whileHeld(HELD[status], async () => {
        for (const operation of operations) note(operation, await PROVOKE[status](operation, exampleOf(operation)));
      });
    expect(others).toEqual([]);
  });
});
