import type { Later } from './later.ts';
import { type Pacer, STEP } from './pacer.ts';

/** Maps each item; in steps where there are many. */
export function mapInSteps<Item, Result>(
  pacer: Pacer,
  items: ArrayLike<Item>,
  toResult: (item: Item) => Result,
): Later<Result[]> {
  return items.length <= STEP ? Array.from(items, toResult) : mapMany(pacer, items, toResult);
}

async function mapMany<Item, Result>(
  pacer: Pacer,
  items: ArrayLike<Item>,
  toResult: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += STEP) {
    const end = Math.min(items.length, start + STEP);
    for (let i = start; i < end; i++) results.push(toResult(items[i]));
    await pacer.step();
  }
  return results;
}
