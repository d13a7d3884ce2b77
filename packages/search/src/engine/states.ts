import { compileFieldSelection, EVERY_FIELD } from '../mapping/field-selection.ts';
import { toKeywordTerm } from '../mapping/value.ts';
import { anyOf } from '../plan/compiler.ts';
import type { Plan } from '../plan/plan.ts';

const IS_STATE = compileFieldSelection(['isState']);

/** The plan of an entity's states: documents that are states and hold its id as a whole value, in any field. */
export function* compileStates(id: string): Generator<void, Plan> {
  const term = toKeywordTerm(id);
  const mentions = (['keyword', 'mirror'] as const).map((space): Plan => {
    return { type: 'term', key: `states:${space}`, space, term, selection: EVERY_FIELD, boost: 1 };
  });
  const isState: Plan = { type: 'terms', space: 'keyword', selection: IS_STATE, terms: ['true'], boost: 0 };
  return { type: 'boolean', must: [anyOf(mentions), isState], should: [], mustNot: [] };
}
