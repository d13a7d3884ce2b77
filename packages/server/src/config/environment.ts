import { configurationError } from './faults.ts';

/** Settings from one source, by dotted key. */
export interface Layer {
  readonly source: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** A tree of settings with the values of a layer put over it; the tree given is not changed. */
export function withLayer(tree: Readonly<Record<string, unknown>>, layer: Layer): Record<string, unknown> {
  let result: Record<string, unknown> = { ...tree };
  for (const [key, value] of layer.values) result = withValue(result, key.split('.'), value);
  return result;
}

function withValue(
  tree: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) return { ...tree, [key]: value };
  const below = tree[key];
  const isTree = typeof below === 'object' && below !== null && !Array.isArray(below);
  return { ...tree, [key]: withValue(isTree ? (below as Record<string, unknown>) : {}, rest, value) };
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Reader = (value: string, name: string) => unknown;

const asText: Reader = (value) => value;
const asList: Reader = (value) => value.split(',').map((part) => part.trim());
const asNumber: Reader = (value, name) => {
  if (!/^\d{1,9}$/.test(value))
    throw configurationError('environment', [`${name} is ${JSON.stringify(value)}; expected a whole number`]);
  return Number(value);
};
const asSeconds: Reader = (value, name) => {
  const match = /^PT(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6}(?:\.\d{1,3})?)S)?$/.exec(value);
  if (match === null || value === 'PT') {
    throw configurationError('environment', [`${name} is ${JSON.stringify(value)}; expected a duration such as PT60S`]);
  }
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
};

/** From a variable to the key it sets, and how it is read. `JWKS_URL` and the directories are read elsewhere. */
const VARIABLES: readonly (readonly [name: string, key: string, read: Reader])[] = [
  ['PORT', 'server.port', asNumber],
  ['USERINFO_URL', 'auth.userinfoUrl', asText],
  ['USERINFO_CACHE_SIZE', 'auth.userinfoCacheSize', asNumber],
  ['USERINFO_CACHE_DURATION', 'auth.userinfoCacheSeconds', asSeconds],
  ['JWT_HEADERS_NAMES', 'auth.headerNames', asList],
  ['JWT_HEADERS_PREFIXES', 'auth.headerPrefixes', asList],
  ['JWT_USERNAME_CLAIMS', 'auth.usernameClaims', asList],
  ['JWT_ROLES_CLAIM', 'auth.rolesClaim', asText],
];

/** Names of every variable that is read, for the help. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  'CAIRN_DATA_DIR',
  'JWKS_URL',
  'ROUTE_CONFIG_DIRECTORY',
  ...VARIABLES.map(([name]) => name),
];

/** The layer of settings that the environment gives; blank variables count as not set. */
export function readEnvironment(environment: Environment): Layer {
  const values = new Map<string, unknown>();
  for (const [name, key, read] of VARIABLES) {
    const value = environment[name];
    if (value !== undefined && value.trim() !== '') values.set(key, read(value.trim(), name));
  }
  const jwks = environment['JWKS_URL']?.trim();
  if (jwks === 'disabled') values.set('auth.mode', 'disabled');
  else if (jwks !== undefined && jwks !== '') values.set('auth.mode', 'jwks').set('auth.jwksUrl', jwks);
  return { source: 'environment', values };
}
