import type { TermId } from '../../graph/port/term-kind.ts';
import { IdList } from './id-list.ts';
import type { Later } from './later.ts';
import { type Pacer, STEP } from './pacer.ts';
import type { Relation } from './relations.ts';

/** Each relation once. */
export function distinctRelations(relations: readonly Relation[]): Relation[] {
  const found = new Map<string, Relation>();
  for (const relation of relations) found.set(`${relation.predicate}/${relation.other}`, relation);
  return [...found.values()];
}

/** Each id once; in steps where there are many. */
export function distinctIds(pacer: Pacer, ids: Uint32Array): Later<Uint32Array> {
  return ids.length <= STEP ? Uint32Array.from(new Set(ids)) : distinctInSteps(pacer, ids);
}

async function distinctInSteps(pacer: Pacer, ids: Uint32Array): Promise<Uint32Array> {
  const seen = new Set<TermId>();
  const kept = new IdList();
  for (let start = 0; start < ids.length; start += STEP) {
    for (const id of ids.subarray(start, start + STEP)) {
      if (seen.has(id)) continue;
      seen.add(id);
      kept.push(id);
    }
    await pacer.step();
  }
  return kept.toArray();
}
