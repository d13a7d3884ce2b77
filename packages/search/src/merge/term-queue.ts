import type { PostingRun } from './posting-run.ts';

/** Runs by their current term: hands out together those that are at the least one. */
export class TermQueue {
  /** Descending, so that the least is the last. */
  readonly #runs: PostingRun[] = [];

  constructor(runs: readonly PostingRun[]) {
    for (const run of runs) this.add(run);
  }

  /** Adds a run at its current term, unless it has ended. */
  add(run: PostingRun): void {
    if (run.ordinal >= run.terms.size) return;
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTerms(this.#runs[middle], run) > 0) low = middle + 1;
      else high = middle;
    }
    this.#runs.splice(low, 0, run);
  }

  /** Takes out the runs at the least term; none when all have ended. */
  take(into: PostingRun[]): void {
    into.length = 0;
    const least = this.#runs.pop();
    if (least === undefined) return;
    into.push(least);
    let next = this.#runs.at(-1);
    for (; next !== undefined && compareTerms(next, least) === 0; next = this.#runs.at(-1)) {
      into.push(next);
      this.#runs.pop();
    }
  }
}

function compareTerms(a: PostingRun, b: PostingRun): number {
  return a.terms.compare(a.ordinal, b.terms, b.ordinal);
}
