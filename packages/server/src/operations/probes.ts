import { jsonAnswer } from '../http/json-answer.ts';
import type { HttpAnswer } from '../http/message.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';

const open = { method: 'GET', access: 'public', parameters: {}, whileStarting: true, ignoreUnknown: true } as const;
const HEALTH_ANSWERS = [
  { status: 200, description: 'Healthy.', schema: 'HealthStatus' },
  { status: 503, description: 'Unhealthy; `reasons` says why.', schema: 'HealthStatus' },
];

/** `GET {search}/healthz`. */
export const searchHealth: Route = defineRoute({
  ...open,
  area: 'search',
  path: '/healthz',
  operation: 'searchHealth',
  summary: 'Whether the search area can do its work.',
  answers: HEALTH_ANSWERS,
  handle: async (context) => healthAnswer(context, searchConfig(context)),
});

/** `GET {ingest}/healthz`. */
export const ingestHealth: Route = defineRoute({
  ...open,
  area: 'ingest',
  path: '/healthz',
  operation: 'ingestHealth',
  summary: 'Whether the ingester can do its work, and its routes.',
  answers: HEALTH_ANSWERS.map((answer) => ({ ...answer, schema: 'IngesterHealth' })),
  handle: async (context) => healthAnswer(context, routesConfig(context)),
});

/** `GET {search}/version-info`. */
export const searchVersionInfo: Route = defineRoute({
  ...open,
  area: 'search',
  path: '/version-info',
  operation: 'searchVersionInfo',
  summary: 'Versions of the components of the search area.',
  answers: [{ status: 200, description: 'Components by key.', schema: 'VersionInfo' }],
  handle: async ({ services }) => jsonAnswer(services.versions.search),
});

/** `GET {ingest}/version-info`. */
export const ingestVersionInfo: Route = defineRoute({
  ...open,
  area: 'ingest',
  path: '/version-info',
  operation: 'ingestVersionInfo',
  summary: 'Versions of the components of the ingester.',
  answers: [{ status: 200, description: 'Components by key.', schema: 'VersionInfo' }],
  handle: async ({ services }) => jsonAnswer(services.versions.ingest),
});

/** `GET /livez`: the process answers. */
export const livez: Route = defineRoute({
  ...open,
  area: 'root',
  path: '/livez',
  operation: 'livez',
  summary: 'Whether the process is alive.',
  answers: [{ status: 200, description: 'It is.', schema: 'Liveness' }],
  handle: async () => jsonAnswer({ status: 'alive' }),
});

/** `GET /readyz`: the service takes work. */
export const readyz: Route = defineRoute({
  ...open,
  area: 'root',
  path: '/readyz',
  operation: 'readyz',
  summary: 'Whether the service takes work.',
  answers: [
    { status: 200, description: 'It does; `reasons` says what is being mended meanwhile.', schema: 'Readiness' },
    { status: 503, description: 'It starts, stops, or cannot write; `reasons` says why.', schema: 'Readiness' },
  ],
  async handle({ services }) {
    const { healthy, reasons, writable } = await services.health();
    const isReady = services.state() === 'ready' && healthy && writable;
    const state = services.isRetiring ? 'stopping' : services.state();
    const status = state !== 'ready' ? state : isReady ? 'ready' : 'unhealthy';
    return jsonAnswer({ status, ...(reasons.length > 0 ? { reasons } : {}) }, isReady ? 200 : 503);
  },
});

async function healthAnswer({ services }: Context, config: unknown): Promise<HttpAnswer> {
  const { healthy, reasons } = await services.health();
  return jsonAnswer({ healthy, ...(reasons.length > 0 ? { reasons } : {}), config }, healthy ? 200 : 503);
}

function searchConfig({ services, configuration }: Context): unknown {
  return {
    authentication: configuration.auth.mode,
    authorization: 'labels',
    conformance: services.conformance,
    searchClientReady: services.state() === 'ready' && services.search !== undefined,
  };
}

function routesConfig({ configuration }: Context): unknown {
  const entries = configuration.routes.map(({ name, topic, namespace, securityLabel, headers }): [string, unknown] => [
    name,
    { name, topic, namespace, securityLabel, headers },
  ]);
  return Object.fromEntries(entries);
}
