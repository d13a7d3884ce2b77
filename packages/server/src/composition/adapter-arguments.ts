import { badArgument, CodedError, checkObject, checkPort, checkText } from '@cairn/errors';
import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { BlobStore, EventLog } from '@cairn/events';
import type { Extractor } from '@cairn/ingest';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { FileSystem } from '@cairn/storage-fs';
import type { AttributeSource } from '../auth/attribute-source.ts';
import type { Adapters } from './adapters.ts';

/** Every method that an implementation of a port must have: a new one that is missing here does not compile. */
type Methods<Port, Others extends keyof Port = never> = Readonly<Record<Exclude<keyof Port, Others>, true>>;

const LOG: Methods<EventLog, 'eventAt'> = {
  ...{ append: true, read: true, end: true, comparePositions: true, lag: true, commit: true },
  ...{ committed: true, cuts: true, topics: true, close: true },
};
const BLOBS: Methods<BlobStore> = {
  ...{ put: true, putContent: true, get: true, stream: true, list: true, delete: true },
  ...{ readManifest: true, replaceManifest: true, close: true },
};
const EXTRACTOR: Methods<Extractor> = { extract: true, close: true };
const FILE_SYSTEM: Methods<FileSystem> = {
  ...{ open: true, rename: true, link: true, remove: true, removeDirectory: true, list: true, sizeOf: true },
  ...{ makeDirectory: true, syncDirectory: true },
};
const SEARCH: Methods<SearchIndex, 'indices'> = {
  ...{ apply: true, search: true, typeahead: true, facets: true, states: true, getDocument: true },
  ...{ getDocuments: true, correctEntity: true, explain: true, positions: true, flush: true, close: true },
};
const DATASET: Methods<GraphDataset, 'name'> = {
  ...{ query: true, match: true, count: true, reader: true, prefixes: true, evaluateUpdate: true, apply: true },
  ...{ matchLabelled: true, positions: true, flush: true, close: true },
};
const ATTRIBUTES: Methods<AttributeSource> = { attributesOf: true };

type Check = (value: unknown, what: string) => void;

const CHECKS: Readonly<Record<keyof Adapters, Check>> = {
  log: havingAll(LOG),
  blobs: havingAll(BLOBS),
  extractor: havingAll(EXTRACTOR),
  fileSystem: havingAll(FILE_SYSTEM),
  search: adapterOf(havingAll(SEARCH)),
  datasets(value, what) {
    checkObject(value, what);
    for (const [name, adapter] of Object.entries(value as object)) {
      adapterOf(havingAll(DATASET))(adapter, `${what}.${name.slice(0, 100)}`);
    }
  },
  attributes: havingAll(ATTRIBUTES),
};

/**
 * Checks what is handed in as adapters, before anything is opened.
 * @throws `ERR_ARGUMENT` (invalid) for a key that none has, and for one that lacks a method of its port
 */
export function checkAdapterArguments(adapters: unknown): void {
  checkObject(adapters, 'adapters');
  checkKeys(adapters as object, CHECKS, 'adapters');
  for (const [name, adapter] of Object.entries(adapters as object)) {
    if (adapter !== undefined) CHECKS[name as keyof Adapters](adapter, `adapters.${name}`);
  }
}

/** Refuses a key that is read by nobody: mistyped, it would be left out in silence. @throws `ERR_ARGUMENT` (invalid) */
export function checkKeys(value: object, known: Readonly<Record<string, unknown>>, what: string): void {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const message = `the keys of ${what} must be among ${Object.keys(known).join(', ')}; got ${JSON.stringify(unknown.slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
}

function havingAll(methods: Readonly<Record<string, true>>): Check {
  return (value, what) => {
    for (const method of Object.keys(methods)) checkPort(value, method, what);
  };
}

const LEVELS: Readonly<Record<ConformanceLevel, true>> = { core: true, 'non-interference': true };
const NAME = /^[A-Za-z0-9-]{1,100}$/;

function adapterOf(checkImplementation: Check): Check {
  return (value, what) => {
    checkObject(value, what);
    const { name, level, port }: { name?: unknown; level?: unknown; port?: unknown } = value as object;
    checkText(name, `${what}.name`);
    if (!NAME.test(name as string)) throw badArgument(`${what}.name`, 'letters, digits and -', name);
    if (typeof level !== 'string' || !Object.hasOwn(LEVELS, level)) {
      throw badArgument(`${what}.level`, `one of ${Object.keys(LEVELS).join(', ')}`, level);
    }
    checkImplementation(port, `${what}.port`);
  };
}
