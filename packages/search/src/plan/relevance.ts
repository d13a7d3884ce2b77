import { compileFieldSelection, type FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { checkTexts, refuseArgument } from '../port/arguments.ts';
import type { ReadOperation, Relevance } from '../port/search-index.ts';
import { compileBoosts } from '../scoring/boosts.ts';
import type { Plan } from './plan.ts';

/** Where a query looks that names no field, and by what its scores are raised; by an index's configuration or by a request. */
export interface CompiledRelevance {
  defaultSelectionOf(mapping: IndexMapping): FieldSelection;
  /** @throws `ERR_BOOST` (invalid) when boosts begin at a moment that the request does not give */
  boosted(plan: Plan, mapping: IndexMapping): Plan;
}

const MAX_QUERY_FIELDS = 64;

/** @throws `ERR_REQUEST`, `ERR_FIELD_BOOST` or `ERR_BOOST` (invalid) */
export function compileRelevance({ queryFields, boosts, nowMs }: Relevance & ReadOperation): CompiledRelevance {
  if (nowMs !== undefined && !Number.isFinite(nowMs)) refuseArgument('nowMs', 'a number', nowMs);
  const selection = queryFields && compileQueryFields(queryFields);
  const asked = boosts && compileBoosts(boosts);
  return {
    defaultSelectionOf: (mapping) => (selection ? mapping.withFieldBoosts(selection) : mapping.defaultSelection),
    boosted(plan, mapping) {
      const raises = (asked ?? mapping.boosts)(nowMs);
      return raises.length === 0 || plan.type === 'none' ? plan : { type: 'boosted', plan, raises };
    },
  };
}

function compileQueryFields(queryFields: readonly string[]): FieldSelection {
  checkTexts('queryFields', queryFields);
  if (queryFields.length > MAX_QUERY_FIELDS)
    refuseArgument('queryFields', `at most ${MAX_QUERY_FIELDS}`, queryFields.length);
  return compileFieldSelection(queryFields);
}
