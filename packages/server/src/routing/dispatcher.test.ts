import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { CodedError } from '@cairn/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../auth/authenticator.ts';
import { createSigningKey, type SigningKey } from '../auth/keys.ts';
import type { Configuration } from '../config/configuration.ts';
import { completeConfiguration } from '../config/load.ts';
import { readText } from '../http/body.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { HttpHandler, HttpListener } from '../http/message.ts';
import { listen } from '../http/node-http.ts';
import { createRequestIds } from '../http/request-id.ts';
import { livez } from '../operations/probes.ts';
import { flag, integer, requiredText } from '../parameters/parameter.ts';
import { eventually, type Loose } from '../testing/server.ts';
import { createDispatcher } from './dispatcher.ts';
import type { RequestRecord } from './observer.ts';
import { defineRoute, postTwin, type Route } from './route.ts';
import type { ServiceState } from './services.ts';

const configuration = completeConfiguration({
  server: { cors: { origins: ['https://app.example'] }, limits: { maxBodyBytes: 1000, maxConcurrentRequests: 3 } },
  auth: { users: { alice: { attributes: {} }, eve: { attributes: {}, permissions: ['api.catalog.read'] } } },
});

const common = { area: 'search', access: 'search.read', answers: [] } as const;
const echo = defineRoute({
  ...common,
  method: 'GET',
  path: '/echo/{id}',
  operation: 'echo',
  summary: '',
  parameters: {
    id: requiredText('id', { description: '', inPath: true, base64By: 'is-base64' }),
    isBase64: flag('is-base64', { description: '' }),
    limit: integer('limit', { description: '', minimum: 1, maximum: 10, fallback: 5 }),
  },
  handle: async ({ user }, { id, limit }) => jsonAnswer({ id, limit, user: user.name }),
});
let noticed: () => void = () => undefined;
/** Requests that hang at the moment. */
let hanging = 0;
const cutAtOnce = {
  [Symbol.asyncIterator]: () => ({
    next: async (): Promise<never> => {
      throw new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message: 'it took too long' });
    },
  }),
};

const routes: Route[] = [
  echo,
  postTwin(echo, {
    path: '/echo/id',
    parameters: { ...echo.parameters, id: requiredText('id', { description: '', base64By: 'is-base64' }) },
  }),
  route('/fail/{code}', async (_context, { code }) => {
    if (code === 'defect') throw new Error('secret detail');
    throw new CodedError({
      code: `ERR_${code}`,
      kind: 'unavailable',
      message: 'it is away',
      position: { offset: 1, line: 1, column: 2 },
      expected: ['x'],
    });
  }),
  route('/cut', async () => ({ status: 200, body: cut() })),
  route('/cut-at-once', async () => ({ status: 200, body: cutAtOnce })),
  route('/hang', async ({ signal }) => {
    hanging++;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    hanging--;
    noticed();
    return { status: 200 };
  }),
  {
    ...route('/body', async ({ request }) => jsonAnswer(await readText(request, { maxBytes: 1000, timeoutMs: 200 }))),
    method: 'POST',
    intake: 'body',
  },
  { ...route('/open', async () => jsonAnswer('open')), access: 'public', whileStarting: true },
];

function route(path: string, handle: Route['handle']): Route {
  const name = /\{(.*)\}/.exec(path)?.[1];
  const parameters = name === undefined ? {} : { [name]: requiredText(name, { description: '', inPath: true }) };
  return { ...common, method: 'GET', path, operation: path, summary: '', intake: 'query', parameters, handle };
}

async function* cut(): AsyncGenerator<string> {
  yield 'begin';
  yield 'go on';
  throw new Error('in the middle');
}

let state: ServiceState = 'ready';
let key: SigningKey;
let listener: HttpListener;
const records: RequestRecord[] = [];
beforeAll(async () => {
  key = await createSigningKey();
  listener = await listen({ host: '127.0.0.1', port: 0 }, dispatcherOf(configuration, routes), {
    ...configuration.server.limits,
    headersTimeoutMs: 300,
  });
});
afterAll(() => listener.close(100));

function dispatcherOf(served: Configuration, endpoints: readonly Route[]): HttpHandler {
  return createDispatcher({
    routes: endpoints,
    configuration: served,
    services: { state: () => state } as never,
    authenticator: createAuthenticator(served.auth, { signingKey: key, nowMs: Date.now }),
    nextRequestId: createRequestIds(),
    observer: { observe: (record) => void records.push(record) },
    nowMs: Date.now,
  });
}

async function send(path: string, init: RequestInit & { readonly user?: string } = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const name = init.user ?? 'alice';
  const token = await key.sign(name, { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 60 });
  if (name !== 'none') headers.set('Authorization', `Bearer ${token}`);
  return fetch(`${listener.url}/api/search${path}`, { ...init, headers });
}

describe('an endpoint', () => {
  it('gets its parameters from path and query', async () => {
    expect(await (await send('/echo/a%2Fb?limit=7')).json()).toEqual({ id: 'a/b', limit: 7, user: 'alice' });
  });

  it('refuses a parameter of the query that has the name of one of the path', async () => {
    const response = await send('/echo/a?id=b');
    expect(response.status).toBe(400);
    expect(((await response.json()) as Loose).detail).toContain('query parameter id is unknown; it stands in the path');
  });

  it('answers its POST twin alike, from a form body', async () => {
    const body = new URLSearchParams({ id: 'YQ==', 'is-base64': 'true' });
    expect(await (await send('/echo/id', { method: 'POST', body })).json()).toEqual({
      id: 'a',
      limit: 5,
      user: 'alice',
    });
  });

  it('refuses a twin with another body, or with a query string', async () => {
    expect(
      (await send('/echo/id', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } })).status,
    ).toBe(415);
    expect((await send('/echo/id?limit=3', { method: 'POST', body: new URLSearchParams({ id: 'a' }) })).status).toBe(
      400,
    );
    const tooLong = await send('/echo/id', { method: 'POST', body: new URLSearchParams({ id: 'a'.repeat(2000) }) });
    expect([tooLong.status, ((await tooLong.json()) as Loose).detail]).toEqual([
      413,
      'the body must be at most 1000 bytes; got 2003',
    ]);
  });

  it('answers HEAD as GET without a body, and OPTIONS with what it allows', async () => {
    const head = await send('/echo/a', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '35', '']);
    const options = await send('/echo/a', { method: 'OPTIONS', user: 'none' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});

describe('a refusal', () => {
  it.each([
    ['/nothing', {}, 404, 'NotFound'],
    ['/echo/%E0%A4%A', {}, 400, 'BadRequest'],
    ['/echo/a', { method: 'DELETE' }, 405, 'MethodNotAllowed'],
    ['/echo/a?limit=11', {}, 400, 'BadRequestParameter'],
    ['/echo/a?limit=11&x=1', {}, 400, 'InvalidRequestParameters'],
    ['/echo/a', { user: 'none' }, 401, 'AuthenticationRequired'],
    ['/echo/a', { user: 'eve' }, 403, 'PermissionDenied'],
    ['/echo/a?limit=11', { user: 'eve' }, 403, 'PermissionDenied'],
    ['/fail/AWAY', {}, 503, 'Service Unavailable'],
    ['/fail/defect', {}, 500, 'InternalServerError'],
  ])('of %s %j is a problem with status %i', async (path, init, status, type) => {
    const response = await send(path, init);
    const problem = await response.json();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(problem).toMatchObject({ type, status, instance: `/api/search${path.split('?')[0]}` });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('says how to do better: Allow, WWW-Authenticate, Retry-After, position', async () => {
    expect((await send('/echo/id', { method: 'PUT' })).headers.get('allow')).toBe('POST, OPTIONS');
    expect((await send('/echo/a', { user: 'none' })).headers.get('www-authenticate')).toBe('Bearer realm="cairn"');
    const away = await send('/fail/AWAY');
    expect(away.headers.get('retry-after')).toBe('1');
    expect(await away.json()).toMatchObject({
      code: 'ERR_AWAY',
      detail: 'it is away',
      position: { line: 1 },
      expected: ['x'],
    });
  });

  it.each([
    ['text/plain', 'text/plain; charset=utf-8', '503 Service Unavailable: it is away\n'],
    ['application/json', 'application/json', undefined],
    ['text/html', 'application/problem+json', undefined],
    ['*/*;q=0.1, text/plain', 'text/plain; charset=utf-8', undefined],
  ])('has the form that Accept %s prefers', async (accept, type, body) => {
    const response = await send('/fail/AWAY', { headers: { accept } });
    expect(response.headers.get('content-type')).toBe(type);
    if (body !== undefined) expect(await response.text()).toBe(body);
  });
});

describe('every answer', () => {
  it('carries a Request-ID: a UUID, or the one of the client with a counter', async () => {
    expect((await send('/echo/a')).headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const own = (await send('/echo/a', { headers: { 'Request-ID': 'x'.repeat(50) } })).headers.get('request-id');
    expect(own).toMatch(/^x{36}\/\d+$/);
  });

  it('carries security headers', async () => {
    const { headers } = await send('/echo/a');
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
  });

  it('lets configured web pages read it, and no others', async () => {
    const allowed = await send('/echo/a', { headers: { Origin: 'https://app.example' } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(allowed.headers.get('access-control-expose-headers')).toContain('Request-ID');
    const other = await send('/echo/a', { headers: { Origin: 'https://evil.example' } });
    expect([other.headers.get('access-control-allow-origin'), other.headers.get('vary')]).toEqual([null, 'Origin']);
    const preflight = await send('/echo/a', {
      method: 'OPTIONS',
      user: 'none',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Headers': 'authorization' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
    expect(preflight.headers.get('vary')).toBe('Origin');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
  });

  it('is observed with its operation, status and user, and never its query', async () => {
    records.length = 0;
    await send('/echo/a?limit=3');
    expect(records[0]).toMatchObject({ method: 'GET', operation: 'echo', status: 200, userName: 'alice' });
    expect(JSON.stringify(records)).not.toContain('limit');
  });
});

describe('a service that starts', () => {
  it('answers 503 before it asks who is there, except where it need not be ready', async () => {
    state = 'starting';
    const response = await send('/echo/a', { user: 'none' });
    expect([response.status, ((await response.json()) as Loose).detail]).toEqual([503, 'the service is starting']);
    expect((await send('/open', { user: 'none' })).status).toBe(200);
    state = 'ready';
  });
});

describe('a connection', () => {
  it('is cut when a stream fails in the middle, so that the client notices', async () => {
    await expect(send('/cut').then((response) => response.text())).rejects.toThrow();
    expect((await send('/cut-at-once')).status).toBe(503);
  });

  it('that the client leaves aborts the work', async () => {
    const abort = new AbortController();
    const heard = new Promise<void>((resolve) => {
      noticed = resolve;
    });
    const pending = send('/hang', { signal: abort.signal }).catch(() => undefined);
    await eventually(async () => hanging === 1 || undefined);
    abort.abort();
    await Promise.all([heard, pending]);
  });

  it('beyond the share of its user gets 429, while others and probes are served', async () => {
    const small = completeConfiguration({
      server: { limits: { maxConcurrentRequests: 4 } },
      auth: { users: { alice: { attributes: {} }, bob: { attributes: {} } } },
    });
    const own = await listen(
      { host: '127.0.0.1', port: 0 },
      dispatcherOf(small, [...routes, livez]),
      small.server.limits,
    );
    const ask = async (user: string, path: string, signal?: AbortSignal): Promise<Response> => {
      const token = await key.sign(user, { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 60 });
      const headers = { Authorization: `Bearer ${token}` };
      return fetch(`${own.url}/api/search${path}`, { headers, ...(signal && { signal }) });
    };
    const abort = new AbortController();
    const hang = (user: string): Promise<unknown> => ask(user, '/hang', abort.signal).catch(() => undefined);
    const pending = [hang('bob'), hang('bob'), hang('bob')];
    await eventually(async () => hanging === 3 || undefined);
    const refusal = await ask('bob', '/echo/a');
    expect(refusal.status).toBe(429);
    expect([refusal.headers.get('retry-after'), ((await refusal.json()) as Loose).code]).toEqual([
      '1',
      'ERR_USER_BUSY',
    ]);
    expect((await ask('alice', '/echo/a')).status).toBe(200);
    pending.push(hang('alice'));
    await eventually(async () => hanging === 4 || undefined);
    expect((await ask('alice', '/echo/a')).status).toBe(503);
    expect((await fetch(`${own.url}/livez`)).status).toBe(200);
    abort.abort();
    await Promise.all(pending);
    await eventually(async () => ((await ask('bob', '/echo/a')).status === 200 ? true : undefined));
    await own.close(100);
  });

  it('beyond the concurrent ones gets 503', async () => {
    const abort = new AbortController();
    await eventually(async () => hanging === 0 || undefined);
    const pending = [1, 2, 3].map(() => send('/hang', { signal: abort.signal }).catch(() => undefined));
    await eventually(async () => hanging === 3 || undefined);
    const response = await send('/echo/a');
    expect([response.status, ((await response.json()) as Loose).code]).toEqual([503, 'ERR_BUSY']);
    abort.abort();
    await Promise.all(pending);
  });

  it('with two Host headers is refused', async () => {
    const answer = await raw('GET /api/search/open HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it('whose headers never end is cut', async () => {
    expect(await raw('GET /api/search/open HTTP/1.1\r\nHost: a\r\n')).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it('whose body never ends gets 408', async () => {
    const token = await key.sign('alice', { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 60 });
    const answer = await raw(
      `POST /api/search/body HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 10\r\n\r\nabc`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that expects 100 Continue gets it, and the answer', async () => {
    const token = await key.sign('alice', { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 60 });
    const status = await new Promise((resolve) => {
      const outgoing = rawRequest(
        `${listener.url}/api/search/body`,
        { method: 'POST', headers: { Expect: '100-continue', Authorization: `Bearer ${token}`, 'Content-Length': 3 } },
        (response) => resolve(response.statusCode),
      );
      outgoing.on('continue', () => outgoing.end('abc'));
      outgoing.flushHeaders();
    });
    expect(status).toBe(200);
  });

  it.each([
    ['/api/search/body', 401],
    ['/api/search/nowhere', 404],
    ['/api/search/open', 405],
  ])('that expects 100 Continue and is refused gets the refusal alone, of %s', async (path, status) => {
    for (const length of ['Content-Length: 3', 'Content-Length: 3000000', 'Transfer-Encoding: chunked']) {
      const answer = await raw(`POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${length}\r\n\r\n`);
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
      expect(answer).toContain('Connection: close');
      expect(answer).toMatch(/\}$/);
    }
  });

  it('with a body that is compressed gets 415, and is not taken for what it holds', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await send('/body', { method: 'POST', body: 'plain', headers });
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('got \\"gzip\\"')]);
    expect(
      (await send('/body', { method: 'POST', body: 'a', headers: { 'Content-Encoding': 'identity' } })).status,
    ).toBe(200);
  });

  it.each([
    ['GET', '/echo/%FF', undefined, 'ERR_PATH_ENCODING'],
    ['GET', '/echo/a?limit=%FF', undefined, 'ERR_PARAMETER_ENCODING'],
    ['GET', '/echo/a?%C3=1', undefined, 'ERR_PARAMETER_ENCODING'],
    ['POST', '/echo/id', 'id=%FF', 'ERR_PARAMETER_ENCODING'],
    ['POST', '/echo/id', `id=${'%C3%A9'.repeat(100)}%C3`, 'ERR_PARAMETER_ENCODING'],
    ['POST', '/body?x=%FF', 'a', 'ERR_PARAMETER_ENCODING'],
  ])('with escapes that are no UTF-8 gets 400: %s %s', async (method, path, body, code) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await send(path, { method, ...(body !== undefined && { body, headers }) });
    expect([response.status, ((await response.json()) as Loose).code]).toEqual([400, code]);
  });

  it('that asks for the server as a whole is told the methods of all endpoints', async () => {
    const answer = await raw('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    expect(/^Allow: (.*)$/m.exec(answer)?.[1]?.trim().split(', ')).toEqual(['GET', 'POST', 'HEAD', 'OPTIONS']);
    expect(await raw('GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['GET', 'Expect: foo\r\nConnection: close', 417, 'ERR_EXPECTATION', 'foo'],
    ['POST', 'Expect: 100-continue, foo\r\nContent-Length: 3', 417, 'ERR_EXPECTATION', '100-continue, foo'],
    ['POST', 'Transfer-Encoding: gzip, chunked', 501, 'ERR_TRANSFER_CODING', 'gzip, chunked'],
    ['POST', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', 501, 'ERR_TRANSFER_CODING', 'gzip, chunked'],
  ])('that asks for what is not done is told so, by %s with %j', async (method, headers, status, code, got) => {
    const answer = await raw(
      `${method} /api/search/open HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      status,
      code,
      detail: expect.stringContaining(`got "${got}"`),
    });
  });

  it('with a body in chunks is read', async () => {
    const token = await key.sign('alice', { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 60 });
    const head = `POST /api/search/body HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
    expect(await raw(`${head}Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('with a body that is not UTF-8 gets 400', async () => {
    expect((await send('/body', { method: 'POST', body: new Uint8Array([0xff]) })).status).toBe(400);
  });

  function raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(listener.port, '127.0.0.1', () => socket.write(text));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('close', () => resolve(received));
      socket.on('error', () => resolve(received));
    });
  }
});
