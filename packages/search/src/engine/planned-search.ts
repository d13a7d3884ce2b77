import { runAtOnce } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { TopDocuments } from '../execution/top-documents.ts';
import type { Plan } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import type { ReadOperation, SearchFilters } from '../port/search-index.ts';
import type { IndexStore } from './index-store.ts';
import {
  collectMatches,
  type IndexView,
  openViews,
  type PreparedSearch,
  prepareSearch,
  toFilterPlans,
} from './operation.ts';

/** A search that is planned and counted for what its viewer sees at one moment. */
export interface PlannedSearch {
  readonly views: readonly IndexView[];
  /** One for each view. */
  readonly plans: readonly Plan[];
  readonly prepared: PreparedSearch;
  readonly budget: WorkBudget;
}

/** Makes the plan of one index. Yields where it may pause. */
export type PlanIndex = (view: IndexView, budget: WorkBudget) => Generator<void, Plan>;

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

export function runSearch({ prepared, budget }: PlannedSearch, limit: number): Promise<TopDocuments> {
  return collectMatches(prepared, limit, budget);
}

function* planAll(
  views: readonly IndexView[],
  filters: readonly Plan[],
  planIndex: PlanIndex,
  budget: WorkBudget,
): Generator<void, PlannedSearch> {
  const plans: Plan[] = [];
  for (const view of views) plans.push(yield* planIndex(view, budget));
  const indexPlans = views.map((view, i) => ({ plan: plans[i], views: view.views }));
  return { views, plans, budget, prepared: yield* prepareSearch(indexPlans, filters, budget) };
}
