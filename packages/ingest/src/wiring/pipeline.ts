import { CodedError, isCodedError } from '@cairn/errors';
import type { Position, StoredEvent } from '@cairn/events';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import { createDocumentRdfTarget } from '../document-rdf/target.ts';
import type { ChangeReader } from '../graph-projection/change-reader.ts';
import { createDatasetTarget } from '../graph-projection/dataset-target.ts';
import { DatasetWriter } from '../graph-projection/dataset-writer.ts';
import { TOPIC } from '../pipeline/contract.ts';
import { createExtractText } from '../pipeline/extract-text.ts';
import { createFindEntities } from '../pipeline/find-entities.ts';
import { createStageTarget, type StageTargetOptions } from '../pipeline/stage-target.ts';
import { Mutex } from '../projector/mutex.ts';
import type { ProjectionTarget, Projector } from '../projector/projector.ts';
import { createProjector } from '../projector/runner.ts';
import { createReannotationTarget } from '../reannotation/target.ts';
import type { RouteConfig } from '../routes/route.ts';
import { createSearchProjection, type SearchProjection } from '../search-projection/context.ts';
import { createCorrectionsTarget } from '../search-projection/corrections.ts';
import { createDocumentsTarget } from '../search-projection/documents.ts';
import { createEntitiesTarget, projectEntities } from '../search-projection/entities.ts';
import { createBreather } from '../work/breather.ts';
import { type Caches, type DatasetCache, refreshNames } from './caches.ts';
import type { IngestOptions } from './options.ts';

/** Consumer groups of the projectors. */
export const GROUP = {
  extract: 'ingest-extract-text',
  find: 'ingest-find-entities',
  rdf: 'ingest-document-rdf',
  reannotate: 'ingest-reannotate',
  documents: 'search-documents',
  corrections: 'search-corrections',
  entities: 'search-entities',
  graph: 'graph',
} as const;

/** Every projector, wired. */
export interface Pipeline {
  /** In the order in which what enters the log flows through them. */
  readonly projectors: readonly Projector[];
  /** Those that make events of events, among the projectors. */
  readonly stages: readonly Projector[];
  /** The stage that looks for names in texts. */
  readonly finder: Projector;
  readonly searchProjectors: readonly Projector[];
  /** Those that carry changes of names back to documents. No cache waits for them. */
  readonly reannotators: readonly Projector[];
  readonly writers: ReadonlyMap<string, DatasetWriter>;
  /** By the name of the dataset. */
  readonly entityProjectors: ReadonlyMap<string, Projector>;
  readonly graphProjectors: ReadonlyMap<string, Projector>;
  /** The projections into another search index; not started. */
  rebuildSearch(index: SearchIndex): { readonly projectors: readonly Projector[]; seed(): Promise<number> };
  /** The projection into another dataset in the place of one of them; not started. */
  rebuildDataset(dataset: GraphDataset): Projector;
}

/** Builds the projectors of both walks over the ports. */
export function createPipeline(options: IngestOptions, caches: Caches): Pipeline {
  const builder = new PipelineBuilder(options, caches);
  const graph = builder.graph();
  const writers = builder.writers(graph);
  const onTouched = (uris: Iterable<string>): Promise<void> => refreshNames(uris, caches);
  const search = builder.search(graph, caches.search.port, onTouched);
  const finder = builder.finder(search.entities);
  const stages = builder.stages(finder, writers);
  return {
    stages,
    projectors: [...stages, ...graph.values(), ...search.entities.values(), search.corrections, search.documents],
    searchProjectors: [...search.entities.values(), search.corrections, search.documents],
    reannotators: builder.reannotators(search.entities, finder),
    finder,
    writers,
    entityProjectors: search.entities,
    graphProjectors: graph,
    rebuildSearch(index) {
      // What only these apply, while the others stand still for the exchange, changes names all the same.
      const { entities, corrections, documents, seed } = builder.search(graph, index, onTouched);
      return { projectors: [...entities.values(), corrections, documents], seed };
    },
    rebuildDataset: (dataset) => builder.graphProjector(dataset.name, dataset),
  };
}

interface SearchProjectors {
  readonly entities: ReadonlyMap<string, Projector>;
  readonly corrections: Projector;
  readonly documents: Projector;
  /** Brings in the entities that the datasets hold now, and the positions up to which they stem from. */
  readonly seed: () => Promise<number>;
}

/** How long names may lag behind the graph before a text is searched with the names there are. */
const NAMES_WAIT_MS = 5000;
const DEFAULT_REST_MS = 1000;
const DEFAULT_GATHER_MS = 25;
/** Writers wait for the others. */
const GATHERING: ReadonlySet<string> = new Set([GROUP.find, GROUP.rdf, GROUP.documents]);
const STAGE_FLUSH = { events: 200, intervalMs: 1000 };
/** A native document can be large: few are in work at once. */
const EXTRACT_BATCH_EVENTS = 16;
/** A text can have up to a mebibyte in its event. */
const TEXT_BATCH_EVENTS = 100;

class PipelineBuilder {
  readonly #options: IngestOptions;
  readonly #caches: Caches;

  constructor(options: IngestOptions, caches: Caches) {
    this.#options = options;
    this.#caches = caches;
  }

  graph(): Map<string, Projector> {
    const projectors = new Map<string, Projector>();
    for (const { name, slot } of this.#caches.datasets.values()) {
      projectors.set(name, this.graphProjector(name, slot.port));
    }
    return projectors;
  }

  #changesOf(topic: string): ChangeReader {
    const cache = this.#caches.datasets.get(topic);
    if (cache === undefined) throw new Error(`no dataset reads the topic ${topic}`);
    return cache.changes;
  }

  graphProjector(name: string, dataset: GraphDataset): Projector {
    const changes = this.#changesOf(name);
    return this.#projector(
      name,
      GROUP.graph,
      createDatasetTarget({ dataset, topic: name, changes, pause: this.#caches.pause }),
    );
  }

  writers(graph: ReadonlyMap<string, Projector>): Map<string, DatasetWriter> {
    const { log, blobs, clock } = this.#options;
    const writers = new Map<string, DatasetWriter>();
    for (const { name, slot } of this.#caches.datasets.values()) {
      const projector = projectorOf(graph, name);
      writers.set(name, new DatasetWriter({ log, blobs, clock, topic: name, dataset: () => slot.port, projector }));
    }
    return writers;
  }

  search(
    graph: ReadonlyMap<string, Projector>,
    index: SearchIndex,
    onTouched?: (uris: Iterable<string>) => Promise<void>,
  ): SearchProjectors {
    const projection = this.#searchProjection(index);
    const entities = new Map<string, Projector>();
    for (const cache of this.#caches.datasets.values()) {
      if (!cache.hasEntities) continue;
      entities.set(cache.name, this.#entities(cache, projection, projectorOf(graph, cache.name), onTouched));
    }
    const corrections = this.#projector(TOPIC.corrections, GROUP.corrections, createCorrectionsTarget(projection));
    const documents = this.#projector(
      TOPIC.entities,
      GROUP.documents,
      createDocumentsTarget(projection),
      TEXT_BATCH_EVENTS,
    );
    return { entities, corrections, documents, seed: () => this.#seed(projection) };
  }

  stages(finder: Projector, writers: ReadonlyMap<string, DatasetWriter>): Projector[] {
    const rdf = writers.get(this.#options.documentDataset ?? 'knowledge');
    const stages = [...this.#extractors(rdf), finder];
    if (rdf !== undefined) stages.push(this.#documentRdf(rdf));
    return stages;
  }

  reannotators(entities: ReadonlyMap<string, Projector>, finder: Projector): Projector[] {
    const { log, blobs, clock, reannotation: { automatic = true, restMs = DEFAULT_REST_MS } = {} } = this.#options;
    if (!automatic) return [];
    const { entities: graph, gazetteer, mapping, touched } = this.#caches;
    const shared = { log, blobs, clock, graph, gazetteer, mapping, touched, restMs, group: GROUP.reannotate };
    const turn = new Mutex();
    return [...entities].map(([topic, names]) => {
      const target = createReannotationTarget({
        ...{ ...shared, topic, turn },
        pause: createBreather(clock),
        names: () => positionsOf(entities),
        changesOf: (event) => this.#changesOf(topic).readIfPossible(event),
        namesReached: (position) => reached(names, position),
        textsReached: () => finder.batchDone(),
      });
      return this.#projector(topic, GROUP.reannotate, target);
    });
  }

  #searchProjection(index: SearchIndex): SearchProjection {
    const { log, blobs, clock, documentIndex = 'doc-content', entityIndex = 'search' } = this.#options;
    const { generator = { name: 'cairn', version: '0' } } = this.#options;
    return createSearchProjection({ log, blobs, clock, index, documentIndex, entityIndex, generator });
  }

  /** The positions are taken first: what the datasets apply while their entities are read comes once more. */
  async #seed(projection: SearchProjection): Promise<number> {
    const positions: Record<string, Position> = {};
    for (const { name, slot, hasEntities } of this.#caches.datasets.values()) {
      const position = hasEntities ? slot.port.positions()[name] : undefined;
      if (position !== undefined) positions[name] = position;
    }
    const { entities, mapping, isEntity } = this.#caches;
    const { count } = await projectEntities(filter(entities.subjects(), isEntity), entities, mapping, projection);
    await projection.index.apply([], positions);
    return count;
  }

  #entities(
    { name, changes }: DatasetCache,
    projection: SearchProjection,
    graph: Projector,
    onTouched: ((uris: Iterable<string>) => Promise<void>) | undefined,
  ): Projector {
    const target = createEntitiesTarget({
      projection,
      topic: name,
      graph: this.#caches.entities,
      mapping: this.#caches.mapping,
      touched: this.#caches.touched,
      changesOf: (event) => changes.readIfPossible(event),
      datasetReached: (position) => reached(graph, position),
      onTouched,
    });
    return this.#projector(name, GROUP.entities, target);
  }

  /** One per topic: several routes may share one. */
  #extractors(rdf: DatasetWriter | undefined): Projector[] {
    const { extractor, extractions = 2 } = this.#options;
    const byTopic = new Map<string, RouteConfig[]>();
    for (const route of this.#options.routes) byTopic.set(route.topic, [...(byTopic.get(route.topic) ?? []), route]);
    return [...byTopic].map(([topic, routes]) => {
      const stage = createExtractText({ extractor, routes, rdfTopic: rdf?.topic });
      const target = this.#stage(topic, GROUP.extract, stage, {
        outputs: rdf === undefined ? [TOPIC.text] : [TOPIC.text, rdf.topic],
        concurrency: extractions,
        append: (to, events) => (to === rdf?.topic ? rdf.append(events) : this.#options.log.append(to, events)),
      });
      return this.#projector(topic, GROUP.extract, target, EXTRACT_BATCH_EVENTS);
    });
  }

  finder(entities: ReadonlyMap<string, Projector>): Projector {
    const stage = createFindEntities({
      gazetteer: this.#caches.gazetteer,
      names: () => positionsOf(entities),
      pause: createBreather(this.#options.clock),
    });
    const target = this.#stage(TOPIC.text, GROUP.find, stage, {
      outputs: [TOPIC.entities],
      before: async () => {
        // Names that were acknowledged before the document are looked for in it, unless the graph is far behind.
        const waits = [...entities.values()].map((projector) => projector.waitForEnd({ timeoutMs: NAMES_WAIT_MS }));
        await Promise.allSettled(waits);
      },
    });
    return this.#projector(TOPIC.text, GROUP.find, target, TEXT_BATCH_EVENTS);
  }

  #documentRdf(writer: DatasetWriter): Projector {
    const { log, blobs } = this.#options;
    const changes = this.#changesOf(writer.topic);
    const changesOf = (event: StoredEvent) => changes.readIfPossible(event);
    const target = createDocumentRdfTarget({
      ...{ log, blobs, group: GROUP.rdf, writer, changesOf },
      pause: this.#caches.pause,
    });
    return this.#projector(TOPIC.entities, GROUP.rdf, target, TEXT_BATCH_EVENTS);
  }

  #stage(
    topic: string,
    group: string,
    stage: Parameters<typeof createStageTarget>[0]['stage'],
    more: Pick<StageTargetOptions, 'outputs'> & Partial<StageTargetOptions>,
  ): ProjectionTarget {
    const { log, blobs } = this.#options;
    return createStageTarget({ log, blobs, topic, group, stage, ...more });
  }

  #projector(topic: string, group: string, target: ProjectionTarget, maxBatchEvents?: number): Projector {
    const { log, blobs, clock, backOff, flushPolicy, onDamage, onNotice, gatherMs = DEFAULT_GATHER_MS } = this.#options;
    return createProjector({
      ...{ log, blobs, clock, topic, group, target, onDamage, onNotice },
      gatherMs: GATHERING.has(group) ? gatherMs : 0,
      flushPolicy: target.flush === undefined ? STAGE_FLUSH : (flushPolicy ?? {}),
      ...(backOff === undefined ? {} : { backOff }),
      ...(maxBatchEvents === undefined ? {} : { maxBatchEvents }),
    });
  }
}

async function* filter<Item>(items: AsyncIterable<Item>, keep: (item: Item) => boolean): AsyncGenerator<Item> {
  for await (const item of items) if (keep(item)) yield item;
}

export function positionsOf(projectors: ReadonlyMap<string, Projector>): Record<string, Position> {
  const positions: Record<string, Position> = {};
  for (const [name, projector] of projectors) {
    const position = projector.position();
    if (position !== undefined) positions[name] = position;
  }
  return positions;
}

/** Waits for another projector for as long as it takes; what failed there is passed there too. */
async function reached(projector: Projector, position: Position): Promise<void> {
  try {
    await projector.waitFor(position);
  } catch (cause) {
    if (isCodedError(cause) && cause.code === 'ERR_DEAD_LETTER') return;
    throw new CodedError({
      code: 'ERR_PROJECTION_BEHIND',
      kind: 'unavailable',
      message: `${projector.group} has not reached the position that this projection needs`,
      cause,
    });
  }
}

/** The projector of a dataset that is there. */
export function projectorOf(projectors: ReadonlyMap<string, Projector>, dataset: string): Projector {
  const projector = projectors.get(dataset);
  if (projector === undefined) throw new Error(`no projector feeds the dataset ${dataset}`);
  return projector;
}
