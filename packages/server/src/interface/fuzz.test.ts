import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const LONG = process.env['CAIRN_LONG'] === '1';
const REQUESTS = LONG ? 2000 : 50;
const HANG_MS = 20_000;

let server: TestServer;
let document: Loose;
beforeAll(async () => {
  server = await startTestServer();
  document = await (await server.send(undefined, '/api/openapi.json')).json();
  await server.update(
    'alice',
    '*',
    'INSERT DATA { <urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "Eagle" ; a <urn:T> }',
  );
});
afterAll(() => server.server.close());

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '%',
    '\u0000',
    '../..',
    '__proto__',
    '*',
    '"',
    '(((',
    'a AND',
    '[1 TO',
    '/a(/',
    '~',
    '-1',
    '1e9',
    '99999999999999999999',
    'true',
    'null',
    '{}',
    '<a>',
    'SELECT',
    'x'.repeat(3000),
  ),
  fc.string({ unit: fc.constantFrom(...'abc:*?~^"\\/()[]{}+-!&|<>=. 01'), maxLength: 40 }),
);

function valueFor(schema: Loose): fc.Arbitrary<string | string[]> {
  if (schema?.type === 'array') return fc.array(valueFor(schema.items) as fc.Arbitrary<string>, { maxLength: 3 });
  const right =
    schema?.enum !== undefined
      ? fc.constantFrom(...(schema.enum as string[]))
      : schema?.type === 'integer'
        ? fc.integer({ min: -2, max: 1100 }).map(String)
        : schema?.type === 'boolean'
          ? fc.constantFrom('true', 'false')
          : fc.constantFrom(
              'eagle',
              'urn:a',
              'knowledge',
              'local',
              'types',
              'search',
              'ASK {}',
              'SELECT * { ?s ?p ?o }',
            );
  return fc.oneof({ arbitrary: right, weight: 3 }, { arbitrary: nasty, weight: 1 });
}

interface Attempt {
  readonly target: string;
  readonly init: RequestInit;
}

function attempts(path: string, method: string, operation: Loose): fc.Arbitrary<Attempt> {
  const inQuery = operation.parameters.filter((parameter: Loose) => parameter.in === 'query');
  const inPath = operation.parameters.filter((parameter: Loose) => parameter.in === 'path');
  const content = Object.entries(operation.requestBody?.content ?? {}) as [string, Loose][];
  const form = content.find(([type]) => type === 'application/x-www-form-urlencoded')?.[1].schema?.properties ?? {};
  const fields = Object.entries({ ...Object.fromEntries(inQuery.map((p: Loose) => [p.name, p.schema])), ...form });
  return fc
    .record({
      path: fc.record(Object.fromEntries(inPath.map((p: Loose) => [p.name, valueFor(p.schema)]))),
      fields: fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, valueFor(schema)])), {
        requiredKeys: [],
      }),
      extra: fc.option(fc.tuple(nasty, nasty), { freq: 5 }),
      type: fc.constantFrom(...content.map(([type]) => type), 'text/html'),
      body: fc.oneof(
        nasty,
        fc.json().map((text) => text),
      ),
      label: fc.constantFrom('*', 'clearance=O', 'clearance &'),
      user: fc.constantFrom('alice', 'dieter'),
    })
    .map(({ path: values, fields: sent, extra, type, body, label }) => {
      const where = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((values as Loose)[name])),
      );
      const pairs = new URLSearchParams();
      for (const [name, value] of Object.entries(sent))
        for (const one of [value].flat()) pairs.append(name, one as string);
      if (extra !== null) pairs.append(...extra);
      const isForm = method === 'post' && Object.keys(form).length > 0;
      const query = isForm || pairs.size === 0 ? '' : `?${pairs}`;
      if (method !== 'post') return { target: where + query, init: { method: method.toUpperCase() } };
      const headers = { 'Security-Label': label, 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : type };
      return { target: where + query, init: { method: 'POST', headers, body: isForm ? pairs.toString() : body } };
    });
}

describe('requests made from our own OpenAPI document', () => {
  it('get only statuses that it names, no 500, and in time', async () => {
    for (const [path, methods] of Object.entries(document.paths as Loose)) {
      for (const [method, operation] of Object.entries(methods as Loose) as [string, Loose][]) {
        const documented = Object.keys(operation.responses).map(Number);
        const property = fc.asyncProperty(attempts(path, method, operation), async ({ target, init }) => {
          const response = await server.send('alice', target, { ...init, signal: AbortSignal.timeout(HANG_MS) });
          const text = await response.text();
          // What a path value does to the path is the router's to say.
          const allowed = response.status === 404 || response.status === 405 || documented.includes(response.status);
          expect(allowed && response.status < 500, `${init.method} ${target} ${response.status} ${text}`).toBe(true);
        });
        await fc.assert(property, { numRuns: REQUESTS });
      }
    }
  }, 600_000);

  it('leave no handle behind', async () => {
    const before = readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 100; i++) {
      const abort = new AbortController();
      const pending = server.send('alice', '/api/graph/catalog/upload', {
        method: 'POST',
        body: new ReadableStream(),
        duplex: 'half',
        signal: abort.signal,
      } as RequestInit);
      setTimeout(() => abort.abort(), 2);
      await pending.catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 20);
  });
});
