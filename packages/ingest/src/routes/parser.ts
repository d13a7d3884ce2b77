import { CodedError, checkList, checkObject, checkText } from '@cairn/errors';
import { parseLabel } from '@cairn/security';
import { HEADER_PRIORITIES, type HeaderConfig, type HeaderPriority, type RouteConfig } from './route.ts';

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

/** Headers that a route may not configure: its label is `securityLabel`, the others are set per document. */
const RESERVED_HEADERS = new Set([
  ...['security-label', 'event-id', 'event-type', 'schema-version', 'document-id', 'value-blob', 'erased'],
  ...['ingest-route', 'ingest-filename', 'content-type', 'content-length'],
]);

/**
 * A route from a plain object, as YAML or JSON gives it.
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
      const key = joinKeys(source.key ?? '', 'name');
      throw configurationFault(source.file, key, route.name, 'a name that no other route has');
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

/** Reads the values of one object and says where a wrong one is. */
class ValueReader {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #file: string;
  readonly #key: string;

  constructor(value: unknown, file: string, key: string) {
    this.#file = file;
    this.#key = key;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw configurationFault(file, key, value, 'an object');
    this.#fields = new Map(Object.entries(value));
  }

  fault(key: string, value: unknown, expected: string): CodedError {
    return configurationFault(this.#file, joinKeys(this.#key, key), value, expected);
  }

  only(known: readonly string[]): void {
    for (const [key, value] of this.#fields) {
      if (!known.includes(key)) throw this.fault(key, value, `one of the keys ${known.join(', ')}`);
    }
  }

  text(key: string, form: RegExp, expected: string): string {
    const value = this.#fields.get(key);
    if (typeof value !== 'string' || !form.test(value)) throw this.fault(key, value, expected);
    return value;
  }

  optionalText(key: string, mayMiss: boolean): string {
    const value = this.#fields.get(key);
    if (mayMiss && (value === undefined || value === null)) return '';
    if (typeof value !== 'string' || /[\r\n\0]/.test(value)) throw this.fault(key, value, 'a text of one line');
    return value;
  }

  label(key: string): string | null {
    const value = this.#fields.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string' || value.trim() === '') throw this.fault(key, value, 'a security label or null');
    try {
      parseLabel(value);
    } catch (cause) {
      throw this.fault(key, value, `a security label (${cause instanceof Error ? cause.message : 'malformed'})`);
    }
    return value;
  }

  integer(key: string, defaultValue: number, max: number): number {
    const value = this.#fields.get(key) ?? defaultValue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > max) {
      throw this.fault(key, value, `an integer from 1 to ${max}`);
    }
    return value;
  }

  list(key: string): ValueReader[] {
    const value = this.#fields.get(key) ?? [];
    if (!Array.isArray(value)) throw this.fault(key, value, 'a list');
    return value.map((item, at) => new ValueReader(item, this.#file, `${joinKeys(this.#key, key)}[${at}]`));
  }
}

/** The error of a configuration value: where it is, what it is, and what was expected. */
function configurationFault(file: string, key: string, value: unknown, expected: string): CodedError {
  const shown = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)).slice(0, 200);
  const message = `${file}: ${key === '' ? 'the route' : key} must be ${expected}; got ${shown}`;
  return new CodedError({ code: 'ERR_ROUTE_CONFIG', kind: 'invalid', message });
}

function joinKeys(base: string, key: string): string {
  return base === '' ? key : `${base}.${key}`;
}
