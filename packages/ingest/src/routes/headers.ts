import type { HeaderConfig, HeaderPriority, RouteConfig } from './route.ts';

/** Headers of a request: names compare without case. `@cairn/events` Headers fit. */
export interface RequestHeaders {
  get(name: string): string | undefined;
}

/** The headers of an upload that travel on every event of its documents. */
export const CARRIED_HEADERS: readonly string[] = [
  'Request-ID',
  'Distribution-Id',
  'Policy-Information',
  'Data-Source-Reference',
  'Owner',
];

type Resolution = (config: HeaderConfig, requested: string | undefined) => string | undefined;

const RESOLUTIONS: Readonly<Record<HeaderPriority, Resolution>> = {
  CONFIGURATION: ({ defaultValue }) => defaultValue,
  REQUEST: ({ defaultValue }, requested) => requested ?? defaultValue,
  REQUEST_ONLY: (_config, requested) => requested,
};

/** The headers that a route puts on its events: the carried ones, then its own by their priority; blank is none. */
export function resolveHeaders(route: RouteConfig, request: RequestHeaders): ReadonlyMap<string, string> {
  const resolved = new Map<string, { name: string; value: string }>();
  const set = (name: string, value: string | undefined): void => {
    const key = name.toLowerCase();
    if (value === undefined || value.trim() === '') resolved.delete(key);
    else resolved.set(key, { name, value });
  };
  for (const name of CARRIED_HEADERS) set(name, present(request.get(name)));
  for (const config of route.headers) {
    set(config.name, RESOLUTIONS[config.priority](config, present(request.get(config.name))));
  }
  return new Map([...resolved.values()].map(({ name, value }) => [name, value]));
}

function present(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}
