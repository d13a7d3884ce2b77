import { jsonAnswer } from '../http/json-answer.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';

const OPEN = { method: 'GET', access: 'public', parameters: {}, whileStarting: true, ignoreUnknown: true } as const;
/** The health and the versions of the search area. */
export const searchProbes: readonly Route[] = [
  healthOf('search', 'Whether the search area can do its work.', 'HealthStatus', searchConfig),
  versionsOf('search', 'Versions of the components of the search area.'),
];

/** The health of the ingester, with its routes, and its versions. */
export const ingestProbes: readonly Route[] = [
  healthOf('ingest', 'Whether the ingester can do its work, and its routes.', 'IngesterHealth', routesConfig),
  versionsOf('ingest', 'Versions of the components of the ingester.'),
];

export const livez: Route = defineRoute({
  ...OPEN,
  area: 'root',
  path: '/livez',
  operation: 'livez',
  summary: 'Whether the process is alive.',
  answers: [{ status: 200, description: 'It is.', schema: 'Liveness' }],
  handle: async () => jsonAnswer({ status: 'alive' }),
});

export const readyz: Route = defineRoute({
  ...OPEN,
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

function healthOf(
  area: 'search' | 'ingest',
  summary: string,
  schema: string,
  configOf: (context: Context) => unknown,
): Route {
  return defineRoute({
    ...OPEN,
    area,
    path: '/healthz',
    operation: `${area}Health`,
    summary,
    answers: [
      { status: 200, description: 'Healthy.', schema },
      { status: 503, description: 'Unhealthy; `reasons` says why.', schema },
    ],
    async handle(context) {
      const config = configOf(context);
      const { healthy, reasons } = await context.services.health();
      return jsonAnswer({ healthy, ...(reasons.length > 0 ? { reasons } : {}), config }, healthy ? 200 : 503);
    },
  });
}

function versionsOf(area: 'search' | 'ingest', summary: string): Route {
  return defineRoute({
    ...OPEN,
    area,
    path: '/version-info',
    operation: `${area}VersionInfo`,
    summary,
    answers: [{ status: 200, description: 'Components by key.', schema: 'VersionInfo' }],
    handle: async ({ services }) => jsonAnswer(services.versions[area]),
  });
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
  const shown = configuration.routes.map(({ name, topic, namespace, securityLabel, headers }) => {
    return [name, { name, topic, namespace, securityLabel, headers }];
  });
  return Object.fromEntries(shown);
}
