import { CodedError } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import { correctEntity } from '../correction/correct-entity.ts';
import { ScorerBuilder } from '../execution/scorer-builder.ts';
import type { Match } from '../execution/top-documents.ts';
import { indexFingerprint } from '../persistence/fingerprint.ts';
import type { SegmentStore } from '../persistence/segment-store.ts';
import { compileQuery } from '../plan/compiler.ts';
import type { Plan } from '../plan/plan.ts';
import { toQuery } from '../plan/request-query.ts';
import { compileTypeahead } from '../plan/typeahead.ts';
import { type Pause, WorkBudget } from '../plan/work-budget.ts';
import type {
  CorrectedDocument,
  CorrectionRequest,
  DocumentChange,
  DocumentRequest,
  ExplainRequest,
  Explanation,
  FacetRequest,
  FacetResults,
  JsonObject,
  QueryType,
  ReadOperation,
  SearchDocument,
  SearchFilters,
  SearchIndex,
  SearchRequest,
  SearchResult,
  SearchResults,
  StatesRequest,
  TopicPositions,
  TypeaheadRequest,
} from '../port/search-index.ts';
import { presentDocument, redactForViewer } from '../results/documents.ts';
import { countFacet, toFacetPath } from '../results/facets.ts';
import type { Highlighter } from '../results/highlight.ts';
import { checkWhole, type Page, toPage } from '../results/paging.ts';
import { parseSortOrder } from '../results/sort-order.ts';
import type { Segment } from '../segment/segment.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { toHighlighters, toRecord, toResults } from './answers.ts';
import { readBatch } from './batch.ts';
import { type DocumentPlace, findDocument } from './documents.ts';
import { type IndexStatistics, measureIndex } from './index-statistics.ts';
import type { IndexStore } from './index-store.ts';
import { Maintenance } from './maintenance.ts';
import { collectMatches, type IndexView, openViews, prepareSearch, toFilterPlans, withFilters } from './operation.ts';
import { compileStates } from './states.ts';

/** What an engine is handed from outside. */
export interface EngineEnvironment {
  /** A clock in milliseconds, for time limits and pauses only. */
  readonly now: () => number;
  readonly pause: Pause;
  /** Where segments are stored; without it in memory only. */
  readonly segments?: SegmentStore;
}

/** What {@link SearchEngine.searchIds} finds. */
export interface SearchedIds {
  readonly maybeMore: boolean;
  readonly results: readonly { readonly id: string; readonly score: number }[];
}

/** How long a batch is built before other work may run, in milliseconds. */
const BUILD_SLICE_MS = 4;
/** Most states of one entity that are returned. */
const MAX_STATES = 10_000;
const DEFAULT_SAMPLE = 1000;
const MAX_SAMPLE = 5000;

/** The search engine over segments in memory. */
export class SearchEngine implements SearchIndex {
  private readonly stores: ReadonlyMap<string, IndexStore>;
  private readonly environment: EngineEnvironment;
  private readonly maintenance: Maintenance;
  private applied: TopicPositions;
  private queue: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(stores: ReadonlyMap<string, IndexStore>, environment: EngineEnvironment, positions: TopicPositions = {}) {
    this.stores = stores;
    this.environment = environment;
    this.maintenance = new Maintenance(environment.now, environment.pause);
    this.applied = positions;
  }

  get indices(): readonly string[] {
    return [...this.stores.keys()];
  }

  apply(changes: readonly DocumentChange[], positions: TopicPositions = {}): Promise<void> {
    return this.enqueue(async () => {
      const batch = await this.runInSlices(readBatch(changes, this.stores));
      const built: { store: IndexStore; removals: ReadonlySet<string>; added: Segment | undefined }[] = [];
      for (const [store, { puts, removals }] of batch) {
        built.push({ store, removals, added: await this.runInSlices(store.build(puts.values())) });
      }
      for (const { store, removals, added } of built) store.install(removals, added);
      this.applied = { ...this.applied, ...positions };
      for (const { store } of built) this.maintenance.afterChange(store);
    });
  }

  async search(viewer: Viewer, request: SearchRequest): Promise<SearchResults> {
    const page = toPage(request);
    const type = request.type ?? 'query';
    const run = await this.runQuery(viewer, request, request.query, type, page.offset + page.limit);
    const highlighters = toHighlighters(run.plans, request.highlight ?? false);
    const results = this.present(run.matches, page, viewer, request.showSecurityLabels ?? false, highlighters);
    return toResults(run.matches, page, request.query, type, results);
  }

  /** Ids and scores of a search, without reading any document. */
  async searchIds(viewer: Viewer, request: SearchRequest): Promise<SearchedIds> {
    const { limit, offset } = toPage(request);
    const { matches } = await this.runQuery(viewer, request, request.query, request.type ?? 'query', offset + limit);
    const results = matches.slice(offset - 1, offset - 1 + limit).map(({ view, document, score }) => {
      return { id: view.segment.ids.term(document), score };
    });
    return { maybeMore: matches.length >= offset + limit, results };
  }

  async typeahead(viewer: Viewer, request: TypeaheadRequest): Promise<SearchResults> {
    const page = toPage(request);
    const { views, budget } = this.open(viewer, request);
    const plans = views.map(({ store, views: own }) => {
      return compileTypeahead({ mapping: store.mapping, views: own, budget, text: request.query }, request.fields);
    });
    const matches = await this.runPlans(views, plans, request, page.offset + page.limit, budget);
    const results = this.present(matches, page, viewer, request.showSecurityLabels ?? false, new Map());
    return toResults(matches, page, request.query, 'phrase', results);
  }

  async facets(viewer: Viewer, request: FacetRequest): Promise<FacetResults> {
    const sampleSize = request.sampleSize ?? DEFAULT_SAMPLE;
    checkWhole('sampleSize', sampleSize, 1, MAX_SAMPLE);
    const type = request.type ?? 'query';
    const { matches } = await this.runQuery(viewer, request, request.query, type, sampleSize);
    const present = (match: Match): JsonObject | undefined => this.presentMatch(match, viewer, false);
    const results = countFacet(matches, toFacetPath(request.facet), present);
    return { query: request.query, type, sampleSize: matches.length, results };
  }

  async states(viewer: Viewer, request: StatesRequest): Promise<Readonly<Record<string, SearchResults | null>>> {
    const order = parseSortOrder(request.sort ?? 'score');
    const { budget } = this.open(viewer, request);
    const entries: [string, SearchResults | null][] = [];
    for (const id of new Set(request.ids)) {
      // Anew for each: the search before may have paused, and a batch come between.
      const views = openViews(this.stores, request.indices, viewer);
      const plans = views.map(() => compileStates(id));
      const matches = await this.runPlans(views, plans, request, MAX_STATES + 1, budget);
      const page = { limit: MAX_STATES, offset: 1 };
      const results = this.present(matches, page, viewer, request.showSecurityLabels ?? false, new Map());
      const sorted = [...results].sort(order);
      entries.push([id, sorted.length === 0 ? null : toResults(matches, page, id, 'query', sorted)]);
    }
    return toRecord(entries);
  }

  async getDocument(viewer: Viewer, id: string, request: DocumentRequest = {}): Promise<JsonObject | undefined> {
    const { views } = this.open(viewer, request);
    return this.lookUp(views, viewer, id, request.showSecurityLabels ?? false)?.document;
  }

  async getDocuments(
    viewer: Viewer,
    ids: readonly string[],
    request: DocumentRequest = {},
  ): Promise<Readonly<Record<string, JsonObject | null>>> {
    const { views, budget } = this.open(viewer, request);
    const entries: [string, JsonObject | null][] = [];
    for (const id of new Set(ids)) {
      budget.tick();
      entries.push([id, this.lookUp(views, viewer, id, request.showSecurityLabels ?? false)?.document ?? null]);
    }
    return toRecord(entries);
  }

  async correctEntity(viewer: Viewer, request: CorrectionRequest): Promise<CorrectedDocument | undefined> {
    const { views } = this.open(viewer, request);
    const found = this.lookUp(views, viewer, request.documentUri, false);
    if (found === undefined) return undefined;
    const { store, place } = found;
    const stored = readStoredDocument(place.state.segment.stored, place.document);
    const { defaultLabel } = store.mapping;
    const corrected = correctEntity(stored, request, {
      viewer,
      ...(defaultLabel === undefined ? {} : { defaultLabel }),
    });
    if (corrected === undefined) return undefined;
    const visible = redactForViewer(corrected, { viewer, showSecurityLabels: false }, defaultLabel);
    const change: DocumentChange = { type: 'put', index: store.mapping.name, document: corrected as SearchDocument };
    return visible === undefined ? undefined : { change, document: visible };
  }

  async explain(viewer: Viewer, request: ExplainRequest): Promise<Explanation | undefined> {
    const { views, budget } = this.open(viewer, request);
    const plans = this.compile(views, request, request.query, request.type ?? 'query', budget);
    const found = this.lookUp(views, viewer, request.id, false);
    if (found === undefined) return undefined;
    const indexPlans = views.map(({ views: own }, i) => ({ plan: plans[i]!, views: own }));
    const prepared = prepareSearch(indexPlans, [], budget);
    const at = views.findIndex(({ store }) => store === found.store);
    const view = views[at]!.views.find(({ state }) => state === found.place.state)!;
    const plan = withFilters(plans[at]!, toFilterPlans(request));
    const scorer = new ScorerBuilder(view, prepared.statistics, budget).build(plan);
    const { document } = found.place;
    return scorer?.advance(document) === document ? scorer.explain() : undefined;
  }

  positions(): TopicPositions {
    return this.applied;
  }

  flush(): Promise<void> {
    return this.enqueue(async () => {
      const indices = [...this.stores.values()].map(({ mapping, states }) => {
        return { name: mapping.name, fingerprint: indexFingerprint(mapping), states };
      });
      await this.environment.segments?.save(this.applied, indices);
    });
  }

  /** Merges every index into one segment: the fastest form to search. Searches go on meanwhile. */
  compact(): Promise<void> {
    return this.enqueue(async () => {
      for (const store of this.stores.values()) {
        await this.maintenance.compact(store);
        for (const analyzer of store.mapping.analyzers) analyzer.forget();
      }
    });
  }

  /** Resolves when background merges are done. */
  async settle(): Promise<void> {
    await this.queue;
    await this.maintenance.settle(this.stores.values());
  }

  /** Sizes of every index, for operators: they count what no single viewer may see. */
  statistics(): IndexStatistics[] {
    return [...this.stores.values()].map(measureIndex);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.queue;
    await this.maintenance.stop();
  }

  /** Runs changes one after the other. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.checkOpen();
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async runInSlices<T>(work: Generator<void, T>): Promise<T> {
    const { now, pause } = this.environment;
    let started = now();
    let step = work.next();
    while (!step.done) {
      if (now() - started > BUILD_SLICE_MS) {
        await pause();
        started = now();
      }
      step = work.next();
    }
    return step.value;
  }

  private open(viewer: Viewer, operation: ReadOperation): { views: IndexView[]; budget: WorkBudget } {
    this.checkOpen();
    const budget = new WorkBudget(operation, this.environment.now, this.environment.pause);
    budget.checkTime();
    return { views: openViews(this.stores, operation.indices, viewer), budget };
  }

  private compile(
    views: readonly IndexView[],
    _filters: SearchFilters,
    text: string,
    type: QueryType,
    budget: WorkBudget,
  ): Plan[] {
    const query = toQuery(text, type);
    return views.map(({ store, views: own }) =>
      compileQuery(query, { mapping: store.mapping, views: own, budget, text }),
    );
  }

  private async runQuery(
    viewer: Viewer,
    request: ReadOperation & SearchFilters,
    text: string,
    type: QueryType,
    limit: number,
  ): Promise<{ matches: Match[]; plans: readonly { view: IndexView; plan: Plan }[] }> {
    const { views, budget } = this.open(viewer, request);
    const plans = this.compile(views, request, text, type, budget);
    const matches = await this.runPlans(views, plans, request, limit, budget);
    return { matches, plans: views.map((view, i) => ({ view, plan: plans[i]! })) };
  }

  private runPlans(
    views: readonly IndexView[],
    plans: readonly Plan[],
    filters: SearchFilters,
    limit: number,
    budget: WorkBudget,
  ): Promise<Match[]> {
    const indexPlans = views.map(({ views: own }, i) => ({ plan: plans[i]!, views: own }));
    return collectMatches(prepareSearch(indexPlans, toFilterPlans(filters), budget), limit, budget);
  }

  private present(
    matches: readonly Match[],
    { limit, offset }: Page,
    viewer: Viewer,
    showSecurityLabels: boolean,
    highlighters: ReadonlyMap<string, Highlighter>,
  ): SearchResult[] {
    return matches.slice(offset - 1, offset - 1 + limit).map((match): SearchResult => {
      const document = this.presentMatch(match, viewer, showSecurityLabels)!;
      const { segment } = match.view;
      const highlighted = highlighters.get(segment.index)?.highlight(document);
      const result = { id: segment.ids.term(match.document), score: match.score, document };
      return highlighted === undefined ? result : { ...result, highlighted };
    });
  }

  private presentMatch({ view, document }: Match, viewer: Viewer, showSecurityLabels: boolean): JsonObject | undefined {
    const { defaultLabel } = this.stores.get(view.segment.index)!.mapping;
    return presentDocument(view, document, { viewer, showSecurityLabels }, defaultLabel);
  }

  /** The first visible document of an id, in the order of the indices. */
  private lookUp(
    views: readonly IndexView[],
    viewer: Viewer,
    id: string,
    showSecurityLabels: boolean,
  ): { store: IndexStore; place: DocumentPlace; document: JsonObject } | undefined {
    for (const { store } of views) {
      const place = findDocument(store.states, id);
      if (place === undefined) continue;
      const { defaultLabel } = store.mapping;
      const document = presentDocument(place.state, place.document, { viewer, showSecurityLabels }, defaultLabel);
      if (document !== undefined) return { store, place, document };
    }
    return undefined;
  }

  private checkOpen(): void {
    if (!this.isClosed) return;
    throw new CodedError({
      code: 'ERR_INDEX_CLOSED',
      kind: 'unavailable',
      retryable: false,
      message: 'the search index is closed',
    });
  }
}
