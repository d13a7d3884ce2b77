import { CodedError } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import { collectSegment } from '../execution/collector.ts';
import type { DocumentTest } from '../execution/document-test.ts';
import { compileTest } from '../execution/filter-tests.ts';
import { ScorerBuilder } from '../execution/scorer-builder.ts';
import { TopDocuments } from '../execution/top-documents.ts';
import { compileFieldNames, type FieldSelection } from '../mapping/field-selection.ts';
import { toKeywordTerm } from '../mapping/value.ts';
import { anyOf } from '../plan/compiler.ts';
import type { Plan } from '../plan/plan.ts';
import { toRangeSpans } from '../plan/range-spans.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import type { RangeFilter, SearchFilters, TypeFilter } from '../port/search-index.ts';
import { collectStatistics, type IndexPlan, type Statistics } from '../scoring/statistics.ts';
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
  const chosen = new Set(names ?? stores.keys());
  const views: IndexView[] = [];
  [...stores.values()].forEach((store, rank) => {
    if (!chosen.has(store.mapping.name)) return;
    const { states } = store;
    views.push({ store, states, views: states.map((state) => viewSegment(state, viewer, rank)) });
  });
  return views;
}

export function unknownIndex(name: string, stores: ReadonlyMap<string, unknown>): CodedError {
  return new CodedError({
    code: 'ERR_UNKNOWN_INDEX',
    kind: 'invalid',
    message: `index must be one of ${[...stores.keys()].join(', ')}; got ${name}`,
  });
}

/** The plan that must match beside the query; `undefined` when nothing narrows it. */
export function toFilterPlans({ typeFilter, range }: SearchFilters): Plan[] {
  const filters: Plan[] = [];
  if (typeFilter !== undefined) filters.push(toTypePlan(typeFilter));
  if (range !== undefined) filters.push(...toRangePlans(range));
  return filters;
}

/** Narrows a plan; filters add nothing to scores. */
export function withFilters(plan: Plan, filters: readonly Plan[]): Plan {
  if (filters.length === 0 || plan.type === 'none') return plan;
  return { type: 'boolean', must: [plan, ...filters], should: [], mustNot: [] };
}

function toRangePlans({ start, end, fields }: RangeFilter): Plan[] {
  if (fields.length === 0) return [];
  const lower = start === undefined ? undefined : { value: start, inclusive: true };
  const upper = end === undefined ? undefined : { value: end, inclusive: true };
  const selection = compileFieldNames(fields);
  return [{ type: 'range', selection, spans: toRangeSpans(lower, upper), boost: 0 }];
}

const ENTITY_TYPES: FieldSelection = compileFieldNames(['types']);
const IDENTIFIER_TYPES: FieldSelection = compileFieldNames(['*.types']);
const ANY_TYPES: FieldSelection = compileFieldNames(['types', '*.types']);

const TYPE_FIELDS: Readonly<Record<NonNullable<TypeFilter['mode']>, FieldSelection>> = {
  any: ANY_TYPES,
  entity: ENTITY_TYPES,
  identifier: IDENTIFIER_TYPES,
};

function toTypePlan({ values, mode = 'any' }: TypeFilter): Plan {
  const terms = values.map(toKeywordTerm);
  const selection = TYPE_FIELDS[mode];
  return anyOf([
    { type: 'terms', space: 'keyword', selection, terms, boost: 0 },
    { type: 'terms', space: 'mirror', selection, terms, boost: 0 },
  ]);
}

/** A search ready to run: a plan for each index, and the filters. */
export interface PreparedSearch {
  readonly plans: readonly IndexPlan[];
  readonly filters: readonly Plan[];
  readonly statistics: Statistics;
}

/** Counts what the plans need. Yields where it may pause; what was counted holds when no index has changed meanwhile. */
export function* prepareSearch(
  plans: readonly IndexPlan[],
  filters: readonly Plan[],
  budget: WorkBudget,
): Generator<void, PreparedSearch> {
  return { plans, filters, statistics: yield* collectStatistics(plans, budget) };
}

/** The best matches of all plans. Lets other work run when it takes long. */
export async function collectMatches(search: PreparedSearch, limit: number, budget: WorkBudget): Promise<TopDocuments> {
  const top = new TopDocuments(limit);
  for (const { plan, views } of search.plans) {
    for (const view of views) {
      const builder = new ScorerBuilder(view, search.statistics, budget);
      const scorer = await budget.run(builder.build(plan));
      if (scorer === undefined) continue;
      const tests: DocumentTest[] = [];
      for (const filter of search.filters) tests.push(await budget.run(compileTest(view, filter, budget)));
      const stepsPerLook = Math.ceil(STEPS_PER_LOOK / (builder.opened + tests.length));
      const documentsPerStep = Math.min(stepsPerLook, MAX_DOCUMENTS_PER_STEP);
      await budget.run(collectSegment(scorer, { view, top, tests }, documentsPerStep), stepsPerLook);
    }
  }
  return top;
}

/** Steps between two looks at the clock of a search that walks one list; of many lists fewer. */
const STEPS_PER_LOOK = 256;
const MAX_DOCUMENTS_PER_STEP = 16;
