import type { CompareTerms } from '../../graph/port/graph-reader.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { IdList } from './id-list.ts';
import { LazyOrder } from './lazy-order.ts';
import { type Later, type Pacer, STEP, sortInSteps } from './pacer.ts';
import type { Relation, Relations, RelationTests } from './relations.ts';

/** Relations that are many: by predicate, each group sorted where a page of it is looked at. */
export class ManyRelations implements Relations {
  readonly predicates: readonly TermId[];
  readonly size: number;
  readonly #groups: ReadonlyMap<TermId, LazyOrder>;
  readonly #compare: CompareTerms;

  private constructor(predicates: readonly TermId[], groups: ReadonlyMap<TermId, LazyOrder>, compare: CompareTerms) {
    this.predicates = predicates;
    this.#compare = compare;
    this.#groups = groups;
    let size = 0;
    for (const group of groups.values()) size += group.length;
    this.size = size;
  }

  /** Takes over the arrays: by predicate the other ends, each once. */
  static async create(
    pacer: Pacer,
    others: ReadonlyMap<TermId, Uint32Array>,
    compare: CompareTerms,
  ): Promise<ManyRelations> {
    const groups = new Map<TermId, LazyOrder>();
    for (const [predicate, ids] of others) {
      groups.set(predicate, new LazyOrder(ids, compare));
      if (groups.size % STEP === 0) await pacer.step();
    }
    return new ManyRelations(await sortInSteps(pacer, [...groups.keys()], compare), groups, compare);
  }

  count(predicate: TermId): number {
    return this.#groups.get(predicate)?.length ?? 0;
  }

  others(predicate: TermId): Uint32Array {
    return this.#groups.get(predicate)?.unordered() ?? new Uint32Array(0);
  }

  /** Cost: O(relations of the predicates on the page) once, then O(page). */
  page(pacer: Pacer, start: number, limit: number): Later<readonly Relation[]> {
    return this.#page(pacer, start, limit, 0, []);
  }

  /** Goes on with the `n`th predicate, `start` and `limit` counted from there. */
  #page(pacer: Pacer, start: number, limit: number, n: number, found: Relation[]): Later<readonly Relation[]> {
    for (let from = start, left = limit, i = n; left > 0 && i < this.predicates.length; i++) {
      const predicate = this.predicates[i];
      const group = this.#groups.get(predicate);
      if (group === undefined) continue;
      if (from < group.length) {
        const page = group.page(pacer, from, from + left);
        if (page instanceof Promise) {
          const [rest, next] = [left - Math.min(left, group.length - from), i + 1];
          return page.then((others) => this.#page(pacer, 0, rest, next, append(found, predicate, others)));
        }
        append(found, predicate, page);
        left -= page.length;
      }
      from = Math.max(0, from - group.length);
    }
    return found;
  }

  async filter(pacer: Pacer, { keepsPredicate, keepsOther }: RelationTests): Promise<Relations> {
    const groups = new Map<TermId, Uint32Array>();
    for (const predicate of this.predicates) {
      if (keepsPredicate?.(predicate) === false) continue;
      const others = this.others(predicate);
      const kept = keepsOther === undefined ? others : await keep(pacer, others, keepsOther);
      if (kept.length > 0) groups.set(predicate, kept);
    }
    return ManyRelations.create(pacer, groups, this.#compare);
  }
}

function append(found: Relation[], predicate: TermId, others: Uint32Array): Relation[] {
  for (const other of others) found.push({ predicate, other });
  return found;
}

async function keep(pacer: Pacer, ids: Uint32Array, test: (id: TermId) => boolean): Promise<Uint32Array> {
  const kept = new IdList();
  for (let start = 0; start < ids.length; start += STEP) {
    const end = Math.min(ids.length, start + STEP);
    for (let i = start; i < end; i++) if (test(ids[i])) kept.push(ids[i]);
    await pacer.step();
  }
  return kept.toArray();
}
