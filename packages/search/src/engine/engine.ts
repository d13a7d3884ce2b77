import { CodedError } from '@cairn/errors';
import { runInSlices, type TopicPositions, type Turns } from '@cairn/events';
import type { JsonObject, Viewer } from '@cairn/security';
import { getAnalyzer } from '../analysis/analyzer.ts';
import { correctEntity } from '../correction/correct-entity.ts';
import { ScorerBuilder } from '../execution/scorer-builder.ts';
import type { SegmentStore } from '../persistence/segment-store.ts';
import { compileTypeahead } from '../plan/typeahead.ts';
import { WorkBudget } from '../plan/work-budget.ts';
import {
  checkFuzziness,
  checkObject,
  checkQuerying,
  checkQueryText,
  checkReading,
  checkText,
  checkTexts,
  checkWhole,
  type Querying,
  refuseArgument,
  toPage,
} from '../port/arguments.ts';
import { takeRequest } from '../port/request.ts';
import type {
  CorrectedDocument,
  CorrectionRequest,
  DocumentChange,
  DocumentRequest,
  ExplainRequest,
  Explanation,
  FacetRequest,
  FacetResults,
  ReadOperation,
  SearchDocument,
  SearchFilters,
  SearchIndex,
  SearchRequest,
  SearchResults,
  StatesRequest,
  TypeaheadRequest,
} from '../port/search-index.ts';
import { countFacet, toFacetPath } from '../results/facets.ts';
import { parseSortOrder } from '../results/sort-order.ts';
import type { SegmentState } from '../segment/segment-state.ts';
import { answerSearch, readSearch } from './answer-search.ts';
import { readBatch } from './batch.ts';
import { readFeedback, withFeedback } from './feedback.ts';
import { type IndexStatistics, measureIndex } from './index-statistics.ts';
import type { IndexStore } from './index-store.ts';
import { Maintenance } from './maintenance.ts';
import {
  compileStates,
  type IndexView,
  openViews,
  type PlanIndex,
  type PlannedSearch,
  planSearch,
  runSearch,
  withFilters,
} from './operation.ts';
import { lookUp, lookUpAll, presentMatch, presentPage, redactForViewer, type Showing, toResults } from './presented.ts';
import { createQueryPlanner } from './query-planner.ts';
import type { RebuildReport } from './rebuild.ts';
import type { PreparedRemoval } from './removals.ts';

export interface EngineEnvironment {
  readonly turns: Turns;
  /** Where segments are stored; without it in memory only. */
  readonly segments?: SegmentStore;
  /** Indices whose outdated segments are to be built anew in the background. */
  readonly outdated?: { readonly stores: readonly IndexStore[]; readonly report: RebuildReport };
  /** Is told when work in the background has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** Result of {@link SearchEngine.searchIds}. */
export interface SearchedIds {
  readonly maybeMore: boolean;
  readonly results: readonly { readonly id: string; readonly score: number }[];
}

/** Changes of a batch to one index, ready to be installed. */
interface BuiltChanges {
  readonly store: IndexStore;
  removals: readonly PreparedRemoval[];
  readonly added: readonly SegmentState[];
}

/** Most states of one entity that are returned. */
const MAX_STATES = 10_000;
const DEFAULT_SAMPLE = 1000;
const MAX_SAMPLE = 5000;
const CORRECTION = ['documentUri', 'entityText', 'entityCategory', 'resolvedEntityUri', 'resolvedCategory'] as const;

/** The search engine over segments in memory. */
export class SearchEngine implements SearchIndex {
  /**
   * Names of indices that were added when others had consumed events already, so that they lack those: until the whole
   * is built anew elsewhere, as one index cannot be filled without moving the positions of all.
   */
  readonly incomplete: readonly string[];
  readonly #stores: ReadonlyMap<string, IndexStore>;
  readonly #environment: EngineEnvironment;
  readonly #maintenance: Maintenance;
  #applied: TopicPositions;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(
    stores: ReadonlyMap<string, IndexStore>,
    environment: EngineEnvironment,
    positions: TopicPositions = {},
    incomplete: readonly string[] = [],
  ) {
    const { turns, outdated, onFailure } = environment;
    this.#stores = stores;
    this.#environment = environment;
    this.incomplete = Object.freeze([...incomplete]);
    this.#maintenance = new Maintenance(turns, onFailure);
    if (outdated) for (const store of outdated.stores) this.#maintenance.rebuild(store, outdated.report);
    this.#applied = positions;
  }

  get indices(): readonly string[] {
    return [...this.#stores.keys()];
  }

  async apply(changes: readonly DocumentChange[], positions: TopicPositions = {}): Promise<void> {
    this.#checkOpen();
    const reached = readPositions(positions);
    // The first slice of it runs in this call: later changes of what was passed must not matter.
    const reading = this.#run(readBatch(changes, this.#stores));
    // It is awaited in its turn, which may be after it has failed.
    reading.catch(() => undefined);
    return this.#enqueue(async () => {
      const batch = await reading;
      const built: BuiltChanges[] = [];
      for (const [store, { puts, removals }] of batch) {
        const added = await this.#run(store.build(puts.values()));
        built.push({ store, removals: await this.#run(store.prepareRemovals(removals)), added });
      }
      const findMoved = (): BuiltChanges | undefined =>
        built.find(({ store, removals }) => store.findMoved(removals).length > 0);
      // A merge may come in between; what it moved is prepared anew in slices, too.
      for (let moved = findMoved(); moved !== undefined; moved = findMoved()) {
        moved.removals = await this.#run(moved.store.renewRemovals(moved.removals));
      }
      for (const { store, removals, added } of built) store.install(removals, added);
      this.#applied = { ...this.#applied, ...reached };
      for (const { store } of built) this.#maintenance.afterChange(store);
    });
  }

  async search(viewer: Viewer, given: SearchRequest): Promise<SearchResults> {
    const request = takeRequest(given);
    checkQuerying(viewer, request);
    checkHighlight(request.highlight);
    const asked = readSearch(request, this.indices);
    const planned = await this.#planQuery(viewer, request);
    return answerSearch(planned, request, asked, this.#showing(viewer, request.showSecurityLabels));
  }

  /** Ids and scores of a search, without reading any document. */
  async searchIds(viewer: Viewer, given: SearchRequest): Promise<SearchedIds> {
    const request = takeRequest(given);
    checkQuerying(viewer, request);
    const { limit, offset } = toPage(request);
    const planned = await this.#planQuery(viewer, request);
    const matches = (await runSearch(planned, offset + limit)).toSorted();
    const results = matches.slice(offset - 1, offset - 1 + limit).map(({ view, document, score }) => {
      return { id: view.segment.ids.term(document), score };
    });
    return { maybeMore: matches.length >= offset + limit, results };
  }

  async typeahead(viewer: Viewer, given: TypeaheadRequest): Promise<SearchResults> {
    const request = takeRequest(given);
    checkReading(viewer, request);
    checkQueryText(request.query);
    checkFuzziness(request.fuzziness);
    if (request.fields !== undefined) checkTexts('fields', request.fields);
    const page = toPage(request);
    const { query: text, fields, fuzziness = 0 } = request;
    const planned = await this.#plan(viewer, request, ({ store: { mapping }, views }, budget) => {
      const { defaultSelection } = mapping;
      return compileTypeahead({ mapping, views, budget, defaultSelection, text, fuzziness }, fields);
    });
    const matches = (await runSearch(planned, page.offset + page.limit)).toSorted();
    const showing = this.#showing(viewer, request.showSecurityLabels);
    const results = await planned.budget.run(presentPage(matches, page, showing));
    return toResults(matches, page, text, 'phrase', results);
  }

  async facets(viewer: Viewer, given: FacetRequest): Promise<FacetResults> {
    const request = takeRequest(given);
    checkQuerying(viewer, request);
    checkText('facet', request.facet);
    const sampleSize = request.sampleSize ?? DEFAULT_SAMPLE;
    checkWhole('sampleSize', sampleSize, 1, MAX_SAMPLE);
    const planned = await this.#planQuery(viewer, request);
    const sample = (await runSearch(planned, sampleSize)).toMatches();
    const showing = this.#showing(viewer);
    const counting = countFacet(sample, toFacetPath(request.facet), (match) => presentMatch(match, showing));
    const results = await planned.budget.run(counting);
    return { query: request.query, type: request.type ?? 'query', sampleSize: sample.length, results };
  }

  async states(viewer: Viewer, given: StatesRequest): Promise<Readonly<Record<string, SearchResults | null>>> {
    const request = takeRequest(given);
    checkReading(viewer, request);
    checkTexts('ids', request.ids);
    if (request.sort !== undefined) checkText('sort', request.sort);
    const order = parseSortOrder(request.sort ?? 'score');
    const page = { limit: MAX_STATES, offset: 1 };
    const showing = this.#showing(viewer, request.showSecurityLabels);
    const { budget } = this.#open(viewer, request);
    const entries: [string, SearchResults | null][] = [];
    for (const id of new Set(request.ids)) {
      // Anew for each: the search before may have paused, and a batch come between.
      const planned = await this.#plan(viewer, request, () => compileStates(id), budget);
      const matches = (await runSearch(planned, MAX_STATES + 1)).toSorted();
      const sorted = (await budget.run(presentPage(matches, page, showing))).sort(order);
      entries.push([id, sorted.length === 0 ? null : toResults(matches, page, id, 'query', sorted)]);
    }
    return Object.fromEntries(entries);
  }

  async getDocument(viewer: Viewer, id: string, request: DocumentRequest = {}): Promise<JsonObject | undefined> {
    // Nothing is awaited: the request cannot change meanwhile.
    checkReading(viewer, request);
    checkText('id', id);
    const { views } = this.#open(viewer, request);
    return lookUp(views, id, this.#showing(viewer, request.showSecurityLabels))?.document;
  }

  async getDocuments(
    viewer: Viewer,
    ids: readonly string[],
    given: DocumentRequest = {},
  ): Promise<Readonly<Record<string, JsonObject | null>>> {
    const request = takeRequest(given);
    checkReading(viewer, request);
    checkTexts('ids', ids);
    const { views, budget } = this.#open(viewer, request);
    const showing = this.#showing(viewer, request.showSecurityLabels);
    return Object.fromEntries(await budget.run(lookUpAll(views, new Set(ids), showing)));
  }

  async correctEntity(viewer: Viewer, given: CorrectionRequest): Promise<CorrectedDocument | undefined> {
    const request = takeRequest(given);
    checkReading(viewer, request);
    for (const name of CORRECTION) checkText(name, request[name]);
    const { views } = this.#open(viewer, request);
    const found = lookUp(views, request.documentUri, this.#showing(viewer));
    if (found === undefined) return undefined;
    const { defaultLabel, name: index } = found.view.store.mapping;
    const corrected = correctEntity(found.stored, request, viewer, defaultLabel);
    if (corrected === undefined) return undefined;
    const visible = redactForViewer(corrected, { viewer, showSecurityLabels: false }, defaultLabel);
    const change: DocumentChange = { type: 'put', index, document: corrected as SearchDocument };
    return visible === undefined ? undefined : { change, document: visible };
  }

  async explain(viewer: Viewer, given: ExplainRequest): Promise<Explanation | undefined> {
    const request = takeRequest(given);
    checkQuerying(viewer, request);
    checkText('id', request.id);
    const { views, plans, filters, statistics, budget } = await this.#planQuery(viewer, request);
    const found = lookUp(views, request.id, this.#showing(viewer));
    if (found === undefined) return undefined;
    const { document, state } = found.place;
    const view = found.view.views.find((candidate) => candidate.state === state);
    if (view === undefined) return undefined;
    const plan = withFilters(plans[views.indexOf(found.view)], filters);
    const scorer = await budget.run(new ScorerBuilder(view, statistics, budget).build(plan));
    return scorer?.advance(document) === document && scorer.matches ? scorer.explain() : undefined;
  }

  positions(): TopicPositions {
    return { ...this.#applied };
  }

  flush(): Promise<void> {
    return this.#enqueue(async () => {
      const indices = [...this.#stores.values()].map(({ mapping, fingerprint, states }) => {
        return { name: mapping.name, fingerprint, states };
      });
      const { incomplete } = this;
      const positions = this.#applied;
      await this.#environment.segments?.save({ positions, indices, incomplete });
    });
  }

  /** Merges every index into one segment: the fastest form to search. Searches go on meanwhile. */
  compact(): Promise<void> {
    return this.#enqueue(async () => {
      for (const store of this.#stores.values()) {
        await this.#maintenance.compact(store);
        for (const analyzer of store.mapping.analyzers) analyzer.forget();
      }
      getAnalyzer('simple').forget();
    });
  }

  /**
   * Writes the segments anew that hold deleted documents, so that neither memory nor, after `flush`, storage holds a byte
   * of those. Searches go on meanwhile; changes wait. Cost: O(segments with deletions), in slices.
   */
  purge(): Promise<void> {
    return this.#enqueue(async () => {
      for (const store of this.#stores.values()) await this.#maintenance.purge(store);
    });
  }

  /** Resolves when background merges and rebuilds are done. Rejects when one has failed since the last call. */
  async settle(): Promise<void> {
    await this.#queue;
    await this.#maintenance.settle(this.#stores.values());
  }

  /** Sizes of every index, for operators: they count what no single viewer may see. */
  statistics(): IndexStatistics[] {
    return [...this.#stores.values()].map(measureIndex);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue;
    await this.#maintenance.stop();
  }

  async #run<Result>(work: Generator<void, Result>): Promise<Result> {
    return runInSlices(work, this.#environment.turns);
  }

  /** Runs changes one after the other. */
  async #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #open(viewer: Viewer, operation: ReadOperation): { views: IndexView[]; budget: WorkBudget } {
    this.#checkOpen();
    const budget = new WorkBudget(operation, this.#environment.turns);
    budget.check();
    return { views: openViews(this.#stores, operation.indices, viewer), budget };
  }

  async #plan(
    viewer: Viewer,
    request: ReadOperation & SearchFilters,
    planIndex: PlanIndex,
    budget: WorkBudget = this.#open(viewer, request).budget,
  ): Promise<PlannedSearch> {
    this.#checkOpen();
    return planSearch(this.#stores, viewer, request, planIndex, budget);
  }

  async #planQuery(viewer: Viewer, request: Querying): Promise<PlannedSearch> {
    const feedback = request.feedback && readFeedback(request.feedback);
    const showing = this.#showing(viewer);
    const planned = await this.#plan(viewer, request, createQueryPlanner(request, showing));
    return feedback === undefined ? planned : withFeedback(planned, request, feedback, showing);
  }

  #showing(viewer: Viewer, showSecurityLabels = false): Showing {
    return { stores: this.#stores, viewer, showSecurityLabels };
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    const message = 'the search index is closed';
    throw new CodedError({ code: 'ERR_INDEX_CLOSED', kind: 'unavailable', retryable: false, message });
  }
}

/** A copy of positions, each read once. */
function readPositions(positions: TopicPositions): TopicPositions {
  checkObject('positions', positions);
  const reached = { ...positions };
  for (const [topic, position] of Object.entries(reached)) checkText(`the position of ${topic}`, position);
  return reached;
}

function checkHighlight(highlight: unknown): void {
  if (highlight === undefined || typeof highlight === 'boolean') return;
  if (typeof highlight !== 'object' || highlight === null)
    refuseArgument('highlight', 'a boolean or an object', highlight);
  for (const [name, tag] of Object.entries(highlight as object)) {
    if (tag !== undefined) checkText(`highlight.${name}`, tag);
  }
}
