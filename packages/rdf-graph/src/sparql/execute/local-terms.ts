import type * as RDF from '@rdfjs/types';
import type { TermId } from '../../graph/port/term-kind.ts';
import { toTermKey } from '../../rdf/term-key.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** Ids from here on belong to one evaluation, not to the store. */
export const LOCAL_BASE = 0x8000_0000;

/** About what a term takes besides its text. */
const TERM_BYTES = 200;

/** Terms that an evaluation computed and the store does not hold. */
export class LocalTerms {
  readonly #ids = new Map<string, TermId>();
  readonly #terms: RDF.Term[] = [];
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  intern(term: RDF.Term): TermId {
    const key = toTermKey(term);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#memory.take(TERM_BYTES + 4 * key.length);
    const id = LOCAL_BASE + this.#terms.length;
    this.#ids.set(key, id);
    this.#terms.push(term);
    return id;
  }

  term(id: TermId): RDF.Term {
    return this.#terms[id - LOCAL_BASE];
  }

  get size(): number {
    return this.#terms.length;
  }
}
