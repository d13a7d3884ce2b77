import type { Total } from '../port/search-index.ts';
import type { MatchVisitor } from './match-visitor.ts';

/** Counts matches up to a bound. */
export class TotalCounter implements MatchVisitor {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  open(): void {
    // Matches count alike in every segment.
  }

  visit(): boolean {
    if (this.#count <= this.#most) this.#count++;
    return this.#count <= this.#most;
  }

  toTotal(): Total {
    return totalUpTo(this.#count, this.#most);
  }
}

/** A count as it is told when it is exact up to a bound alone. */
export function totalUpTo(count: number, most: number): Total {
  return count > most ? { value: most, relation: 'gte' } : { value: count, relation: 'eq' };
}
