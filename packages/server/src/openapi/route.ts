import type { Configuration } from '../config/configuration.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { toOpenApi } from './document.ts';

/** `GET /api/openapi.json`, describing a table of routes and itself. */
export function openApiRoute(others: readonly Route[], version: string): Route {
  const described = new WeakMap<Configuration, unknown>();
  const route: Route = defineRoute({
    area: 'root',
    method: 'GET',
    path: '/api/openapi.json',
    operation: 'openApi',
    summary: 'This interface as OpenAPI 3.1.',
    access: 'public',
    parameters: {},
    whileStarting: true,
    answers: [{ status: 200, description: 'The OpenAPI document.', schema: 'OpenApi' }],
    async handle({ configuration }) {
      const document = described.get(configuration) ?? toOpenApi([...others, route], configuration, version);
      described.set(configuration, document);
      return jsonAnswer(document);
    },
  });
  return route;
}
