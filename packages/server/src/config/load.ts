import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRoutes, type RouteConfig } from '@cairn/ingest';
import { isMap, parseDocument } from 'yaml';
import type { Configuration, ConfigurationInput } from './configuration.ts';
import { type Environment, type Layer, readEnvironment, withLayer } from './environment.ts';
import { configurationError, describeIssues } from './faults.ts';
import { configurationSchema } from './schema.ts';
import { checkTogether } from './together.ts';

/** Where a configuration comes from: flags, then environment, then file, then defaults. */
export interface ConfigurationSources {
  /** Path of the YAML file. */
  readonly file?: string | undefined;
  readonly environment?: Environment;
  readonly flags?: Layer;
}

/** Reads, merges and checks a configuration. @throws `ERR_CONFIGURATION` (invalid), one line per fault. */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { file, environment = {}, flags } = sources;
  const stated = file === undefined ? {} : readYaml(file);
  if (file !== undefined) parseConfiguration(stated, file);
  const withEnvironment = withLayer(stated, readEnvironment(environment));
  const merged = flags === undefined ? withEnvironment : withLayer(withEnvironment, flags);
  const routes = readRouteDirectory(environment['ROUTE_CONFIG_DIRECTORY']);
  const stillMerged = parseConfiguration(merged, 'flags and environment');
  const configuration = routes === undefined ? stillMerged : { ...stillMerged, routes: routes.parsed };
  checkTogether(configuration, file ?? 'configuration', routes?.files);
  return configuration;
}

/** A checked configuration from a partial one, for {@link createServer}. @throws `ERR_CONFIGURATION` (invalid). */
export function completeConfiguration(input: ConfigurationInput): Configuration {
  const configuration = parseConfiguration(input, 'configuration');
  checkTogether(configuration, 'configuration');
  return configuration;
}

function parseConfiguration(input: unknown, source: string): Configuration {
  const unusable = findPrototypeKeys(input);
  if (unusable.length > 0) throw configurationError(source, unusable);
  const result = configurationSchema.safeParse(input);
  if (!result.success) throw configurationError(source, describeIssues(result.error.issues, input));
  const stated = result.data.routes.map((value, i) => ({ value, source: { file: source, key: `routes[${i}]` } }));
  return { ...result.data, routes: [...parseRoutes(stated).values()] };
}

/** Records cannot hold the key `__proto__`: what is behind it would be lost in silence. */
function findPrototypeKeys(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    key === '__proto__' ? [`${place}${key} is no name that can be used`] : findPrototypeKeys(inside, `${place}${key}.`),
  );
}

function readYaml(file: string): Record<string, unknown> {
  const document = parseDocument(readOrRefuse(file), { uniqueKeys: true });
  const faults = document.errors.map((error) => error.message.split('\n')[0] as string);
  if (faults.length > 0) throw configurationError(file, faults);
  if (document.contents === null) return {};
  if (!isMap(document.contents)) throw configurationError(file, ['the whole must be a map of keys to values']);
  return document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
}

function readOrRefuse(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
    throw configurationError(file, [`cannot be read (${code})`], cause);
  }
}

/** Every `.yaml` and `.yml` file of the directory, sorted by name, one route each. */
function readRouteDirectory(
  directory: string | undefined,
): { readonly parsed: readonly RouteConfig[]; readonly files: readonly string[] } | undefined {
  if (directory === undefined || directory.trim() === '') return undefined;
  const files = listOrRefuse(directory)
    .filter((file) => /\.ya?ml$/i.test(file))
    .sort()
    .map((file) => path.join(directory, file));
  return {
    parsed: [...parseRoutes(files.map((file) => ({ value: readYaml(file), source: { file } }))).values()],
    files,
  };
}

function listOrRefuse(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    const fault = `ROUTE_CONFIG_DIRECTORY is ${JSON.stringify(directory)}; expected a directory`;
    throw configurationError('environment', [fault], cause);
  }
}
