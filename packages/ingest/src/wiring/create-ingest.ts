import {
  CodedError,
  checkArray,
  checkBound,
  checkFunction,
  checkList,
  checkObject,
  checkPort,
  checkText,
  isCodedError,
} from '@cairn/errors';
import { attachValue, createEvent, createHeaders, type Event, HEADER, loadValue, type Position } from '@cairn/events';
import { checkBlobSource, toOwnSource } from '@cairn/events/experimental';
import type { ChangeSet, GraphDataset } from '@cairn/rdf-graph';
import {
  bodyPlaceOf,
  checkLabelsOfChanges,
  checkStatedLabels,
  type JudgeLabel,
  type StatedBodyOptions,
} from '@cairn/rdf-graph/experimental';
import type { CorrectionRequest, SearchIndex } from '@cairn/search';
import { checkDefaultLabel, checkStatedLabel, checkViewer, type Viewer } from '@cairn/security';
import { UUID } from '../accept/identity.ts';
import { recordCorrection } from '../corrections/correct.ts';
import { candidateIris, type DeletionPorts, recordDeletion, recordRemoval } from '../deletion/delete-document.ts';
import {
  type Erasure,
  endErasure,
  eraseDocuments,
  type Forgettable,
  findForgettable,
  readUnfinishedErasure,
} from '../deletion/forget.ts';
import { labelsStatedIn } from '../document-rdf/stated.ts';
import type { CheckedEvent } from '../graph-projection/change-reader.ts';
import type { DatasetWriter } from '../graph-projection/dataset-writer.ts';
import { LeftoverCollector } from '../leftovers/collector.ts';
import { EVENT_TYPE, TOPIC } from '../pipeline/contract.ts';
import { createPresentedIndex } from '../presentation/presented-index.ts';
import { whenWritten } from '../projector/durability.ts';
import type { WaitOptions } from '../projector/position-waiters.ts';
import type { Projector } from '../projector/projector.ts';
import { reannotate } from '../reannotation/reannotate.ts';
import { type RebuildOptions, rebuild } from '../rebuild/rebuild.ts';
import type { RouteConfig } from '../routes/route.ts';
import { UploadQueue } from '../upload/queue.ts';
import { acceptUpload, type UploadOutcome } from '../upload/upload.ts';
import { createBreather } from '../work/breather.ts';
import { type Caches, createCaches, type DatasetCache, loadNames } from './caches.ts';
import type {
  CorrectionOutcome,
  ForgetOptions,
  Ingest,
  IngestFigures,
  LoadOutcome,
  LoadRequest,
  ReannotateRequest,
  RoutedUpload,
  UpdateOutcome,
  UpdateRequest,
} from './ingest.ts';
import type { IngestOptions } from './options.ts';
import { Pipeline, positionsOf, projectorOf } from './pipeline.ts';

/** Wires routes, stages and projectors over the ports. Nothing runs before {@link Ingest.start}. */
export function createIngest(options: IngestOptions): Ingest {
  checkObject(options, 'the options of ingest');
  checkPort(options.log, 'append', 'the log');
  checkPort(options.blobs, 'putContent', 'the blob store');
  checkPort(options.search, 'search', 'the search index');
  checkPort(options.extractor, 'extract', 'the extractor');
  checkPort(options.clock, 'sleep', 'the clock');
  checkList(options.datasets, 'the datasets');
  checkList(options.routes, 'the routes');
  if (options.entityDatasets !== undefined) checkArray(options.entityDatasets, 'the datasets of entities');
  checkFunction(options.nextId, 'nextId');
  // They are walked more than once, which not every iterable survives.
  const [datasets, routes] = [[...options.datasets], [...options.routes]];
  for (const one of datasets) {
    checkObject(one, 'a dataset with its options');
    checkPort(one.dataset, 'matchLabelled', 'a dataset');
    checkDefaultLabel(one.defaultLabel, 'the defaultLabel of a dataset');
  }
  for (const route of routes) {
    checkObject(route, 'a route');
    checkText(route.name, 'the name of a route');
    checkText(route.topic, 'the topic of a route');
  }
  for (const name of ['extractions', 'gatherMs'] as const) {
    if (options[name] !== undefined) checkBound(options[name], name);
  }
  return new WiredIngest({ ...options, datasets, routes });
}

/** How long a start waits for the names of datasets that replay. */
const NAMES_START_MS = 120_000;

class WiredIngest implements Ingest {
  readonly log: IngestOptions['log'];
  readonly routes: ReadonlyMap<string, RouteConfig>;
  readonly search: SearchIndex;
  readonly projectors: readonly Projector[];
  readonly #options: IngestOptions;
  readonly #caches: Caches;
  readonly #pipeline: Pipeline;
  readonly #queue: UploadQueue;
  readonly #leftovers: LeftoverCollector;
  #stopping = new AbortController();
  /** Ends when names are known and are looked for in texts. */
  #finding: Promise<void> | undefined;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.log = options.log;
    this.routes = new Map([...options.routes].map((route) => [route.name, route]));
    this.#caches = createCaches(options);
    this.#pipeline = new Pipeline(options, this.#caches);
    this.#queue = new UploadQueue(options.queue);
    const { log, blobs, clock, onDamage } = options;
    this.#leftovers = new LeftoverCollector({ log, blobs, clock, queue: this.#queue, onDamage });
    this.search = createPresentedIndex(this.#caches.search.port, (id) =>
      // The documents that a bare UUID may stand for.
      UUID.test(id) ? candidateIris(id, this.routes.values()) : [],
    );
    this.projectors = this.#pipeline.projectors;
  }

  dataset(name: string): GraphDataset | undefined {
    return this.#caches.datasets.get(name)?.slot.port;
  }

  async start(): Promise<void> {
    const { clock, onDamage } = this.#options;
    this.#stopping = new AbortController();
    await this.#leftovers.start();
    for (const projector of this.#pipeline.graphProjectors.values()) await projector.start();
    const { signal } = this.#stopping;
    const waited = new AbortController();
    const deadline = clock.sleep(NAMES_START_MS, AbortSignal.any([signal, waited.signal]));
    const named = this.#loadNames(signal);
    await Promise.race([named, deadline]);
    // Documents wait for corrections and texts for names, so those that others wait for start first.
    const { finder, searchProjectors, stages } = this.#pipeline;
    for (const projector of [...searchProjectors, ...stages, ...this.#all()])
      if (projector !== finder) await projector.start();
    const finding = named.then(() => (signal.aborted ? undefined : finder.start()));
    this.#finding = finding.catch((error: unknown) => onDamage?.('the names of entities', error));
    await Promise.race([finding, deadline]);
    waited.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finding;
    await Promise.all([this.#leftovers.stop(), ...this.#all().map((projector) => projector.stop())]);
  }

  async restartStages(): Promise<void> {
    // Until then one of them is not started.
    await this.#finding;
    if (this.#stopping.signal.aborted) return;
    for (const stage of this.#pipeline.stages) {
      await stage.stop({ restart: true });
      await stage.start();
    }
  }

  async upload(request: RoutedUpload): Promise<UploadOutcome> {
    checkObject(request, 'the upload');
    checkText(request.route, 'the route of an upload');
    const route = this.routes.get(request.route);
    if (route === undefined) throw unknown('ERR_NO_ROUTE', 'route', request.route);
    const { log, blobs, nextId, hash, documentDataset = 'knowledge' } = this.#options;
    const readsRdf = this.#pipeline.writers.has(documentDataset);
    return acceptUpload({ ...request, route }, { log, blobs, nextId, hash, readsRdf, queue: this.#queue });
  }

  async update(request: UpdateRequest): Promise<UpdateOutcome> {
    checkObject(request, 'the update');
    const { dataset, evaluate, headers, writer, ...waiting } = request;
    checkFunction(evaluate, 'what evaluates the update');
    if (writer !== undefined) checkViewer(writer);
    const eventId = this.#options.nextId();
    let changes: ChangeSet = { deletions: [], additions: [] };
    const position = await this.#writer(dataset).update(
      {
        evaluate: async (current) => {
          changes = await evaluate(current);
          checkObject(changes, 'what an update changes');
          checkArray(changes.additions, 'the additions of an update');
          checkArray(changes.deletions, 'the deletions of an update');
          await checkLabelsOfChanges(changes, { judge: judgeFor(writer) });
          return [{ changes, eventId, headers }];
        },
      },
      waiting,
    );
    const { additions, deletions, prefixes = [] } = changes;
    if (position !== undefined && additions.length + deletions.length + prefixes.length > 0) {
      await whenWritten(() => this.#entitiesReached(dataset, position, waiting));
    }
    const labels = new Set(additions.map(({ label }) => label));
    const isHidden = writer !== undefined && [...labels].some((label) => !writer.permits(label ?? NO_LABEL));
    return { changes, topic: dataset, position, isHidden };
  }

  async load(request: LoadRequest): Promise<LoadOutcome> {
    checkObject(request, 'the load');
    checkText(request.contentType, 'the media type');
    // An array is its caller's again after this call: what is checked must be what is appended.
    const { dataset, contentType, graph, baseIri, value: given, isHandedOver, label, headers, ...rest } = request;
    const value = isHandedOver ? given : toOwnSource(given);
    checkBlobSource(value);
    const { writer: viewer, mayBeLate = false, ...waiting } = rest;
    if (viewer !== undefined) checkViewer(viewer);
    const writer = this.#writer(dataset);
    const judge = judgeFor(viewer);
    if (label !== undefined) judge(label, 'the label');
    const stated: readonly (readonly [name: string, value: string | undefined])[] = [
      [HEADER.contentType, contentType],
      [HEADER.securityLabel, label],
      [HEADER.graph, graph],
      [HEADER.baseIri, baseIri],
    ];
    const event = createEvent({
      id: this.#options.nextId(),
      type: EVENT_TYPE.rdf,
      headers: stated.reduce(
        (all, [name, text]) => all.with(name, ...(text === undefined ? [] : [text])),
        createHeaders(headers),
      ),
      value: value instanceof Uint8Array ? value : new Uint8Array(0),
    });
    const { blobs } = this.#options;
    const { signal } = waiting;
    const held = value instanceof Uint8Array ? event : await attachValue(event, value, blobs, { signal });
    const cache = this.#caches.datasets.get(dataset);
    const { unlabelled, deletions, release } = await this.#check(held, cache, { contentType, judge, signal });
    try {
      if (viewer !== undefined && label === undefined && deletions > 0) throw blindDeletion();
      const [position] = await writer.append([held], signal);
      const isApplied = await whenWritten(() => this.#applied(dataset, position, waiting)).then(
        () => true,
        (error: unknown) => {
          if (mayBeLate && !(isCodedError(error) && error.code === 'ERR_DEAD_LETTER')) return false;
          throw error;
        },
      );
      const isHidden =
        viewer !== undefined && unlabelled > 0 && !viewer.permits(label ?? cache?.defaultLabel ?? NO_LABEL);
      return { topic: dataset, position, isHidden, isApplied };
    } finally {
      release();
    }
  }

  /** Reads RDF to its end before it is durable: once where that can be kept until it is applied, which then reads nothing. */
  async #check(event: Event, cache: DatasetCache | undefined, options: StatedBodyOptions): Promise<CheckedEvent> {
    const isHere = !event.headers.has(HEADER.valueBlob);
    const checked = isHere ? await cache?.changes.check(event, options) : undefined;
    if (checked !== undefined) return checked;
    const bytes = isHere ? event.value : await loadValue(event, this.#options.blobs);
    const { unlabelled, deletions } = await checkStatedLabels(bytes, { ...bodyPlaceOf(event), ...options });
    return { unlabelled, deletions, release: () => {} };
  }

  async correctEntity(
    viewer: Viewer,
    request: CorrectionRequest,
    options: WaitOptions = {},
  ): Promise<CorrectionOutcome> {
    checkViewer(viewer);
    checkObject(request, 'the correction');
    for (const name of CORRECTION_TEXTS) checkText(request[name], name);
    const { log, nextId, documentIndex = 'doc-content' } = this.#options;
    const index = this.#caches.search.port;
    const { signal = request.signal } = options;
    const position = await recordCorrection(viewer, request, { log, index, documentIndex, nextId, signal });
    const document = await whenWritten(async () => {
      await this.waitFor(TOPIC.corrections, position, options);
      return this.search.getDocument(viewer, request.documentUri, { indices: [documentIndex] });
    });
    if (document === undefined) throw unknown('ERR_NO_DOCUMENT', 'document', request.documentUri);
    return { document, position };
  }

  async deleteDocument(viewer: Viewer, id: string): Promise<{ uri: string }> {
    checkViewer(viewer);
    checkText(id, 'the id of a document');
    return recordDeletion(viewer, id, this.#deletionPorts());
  }

  rebuildSearch(fresh: SearchIndex, options: RebuildOptions = {}): Promise<SearchIndex> {
    const { projectors, seed } = this.#pipeline.search(fresh);
    return rebuild({
      ...{ ...options, fresh, seed, slot: this.#caches.search, clock: this.#options.clock },
      catchUp: projectors,
      running: this.#pipeline.searchProjectors,
    });
  }

  async rebuildDataset(fresh: GraphDataset, options: RebuildOptions = {}): Promise<GraphDataset> {
    const cache = this.#caches.datasets.get(fresh.name);
    if (cache === undefined) throw unknown('ERR_NO_DATASET', 'dataset', fresh.name);
    return rebuild({
      ...{ ...options, fresh, slot: cache.slot, clock: this.#options.clock },
      catchUp: [this.#pipeline.graphProjector(fresh.name, fresh)],
      running: [projectorOf(this.#pipeline.graphProjectors, fresh.name)],
    });
  }

  async findForgettable(ids: readonly string[]): Promise<Forgettable[]> {
    checkArray(ids, 'the ids of documents');
    for (const id of ids) checkText(id, 'the id of a document');
    const candidates = ids.map((id) => candidateIris(id, this.routes.values()));
    const found = await findForgettable(new Set(candidates.flat()), this.#options);
    const missing = ids.filter((_, index) => !found.some(({ uri }) => candidates[index].includes(uri)));
    if (missing.length > 0) {
      const named = missing.map((id) => JSON.stringify(id)).join(', ');
      const message = `the log holds no document ${named}; nothing was erased`;
      throw new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message });
    }
    return found;
  }

  async forget(id: string | readonly string[], options: ForgetOptions = {}): Promise<Erasure> {
    const { log, blobs } = this.#options;
    const found = await this.findForgettable(typeof id === 'string' ? [id] : id);
    for (const { uri } of found) await recordRemoval(uri, this.#deletionPorts());
    await whenWritten(() => this.settle(options), REMOVED);
    return eraseDocuments(new Set(found.map(({ uri }) => uri)), { log, blobs, eraseValues: options.eraseValues });
  }

  endForgetting(uris: readonly string[]): Promise<void> {
    checkArray(uris, 'the documents that were forgotten');
    return endErasure(uris, this.#options.blobs);
  }

  async unfinishedForgetting(): Promise<readonly string[]> {
    return (await readUnfinishedErasure(this.#options.blobs)).uris;
  }

  collectUploads(): Promise<number> {
    return this.#leftovers.collect();
  }

  reannotate(options: ReannotateRequest = {}): Promise<number> {
    const { log, blobs, clock } = this.#options;
    const names = (): Record<string, Position> => positionsOf(this.#pipeline.entityProjectors);
    const { gazetteer } = this.#caches;
    return reannotate({ ...options, log, blobs, gazetteer, names, pause: createBreather(clock) });
  }

  async settle(options: WaitOptions = {}): Promise<void> {
    for (const projector of this.#all()) await projector.waitForEnd(options);
    // What the last of them append flows through the others once more, and then changes no names.
    if (this.#pipeline.reannotators.length > 0) for (const each of this.#all()) await each.waitForEnd(options);
  }

  async waitFor(topic: string, position: Position, options: WaitOptions = {}): Promise<void> {
    const followers = this.projectors.filter((projector) => projector.topic === topic);
    await Promise.all(followers.map((projector) => projector.waitFor(position, options)));
  }

  async figures(): Promise<IngestFigures> {
    const projectors = await Promise.all(this.#all().map((projector) => projector.figures()));
    return { projectors, uploads: this.#queue.uploads, names: this.#caches.gazetteer.size };
  }

  /** A dataset that lost its snapshot replays; until it is where the index was, names would be missing. */
  async #loadNames(signal: AbortSignal): Promise<void> {
    const positions = this.#caches.search.port.positions();
    for (const [name, projector] of this.#pipeline.graphProjectors) {
      const position = positions[name];
      const waiting = { timeoutMs: 2 ** 31 - 1, signal };
      if (position !== undefined) await projector.waitFor(position, waiting).catch(() => {});
    }
    if (!signal.aborted) await loadNames(this.#caches);
  }

  #all(): readonly Projector[] {
    return [...this.projectors, ...this.#pipeline.reannotators];
  }

  #deletionPorts(): DeletionPorts {
    const { log, nextId, documentIndex = 'doc-content', documentDataset = 'knowledge' } = this.#options;
    return {
      ...{ log, nextId, documentIndex },
      routes: [...this.routes.values()],
      index: this.#caches.search.port,
      dataset: this.dataset(documentDataset),
      labelsStatedIn: async (uri) => {
        const changesOf = this.#caches.datasets.get(documentDataset)?.changesOf;
        return changesOf === undefined ? [] : labelsStatedIn(uri, { log, topic: documentDataset, changesOf });
      },
    };
  }

  #writer(dataset: string): DatasetWriter {
    const writer = this.#pipeline.writers.get(dataset);
    if (writer === undefined) throw unknown('ERR_NO_DATASET', 'dataset', dataset);
    return writer;
  }

  async #applied(dataset: string, position: Position, waiting: WaitOptions): Promise<void> {
    await projectorOf(this.#pipeline.graphProjectors, dataset).waitFor(position, waiting);
    await this.#entitiesReached(dataset, position, waiting);
  }

  async #entitiesReached(dataset: string, position: Position, waiting: WaitOptions): Promise<void> {
    await this.#pipeline.entityProjectors.get(dataset)?.waitFor(position, waiting);
  }
}

const CORRECTION_TEXTS = [
  'documentUri',
  'entityText',
  'entityCategory',
  'resolvedEntityUri',
  'resolvedCategory',
] as const;

/** State of documents when their removal was not awaited to its end. */
const REMOVED = 'their removal is durable and will be applied, but nothing was erased yet: forget them again';

/** Denies everybody: what is written where no label is known. */
const NO_LABEL = '!';

function blindDeletion(): CodedError {
  const message = 'an RDF patch that takes away needs a label: without one it takes away what its sender may not see';
  return new CodedError({ code: 'ERR_SECURITY_LABEL', kind: 'invalid', message });
}

/** Checks labels that a writer states; an operator without one. */
function judgeFor(writer: Viewer | undefined): JudgeLabel {
  return (label, where) => checkStatedLabel(label, { where, writer });
}

function unknown(code: `ERR_${string}`, what: string, name: string): CodedError {
  return new CodedError({ code, kind: 'not-found', message: `there is no ${what} ${JSON.stringify(name)}` });
}
