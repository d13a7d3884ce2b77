import { checkList, checkObject, checkText } from '@cairn/errors';
import { HEADER_PRIORITIES, type HeaderConfig, type HeaderPriority, type RouteConfig } from './route.ts';
import { configurationFault, joinKeys, ValueReader } from './value-reader.ts';

/** Where a configuration value came from, for messages. */
export interface RouteSource {
  /** The file, or another name of the place: `routes/local.yaml`. */
  readonly file: string;
  /** The key that holds the route in it; default none. `routes[0]` */
  readonly key?: string;
}

const DEFAULT_MAX_DOCUMENT_BYTES = 104_857_600;
const DEFAULT_MAX_FILES = 1000;
const ROUTE_KEYS = ['name', 'topic', 'namespace', 'securityLabel', 'headers', 'maxDocumentBytes', 'maxFiles'];
const HEADER_KEYS = ['name', 'defaultValue', 'priority'];
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const TOPIC = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const NAMESPACE = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\u0000-\u0020]+$/;

/**
 * Headers that a route may not configure, because the pipeline gives them their meaning: the label of the route is
 * `securityLabel`, the others are set per document.
 */
const RESERVED_HEADERS = new Set([
  ...['security-label', 'event-id', 'event-type', 'schema-version', 'document-id', 'value-blob', 'erased'],
  ...['ingest-route', 'ingest-filename', 'content-type', 'content-length'],
]);

/**
 * A route from a plain object, as YAML or JSON gives it.
 *
 * @throws `ERR_ROUTE_CONFIG` (invalid), naming file, key, value and what was expected.
 */
export function parseRoute(value: unknown, source: RouteSource): RouteConfig {
  checkObject(source, 'where the route came from');
  checkText(source.file, 'the file that the route came from');
  const reader = new ValueReader(value, source.file, source.key ?? '');
  reader.only(ROUTE_KEYS);
  return {
    name: reader.text('name', NAME, 'a name of letters, digits, ".", "_" and "-"'),
    topic: reader.text('topic', TOPIC, 'a topic of letters, digits, ".", "_" and "-"'),
    namespace: reader.text('namespace', NAMESPACE, 'an absolute IRI'),
    securityLabel: reader.label('securityLabel'),
    headers: reader.list('headers').map(parseHeader),
    maxDocumentBytes: reader.integer('maxDocumentBytes', DEFAULT_MAX_DOCUMENT_BYTES, Number.MAX_SAFE_INTEGER),
    maxFiles: reader.integer('maxFiles', DEFAULT_MAX_FILES, 10_000),
  };
}

/** Routes by name. @throws as {@link parseRoute}, and when two routes have one name. */
export function parseRoutes(
  entries: readonly { readonly value: unknown; readonly source: RouteSource }[],
): ReadonlyMap<string, RouteConfig> {
  checkList(entries, 'the routes');
  const routes = new Map<string, RouteConfig>();
  for (const { value, source } of entries) {
    const route = parseRoute(value, source);
    if (routes.has(route.name)) {
      throw configurationFault(
        source.file,
        joinKeys(source.key ?? '', 'name'),
        route.name,
        'a name that no other route has',
      );
    }
    routes.set(route.name, route);
  }
  return routes;
}

function parseHeader(reader: ValueReader): HeaderConfig {
  reader.only(HEADER_KEYS);
  const name = reader.text('name', HEADER_NAME, 'a header name');
  if (RESERVED_HEADERS.has(name.toLowerCase())) throw reader.fault('name', name, 'a header that is not reserved');
  const priority = reader.text('priority', /^/, HEADER_PRIORITIES.join(', '));
  if (!isPriority(priority)) throw reader.fault('priority', priority, HEADER_PRIORITIES.join(', '));
  return { name, defaultValue: reader.optionalText('defaultValue', priority === 'REQUEST_ONLY'), priority };
}

function isPriority(value: string): value is HeaderPriority {
  return (HEADER_PRIORITIES as readonly string[]).includes(value);
}
