import { type GraphDataset, namedNode } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import { UUID } from '../accept/identity.ts';
import type { ChangesOf } from '../document-rdf/stated.ts';
import { Gazetteer } from '../entities/gazetteer.ts';
import { LabelledGraph } from '../entity-documents/labelled-graph.ts';
import { compileEntityMapping } from '../entity-documents/mapping.ts';
import { namedSubjects, toNamedEntity } from '../entity-documents/named-entities.ts';
import { createFindTouched, type FindTouched } from '../entity-documents/touched.ts';
import { ChangeReader } from '../graph-projection/change-reader.ts';
import { createSwitchable, type Switchable } from '../rebuild/switchable.ts';
import type { RouteConfig } from '../routes/route.ts';
import { createBreather } from '../work/breather.ts';
import type { IngestOptions } from './options.ts';

export interface DatasetCache {
  readonly name: string;
  readonly slot: Switchable<GraphDataset>;
  readonly changes: ChangeReader;
  readonly changesOf: ChangesOf;
  /** The label of what comes without one. */
  readonly defaultLabel: string | undefined;
  /** True when its entities are indexed and looked for. */
  readonly hasEntities: boolean;
}

/** The caches of the log, and what is derived from them in memory. */
export interface Caches {
  readonly search: Switchable<SearchIndex>;
  readonly datasets: ReadonlyMap<string, DatasetCache>;
  readonly findTouched: FindTouched;
  /** Returns true if an IRI names an entity, rather than a document. */
  readonly isEntity: (uri: string) => boolean;
  /** The datasets that entities stem from, as one graph. */
  readonly entities: LabelledGraph;
  readonly gazetteer: Gazetteer;
  /** Lets others run; called for each entity. */
  readonly pause: () => Promise<void>;
}

/** Wraps the ports of the caches so that each can be exchanged after a rebuild. */
export function createCaches(options: IngestOptions): Caches {
  const pause = createBreather(options.clock);
  const { entityDatasets = ['knowledge'], onCacheError } = options;
  const watch = (cache: string) => onCacheError && ((error: unknown) => onCacheError(cache, error));
  const datasets = new Map<string, DatasetCache>();
  for (const { dataset, defaultLabel } of options.datasets) {
    const changes = new ChangeReader({ blobs: options.blobs, defaultLabel, pause });
    datasets.set(dataset.name, {
      ...{ name: dataset.name, changes, defaultLabel },
      slot: createSwitchable(dataset, watch(dataset.name)),
      changesOf: (event) => changes.readIfPossible(event),
      hasEntities: entityDatasets.includes(dataset.name),
    });
  }
  const isEntity = entityTest(options.routes);
  const sources = [...datasets.values()].filter(({ hasEntities }) => hasEntities).map(({ slot }) => slot.port);
  const entities = new LabelledGraph(sources, compileEntityMapping(options.mapping));
  return {
    ...{ datasets, isEntity, entities, pause },
    search: createSwitchable(options.search, watch('search')),
    findTouched: createFindTouched(entities, isEntity, pause),
    gazetteer: new Gazetteer(),
  };
}

/** Documents are in the graph too, but are no entities: their IRI is a route's namespace and a UUID. */
function entityTest(routes: Iterable<RouteConfig>): (uri: string) => boolean {
  const namespaces = [...new Set([...routes].map(({ namespace }) => namespace))];
  return (uri) => !namespaces.some((namespace) => uri.startsWith(namespace) && UUID.test(uri.slice(namespace.length)));
}

/** Reads every name of the graph into the gazetteer. Cost: O(names). */
export async function loadNames({ entities, gazetteer, isEntity, pause }: Caches): Promise<void> {
  for await (const uri of namedSubjects(entities)) {
    await pause();
    if (!isEntity(uri)) continue;
    gazetteer.set(await toNamedEntity(await entities.describe(namedNode(uri)), entities));
  }
}

export async function refreshNames(uris: Iterable<string>, { entities, gazetteer, pause }: Caches): Promise<void> {
  for (const uri of uris) {
    await pause();
    gazetteer.set(await toNamedEntity(await entities.describe(namedNode(uri)), entities));
  }
}
