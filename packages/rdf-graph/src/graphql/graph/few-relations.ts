import type { CompareTerms } from '../../graph/port/graph-reader.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import type { Pacer } from './pacer.ts';
import type { Relation, Relations, RelationTests } from './relations.ts';

/** Relations that are few: one sorted list. */
export class FewRelations implements Relations {
  readonly #relations: Relation[];
  readonly #compare: CompareTerms;
  #isSorted: boolean;

  /** Takes over the array. The relations must be distinct. */
  constructor(relations: Relation[], compare: CompareTerms, isSorted: boolean = relations.length < 2) {
    this.#relations = relations;
    this.#compare = compare;
    this.#isSorted = isSorted;
  }

  get size(): number {
    return this.#relations.length;
  }

  get predicates(): readonly TermId[] {
    const found: TermId[] = [];
    for (const { predicate } of this.#sorted()) if (found.at(-1) !== predicate) found.push(predicate);
    return found;
  }

  count(predicate: TermId): number {
    let count = 0;
    for (const relation of this.#relations) if (relation.predicate === predicate) count++;
    return count;
  }

  others(predicate: TermId): Uint32Array {
    const found: TermId[] = [];
    for (const relation of this.#relations) if (relation.predicate === predicate) found.push(relation.other);
    return Uint32Array.from(found);
  }

  page(_pacer: Pacer, start: number, limit: number): readonly Relation[] {
    const sorted = this.#sorted();
    return start === 0 && limit >= sorted.length ? sorted : sorted.slice(start, start + limit);
  }

  filter(_pacer: Pacer, { keepsPredicate, keepsOther }: RelationTests): Relations {
    const kept = this.#relations.filter(
      ({ predicate, other }) => (keepsPredicate?.(predicate) ?? true) && (keepsOther?.(other) ?? true),
    );
    return new FewRelations(kept, this.#compare, this.#isSorted);
  }

  #sorted(): readonly Relation[] {
    if (!this.#isSorted) {
      const compare = this.#compare;
      this.#relations.sort((a, b) => compare(a.predicate, b.predicate) || compare(a.other, b.other));
      this.#isSorted = true;
    }
    return this.#relations;
  }
}

/** Each relation once. */
export function distinctRelations(relations: readonly Relation[]): Relation[] {
  const found = new Map<string, Relation>();
  for (const relation of relations) found.set(`${relation.predicate}/${relation.other}`, relation);
  return [...found.values()];
}
