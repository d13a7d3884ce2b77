import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routesOf } from '../composition/routes.ts';
import { completeConfiguration } from '../config/load.ts';
import { pathOf } from '../routing/route.ts';
import { Router } from '../routing/router.ts';
import type { Loose } from '../testing/server.ts';
import { toOpenApi } from './document.ts';
import { toErrorReference, toHttpReference } from './testing/reference.ts';

const configuration = completeConfiguration({});
const routes = routesOf(configuration);
const docs = path.join(import.meta.dirname, '../../../../docs');

/** Compares a page with what the tables say; `CAIRN_WRITE_DOCS=1` writes it instead. */
function expectPage(name: string, text: string): void {
  const file = path.join(docs, name);
  if (process.env['CAIRN_WRITE_DOCS'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8'), `run CAIRN_WRITE_DOCS=1 npx vitest run ${name}`).toBe(text);
}

describe('the reference', () => {
  it('docs/http.md says what the route tables say', () =>
    expectPage('http.md', toHttpReference(routes, configuration)));
  it('docs/errors.md says what the error table says', () => expectPage('errors.md', toErrorReference()));
});

describe('the table of routes', () => {
  it('has every endpoint of the interface', () => {
    const router = new Router<string>();
    for (const route of routes) router.add(route.method, pathOf(route, configuration), route.operation);
    const missing = INTERFACE.filter((row) => {
      const [method, where] = row.split(' ') as [string, string];
      return router.find(where)?.methods.get(method) === undefined;
    });
    expect(missing).toEqual([]);
  });

  it('names every operation once, and describes what it answers', () => {
    const operations = routes.map(({ operation }) => operation);
    expect(new Set(operations).size).toBe(operations.length);
    for (const { operation, answers, summary } of routes) {
      expect([operation, answers.length > 0, summary.length > 0]).toEqual([operation, true, true]);
    }
  });
});

describe('the OpenAPI document', () => {
  const document = toOpenApi(routes, configuration, '1.0.0') as Loose;

  it('has an operation for each route, whose references lead somewhere', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as Loose));
    expect(operations).toHaveLength(routes.length);
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name as string);
    }
  });

  it('states bounds, defaults and choices', () => {
    const { parameters } = document.paths['/api/search/documents'].get;
    const schemaOf = (name: string): unknown => parameters.find((parameter: Loose) => parameter.name === name).schema;
    expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
    expect(schemaOf('type')).toEqual({
      type: 'string',
      enum: ['query', 'term', 'phrase', 'as-you-type', 'like', 'like-document'],
      default: 'query',
    });
    const form = document.paths['/api/search/documents'].post.requestBody.content['application/x-www-form-urlencoded'];
    expect(form.schema.required).toEqual(['query']);
  });
});

const INTERFACE = [
  'GET /api/search/documents',
  'POST /api/search/documents',
  'GET /api/search/documents/x',
  'POST /api/search/documents/id',
  'GET /api/search/documents/uri-search',
  'POST /api/search/documents/update-entity',
  'GET /api/search/list',
  'POST /api/search/list',
  'GET /api/search/typeahead',
  'POST /api/search/typeahead',
  'GET /api/search/facets',
  'POST /api/search/facets',
  'GET /api/search/states',
  'POST /api/search/states',
  'GET /api/search/indices',
  'GET /api/search/healthz',
  'GET /api/search/version-info',
  ...['', '/traversal', '/platform'].flatMap((segment) =>
    ['graphql', 'validate'].flatMap((mode) =>
      ['GET', 'POST'].map((method) => `${method} /api/graph/knowledge${segment}/${mode}`),
    ),
  ),
  'GET /api/graph/knowledge/query',
  'POST /api/graph/knowledge/query',
  'GET /api/graph/knowledge/get',
  'GET /api/graph/knowledge/read',
  'GET /api/graph/knowledge/sparql',
  'POST /api/graph/knowledge/sparql',
  'POST /api/graph/knowledge/update',
  'POST /api/graph/knowledge/upload',
  'GET /api/graph/knowledge/data',
  'POST /api/graph/knowledge/shacl',
  'POST /api/ingest/documents/local/upload',
  'GET /api/ingest/healthz',
  'GET /api/ingest/version-info',
  'GET /livez',
  'GET /readyz',
  'GET /api/openapi.json',
];
