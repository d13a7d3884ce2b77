import { CodedError } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import { collectSegment } from '../execution/collector.ts';
import type { MatchVisitor } from '../execution/match-visitor.ts';
import { compileTest } from '../execution/range-set.ts';
import { ScorerBuilder } from '../execution/scorer-builder.ts';
import { type DocumentTest, type RankedPlace, TopDocuments } from '../execution/top-documents.ts';
import { compileFieldNames, EVERY_FIELD, type FieldSelection } from '../mapping/field-selection.ts';
import { toKeywordTerm } from '../mapping/value.ts';
import { recallOf } from '../memory/recall.ts';
import { anyOf } from '../plan/compiler.ts';
import type { Plan } from '../plan/plan.ts';
import { toRangeSpans } from '../plan/range-spans.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import type { RangeFilter, ReadOperation, SearchFilters, TypeFilter, TypeFilterMode } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import { collectStatistics, type Statistics } from '../scoring/statistics.ts';
import { VALUE_SPACES } from '../segment/segment.ts';
import type { SegmentState } from '../segment/segment-state.ts';
import { type SegmentView, viewSegment } from '../segment/segment-view.ts';
import type { IndexStore } from './index-store.ts';

export interface IndexView {
  readonly store: IndexStore;
  /** The segments as they were when it was opened. */
  readonly states: readonly SegmentState[];
  readonly views: readonly SegmentView[];
}

/** Opens the named indices for a viewer. @throws `ERR_UNKNOWN_INDEX` (invalid). */
export function openViews(
  stores: ReadonlyMap<string, IndexStore>,
  names: readonly string[] | undefined,
  viewer: Viewer,
): IndexView[] {
  for (const name of names ?? []) if (!stores.has(name)) throw unknownIndex(name, stores);
  const opened: IndexView[] = [];
  let rank = 0;
  for (const [name, store] of stores) {
    if (names === undefined || names.includes(name)) opened.push(openView(store, viewer, rank));
    rank++;
  }
  return opened;
}

/** Viewers whose views a list of segments remembers: it is replaced at each change. */
const MAX_REMEMBERED = 64;

const remembered = new WeakMap<readonly SegmentState[], Map<string, readonly SegmentView[]>>();

function openView(store: IndexStore, viewer: Viewer, rank: number): IndexView {
  const { states } = store;
  const view = (): SegmentView[] => states.map((state) => viewSegment(state, viewer, rank));
  return { store, states, views: recallOf(remembered, states, viewer.key, view, MAX_REMEMBERED) };
}

export function unknownIndex(name: string, stores: ReadonlyMap<string, unknown>): CodedError {
  const message = `index must be one of ${[...stores.keys()].join(', ')}; got ${name}`;
  return new CodedError({ code: 'ERR_UNKNOWN_INDEX', kind: 'invalid', message });
}

/** The plans that must match beside the query. */
function toFilterPlans({ typeFilter, range }: SearchFilters): Plan[] {
  const filters: Plan[] = [];
  if (typeFilter !== undefined) filters.push(toTypePlan(typeFilter));
  if (range !== undefined && range.fields.length > 0) filters.push(toRangePlan(range));
  return filters;
}

/** Narrows a plan; filters add nothing to scores. */
export function withFilters(plan: Plan, filters: readonly Plan[]): Plan {
  if (filters.length === 0 || plan.type === 'none') return plan;
  return { type: 'boolean', must: [plan, ...filters], should: [], mustNot: [] };
}

function toRangePlan({ start, end, fields }: RangeFilter): Plan {
  const lower = start === undefined ? undefined : { value: start, inclusive: true };
  const upper = end === undefined ? undefined : { value: end, inclusive: true };
  return { type: 'range', selection: compileFieldNames(fields), spans: toRangeSpans(lower, upper), boost: 0 };
}

const IS_STATE = compileFieldNames(['isState']);
const TYPE_FIELDS: Readonly<Record<TypeFilterMode, FieldSelection>> = {
  any: compileFieldNames(['types', '*.types']),
  entity: compileFieldNames(['types']),
  identifier: compileFieldNames(['*.types']),
};

function toTypePlan({ values, mode = 'any' }: TypeFilter): Plan {
  const terms = values.map(toKeywordTerm);
  const selection = TYPE_FIELDS[mode];
  return anyOf(VALUE_SPACES.map((space) => ({ type: 'terms', space, selection, terms, boost: 0 })));
}

/** The plan of an entity's states: documents that are states and hold its id as a whole value, in any field. */
export function* compileStates(id: string): Generator<void, Plan> {
  const term = toKeywordTerm(id);
  const mentions = VALUE_SPACES.map((space): Plan => {
    return { type: 'term', key: `states:${space}`, space, term, selection: EVERY_FIELD, boost: 1 };
  });
  const isState: Plan = { type: 'terms', space: 'keyword', selection: IS_STATE, terms: ['true'], boost: 0 };
  return withFilters(anyOf(mentions), [isState]);
}

/** A search that is planned and counted for what its viewer sees at one moment. */
export interface PlannedSearch {
  readonly views: readonly IndexView[];
  /** One for each view. */
  readonly plans: readonly Plan[];
  /** The same without what only orders matches, where there is such: what is marked in texts. */
  readonly asked?: readonly Plan[];
  readonly filters: readonly Plan[];
  readonly statistics: Statistics;
  readonly budget: WorkBudget;
}

/** Makes the plan of one of all the indices that are read. Yields where it may pause. */
export type PlanIndex = (view: IndexView, budget: WorkBudget, all: readonly IndexView[]) => Generator<void, Plan>;

/** How often a plan is made anew because a change came between; then it is made in one go. */
const MAX_ATTEMPTS = 8;

/**
 * Plans a search and counts what its scores need. Lets other work run meanwhile; when an index changes under it, it
 * begins anew, so that plan and counts are of one moment.
 */
export async function planSearch(
  stores: ReadonlyMap<string, IndexStore>,
  viewer: Viewer,
  request: ReadOperation & SearchFilters,
  planIndex: PlanIndex,
  budget: WorkBudget,
): Promise<PlannedSearch> {
  const filters = toFilterPlans(request);
  for (let attempt = 1; ; attempt++) {
    budget.beginAnew();
    const views = openViews(stores, request.indices, viewer);
    const work = planAll(views, filters, planIndex, budget);
    const planned = attempt <= MAX_ATTEMPTS ? await budget.run(work) : runAtOnce(work);
    if (views.every(({ store, states }) => store.states === states)) return planned;
  }
}

function* planAll(
  views: readonly IndexView[],
  filters: readonly Plan[],
  planIndex: PlanIndex,
  budget: WorkBudget,
): Generator<void, PlannedSearch> {
  const plans: Plan[] = [];
  for (const view of views) plans.push(yield* planIndex(view, budget, views));
  const indexPlans = views.map((view, i) => ({ plan: plans[i], views: view.views }));
  return { views, plans, filters, statistics: yield* collectStatistics(indexPlans, budget), budget };
}

/** Steps between two looks at the clock of a search that walks one list; of many lists fewer. */
const STEPS_PER_LOOK = 256;
const MAX_DOCUMENTS_PER_STEP = 16;

/** The best matches of all plans, of those behind `after`. Lets other work run when it takes long. */
export async function runSearch(search: PlannedSearch, limit: number, after?: RankedPlace): Promise<TopDocuments> {
  const top = new TopDocuments(limit, after);
  await walkSegments(search, (scorer, view, tests, perStep) => collectSegment(scorer, { view, top, tests }, perStep));
  return top;
}

/** Collects from one segment. Yields where it may pause; returns true when no more segments are needed. */
type CollectFrom = (
  scorer: Scorer,
  view: SegmentView,
  tests: readonly DocumentTest[],
  documentsPerStep: number,
) => Generator<void, unknown>;

/** Hands out segment after segment. Lets other work run when it takes long. */
async function walkSegments(
  { views, plans, filters, statistics, budget }: PlannedSearch,
  collect: CollectFrom,
): Promise<void> {
  for (const [i, index] of views.entries()) {
    for (const view of index.views) {
      const builder = new ScorerBuilder(view, statistics, budget);
      const scorer = await budget.run(builder.build(plans[i]));
      if (scorer === undefined) continue;
      const tests: DocumentTest[] = [];
      for (const filter of filters) tests.push(await budget.run(compileTest(view, filter, budget)));
      const stepsPerLook = Math.ceil(STEPS_PER_LOOK / (builder.opened + tests.length));
      const documentsPerStep = Math.min(stepsPerLook, MAX_DOCUMENTS_PER_STEP);
      if ((await budget.run(collect(scorer, view, tests, documentsPerStep), stepsPerLook)) === true) return;
    }
  }
}

/**
 * Shows each match of all plans to each visitor: however many want them, the matches are walked once. Ends when none
 * needs more. Lets other work run when it takes long. Cost: O(matches).
 */
export async function visitMatches(search: PlannedSearch, visitors: readonly MatchVisitor[]): Promise<void> {
  if (visitors.length === 0) return;
  await walkSegments(search, function* (scorer, view, tests, documentsPerStep) {
    for (const visitor of visitors) visitor.open(view);
    for (let moves = 1; scorer.next() !== END; moves++) {
      const isMatch = scorer.matches && tests.every((test) => test(scorer.document));
      if (isMatch && !visitEach(visitors, scorer)) return true;
      if (moves % documentsPerStep === 0) yield;
    }
    return false;
  });
}

/** False when no visitor needs more. */
function visitEach(visitors: readonly MatchVisitor[], match: Scorer): boolean {
  let needsMore = false;
  for (const visitor of visitors) if (visitor.visit(match)) needsMore = true;
  return needsMore;
}
