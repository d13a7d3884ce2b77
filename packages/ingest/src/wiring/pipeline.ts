import { CodedError, isCodedError } from '@cairn/errors';
import type { Event, Position } from '@cairn/events';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import { CorrectionBook } from '../corrections/book.ts';
import { createDocumentRdfTarget } from '../document-rdf/target.ts';
import { createDatasetTarget } from '../graph-projection/dataset-target.ts';
import { DatasetWriter } from '../graph-projection/dataset-writer.ts';
import { TOPIC } from '../pipeline/contract.ts';
import { createExtractText } from '../pipeline/extract-text.ts';
import { createFindEntities } from '../pipeline/find-entities.ts';
import { createLaneTarget } from '../pipeline/lane-target.ts';
import { SlowLanes } from '../pipeline/slow-lanes.ts';
import { createStageTarget } from '../pipeline/stage-target.ts';
import { Mutex } from '../projector/mutex.ts';
import type { ProjectionTarget, Projector, ProjectorOptions } from '../projector/projector.ts';
import { createProjector } from '../projector/runner.ts';
import { createReannotationTarget } from '../reannotation/target.ts';
import type { RouteConfig } from '../routes/route.ts';
import type { SearchProjection } from '../search-projection/context.ts';
import { createCorrectionsTarget } from '../search-projection/corrections.ts';
import { createDocumentsTarget } from '../search-projection/documents.ts';
import { createEntitiesTarget, projectEntities } from '../search-projection/entities.ts';
import { createBreather } from '../work/breather.ts';
import { type Caches, type DatasetCache, refreshNames } from './caches.ts';
import type { IngestOptions } from './options.ts';

const GROUP = {
  extract: 'ingest-extract-text',
  find: 'ingest-find-entities',
  rdf: 'ingest-document-rdf',
  reannotate: 'ingest-reannotate',
  documents: 'search-documents',
  corrections: 'search-corrections',
  entities: 'search-entities',
  graph: 'graph',
} as const;

interface SearchProjectors {
  /** By the name of the dataset; among the projectors. */
  readonly entities: ReadonlyMap<string, Projector>;
  readonly projectors: readonly Projector[];
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

/** Every projector of both walks, wired over the ports. */
export class Pipeline {
  /** In the order in which what enters the log flows through them. */
  readonly projectors: readonly Projector[];
  /** Those that make events of events, among the projectors, in the order of their start: lanes before who fills them. */
  readonly stages: readonly Projector[];
  /** The stage that looks for names in texts. */
  readonly finder: Projector;
  readonly searchProjectors: readonly Projector[];
  /** Those that carry changes of names back to documents. No cache waits for them. */
  readonly reannotators: readonly Projector[];
  /** By the name of the dataset, as those below. */
  readonly writers: ReadonlyMap<string, DatasetWriter>;
  readonly entityProjectors: ReadonlyMap<string, Projector>;
  readonly graphProjectors: ReadonlyMap<string, Projector>;
  readonly #options: IngestOptions;
  readonly #caches: Caches;

  constructor(options: IngestOptions, caches: Caches) {
    this.#options = options;
    this.#caches = caches;
    const datasets = [...caches.datasets.values()];
    this.graphProjectors = new Map(datasets.map(({ name, slot }) => [name, this.graphProjector(name, slot.port)]));
    this.writers = new Map(datasets.map((cache) => [cache.name, this.#writer(cache)]));
    const { entities, projectors } = this.search(caches.search.port);
    this.entityProjectors = entities;
    this.searchProjectors = projectors;
    this.finder = this.#finder();
    const rdf = this.writers.get(options.documentDataset ?? 'knowledge');
    const [extractors, lanes] = this.#extractors(rdf);
    const others = rdf === undefined ? [this.finder] : [this.finder, this.#documentRdf(rdf)];
    this.stages = [...lanes, ...extractors, ...others];
    this.projectors = [...extractors, ...lanes, ...others, ...this.graphProjectors.values(), ...projectors];
    this.reannotators = this.#reannotators();
  }

  /** The projection into a dataset; not started. */
  graphProjector(name: string, dataset: GraphDataset): Projector {
    const { changes } = this.#datasetOf(name);
    const target = createDatasetTarget({ dataset, topic: name, changes, pause: this.#caches.pause });
    return this.#projector(name, GROUP.graph, target);
  }

  /** The projections into a search index; not started. */
  search(index: SearchIndex): SearchProjectors {
    const projection = this.#searchProjection(index);
    const sources = [...this.#caches.datasets.values()].filter(({ hasEntities }) => hasEntities);
    const entities = new Map(sources.map((cache) => [cache.name, this.#entities(cache, projection)]));
    const corrections = this.#projector(TOPIC.corrections, GROUP.corrections, createCorrectionsTarget(projection));
    const target = createDocumentsTarget(projection);
    const documents = this.#projector(TOPIC.entities, GROUP.documents, target, { maxBatchEvents: TEXT_BATCH_EVENTS });
    const projectors = [...entities.values(), corrections, documents];
    return { entities, projectors, seed: () => this.#seed(projection) };
  }

  #writer({ name, slot }: DatasetCache): DatasetWriter {
    const { log, blobs, clock } = this.#options;
    const projector = projectorOf(this.graphProjectors, name);
    return new DatasetWriter({ log, blobs, clock, topic: name, dataset: () => slot.port, projector });
  }

  #datasetOf(topic: string): DatasetCache {
    const cache = this.#caches.datasets.get(topic);
    if (cache === undefined) throw new Error(`no dataset reads the topic ${topic}`);
    return cache;
  }

  #reannotators(): Projector[] {
    const { log, blobs, clock, reannotation: { automatic = true, restMs = DEFAULT_REST_MS } = {} } = this.#options;
    if (!automatic) return [];
    const { entities: graph, gazetteer, findTouched } = this.#caches;
    const shared = { log, blobs, clock, graph, gazetteer, findTouched, restMs, group: GROUP.reannotate };
    const turn = new Mutex();
    return [...this.entityProjectors].map(([topic, names]) => {
      const { changesOf } = this.#datasetOf(topic);
      const target = createReannotationTarget({
        ...{ ...shared, topic, turn, changesOf },
        pause: createBreather(clock),
        names: () => positionsOf(this.entityProjectors),
        namesReached: (position) => reached(names, position),
        textsReached: () => this.finder.batchDone(),
      });
      return this.#projector(topic, GROUP.reannotate, target);
    });
  }

  #searchProjection(index: SearchIndex): SearchProjection {
    const { log, blobs, clock, documentIndex = 'doc-content', entityIndex = 'search' } = this.#options;
    const { generator = { name: 'cairn', version: '0' } } = this.#options;
    return {
      ...{ log, blobs, clock, index, documentIndex, entityIndex, generator },
      corrections: new CorrectionBook(),
      work: new Mutex(),
      pause: createBreather(clock),
    };
  }

  /** The positions are taken first: what the datasets apply while their entities are read comes once more. */
  async #seed(projection: SearchProjection): Promise<number> {
    const positions: Record<string, Position> = {};
    for (const { name, slot, hasEntities } of this.#caches.datasets.values()) {
      const position = hasEntities ? slot.port.positions()[name] : undefined;
      if (position !== undefined) positions[name] = position;
    }
    const { entities, isEntity } = this.#caches;
    const { count } = await projectEntities(filter(entities.subjects(), isEntity), entities, projection);
    await projection.index.apply([], positions);
    return count;
  }

  #entities({ name, changesOf }: DatasetCache, projection: SearchProjection): Projector {
    const { entities: graph, findTouched } = this.#caches;
    const dataset = projectorOf(this.graphProjectors, name);
    const target = createEntitiesTarget({
      ...{ projection, topic: name, graph, findTouched, changesOf },
      datasetReached: (position) => reached(dataset, position),
      // What a rebuild applies, while the others stand still for the exchange, changes names all the same.
      onTouched: (uris) => refreshNames(uris, this.#caches),
    });
    return this.#projector(name, GROUP.entities, target);
  }

  /** One per topic, as several routes may share one; and those of its lanes. */
  #extractors(rdf: DatasetWriter | undefined): [extractors: Projector[], lanes: Projector[]] {
    const { log, blobs, extractor, extractions = 2 } = this.#options;
    const byTopic = new Map<string, RouteConfig[]>();
    for (const route of this.#options.routes) byTopic.set(route.topic, [...(byTopic.get(route.topic) ?? []), route]);
    const turn = new Mutex();
    const extractors: Projector[] = [];
    const inLanes: Projector[] = [];
    const outputs = rdf === undefined ? [TOPIC.text] : [TOPIC.text, rdf.topic];
    const shared = {
      ...{ log, blobs, group: GROUP.extract },
      append: (to: string, events: readonly Event[]) =>
        to === rdf?.topic ? rdf.append(events) : log.append(to, events),
    };
    for (const [topic, routes] of byTopic) {
      const lanes = new SlowLanes({ log, topic });
      const reading = { extractor, routes, rdfTopic: rdf?.topic };
      const target = createStageTarget({
        ...{ ...shared, topic, lanes, concurrency: extractions },
        stage: createExtractText({ ...reading, lanes }),
        outputs: [...outputs, ...lanes.topics],
      });
      extractors.push(this.#projector(topic, GROUP.extract, target, { maxBatchEvents: EXTRACT_BATCH_EVENTS }));
      const stage = createExtractText(reading);
      for (const lane of lanes.topics) {
        const slow = createLaneTarget({
          ...shared,
          topic: lane,
          slow: lanes,
          turn,
          stage,
          outputs,
          deletionsOn: topic,
        });
        inLanes.push(this.#projector(lane, GROUP.extract, slow, { maxBatchEvents: 1, lettersOf: topic }));
      }
    }
    return [extractors, inLanes];
  }

  #finder(): Projector {
    const { log, blobs, clock } = this.#options;
    const { gazetteer } = this.#caches;
    const entities = this.entityProjectors;
    const names = (): Record<string, Position> => positionsOf(entities);
    const stage = createFindEntities({ gazetteer, names, pause: createBreather(clock) });
    const target = createStageTarget({
      ...{ log, blobs, topic: TOPIC.text, group: GROUP.find, stage },
      outputs: [TOPIC.entities],
      before: async () => {
        // Names that were acknowledged before the document are looked for in it, unless the graph is far behind.
        const waits = [...entities.values()].map((projector) => projector.waitForEnd({ timeoutMs: NAMES_WAIT_MS }));
        await Promise.allSettled(waits);
      },
    });
    return this.#projector(TOPIC.text, GROUP.find, target, { maxBatchEvents: TEXT_BATCH_EVENTS });
  }

  #documentRdf(writer: DatasetWriter): Projector {
    const { log, blobs } = this.#options;
    const { changesOf } = this.#datasetOf(writer.topic);
    const { pause } = this.#caches;
    const target = createDocumentRdfTarget({ log, blobs, group: GROUP.rdf, writer, changesOf, pause });
    return this.#projector(TOPIC.entities, GROUP.rdf, target, { maxBatchEvents: TEXT_BATCH_EVENTS });
  }

  #projector(
    topic: string,
    group: string,
    target: ProjectionTarget,
    own: Pick<ProjectorOptions, 'maxBatchEvents' | 'lettersOf'> = {},
  ): Projector {
    const { log, blobs, clock, backOff, flushPolicy, onDamage, onNotice, gatherMs = DEFAULT_GATHER_MS } = this.#options;
    return createProjector({
      ...{ log, blobs, clock, topic, group, target, onDamage, onNotice },
      gatherMs: GATHERING.has(group) ? gatherMs : 0,
      flushPolicy: target.flush === undefined ? STAGE_FLUSH : (flushPolicy ?? {}),
      ...(backOff === undefined ? {} : { backOff }),
      ...own,
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
    const message = `${projector.group} has not reached the position that this projection needs`;
    throw new CodedError({ code: 'ERR_PROJECTION_BEHIND', kind: 'unavailable', message, cause });
  }
}

/** The projector of a dataset that is there. */
export function projectorOf(projectors: ReadonlyMap<string, Projector>, dataset: string): Projector {
  const projector = projectors.get(dataset);
  if (projector === undefined) throw new Error(`no projector feeds the dataset ${dataset}`);
  return projector;
}
