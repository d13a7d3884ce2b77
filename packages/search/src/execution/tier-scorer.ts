import type { WorkBudget } from '../plan/work-budget.ts';
import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import type { TermCursor } from '../postings/term-cursor.ts';
import { termScore } from '../scoring/bm25.ts';
import { explainWeight, type Weighing } from './term-scorer.ts';

/** The terms of one tier, and between which shares of the weight they score. */
export interface ScoredTier {
  readonly cursors: readonly TermCursor[];
  readonly floor: number;
  readonly ceiling: number;
}

/** Documents whose frequencies are gathered at once. */
const WINDOW = 2048;

/**
 * Scores documents by the best tier of which they have any term: by its floor, and up to its ceiling by BM25 over the
 * terms of the tier together. Frequencies are gathered window by window. Cost: O(terms) for each window that has a
 * match, O(postings) in all.
 */
export class TierScorer implements Scorer {
  document = -1;
  readonly #tiers: readonly ScoredTier[];
  readonly #weighing: Weighing;
  readonly #budget: WorkBudget;
  /** For each tier the frequencies in the documents of the window. */
  readonly #frequencies: readonly Float64Array[];
  readonly #isMatch = new Uint8Array(WINDOW);
  #start = 0;
  #end = 0;

  constructor(tiers: readonly ScoredTier[], weighing: Weighing, budget: WorkBudget) {
    this.#tiers = tiers;
    this.#weighing = weighing;
    this.#budget = budget;
    this.#frequencies = tiers.map(() => new Float64Array(WINDOW));
  }

  get matches(): boolean {
    return this.document !== END;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    let document = target;
    while (document !== END) {
      if (document >= this.#end) document = this.#gather(document);
      for (; document < this.#end; document++) {
        if (this.#isMatch[document - this.#start] === 0) continue;
        this.document = document;
        return document;
      }
    }
    this.document = END;
    return END;
  }

  score(): number {
    const at = this.document - this.#start;
    const number = this.#frequencies.findIndex((frequencies) => frequencies[at] > 0);
    const { floor, ceiling } = this.#tiers[number];
    const { weight, saturation, lengths } = this.#weighing;
    const byte = lengths === undefined ? 0 : lengths.lengthByte(this.document);
    return weight * (floor + termScore(ceiling - floor, this.#frequencies[number][at], saturation[byte]));
  }

  explain(): Explanation {
    const at = this.document - this.#start;
    const number = this.#frequencies.findIndex((frequencies) => frequencies[at] > 0);
    const { floor, ceiling } = this.#tiers[number];
    const { weight, description } = this.#weighing;
    const share = { ...this.#weighing, weight: ceiling - floor, description: 'share by frequency and length' };
    return {
      value: this.score(),
      description: `${description}: weight * (least share + share)`,
      details: [
        { value: weight, description: 'weight: inverse document frequency times boost', details: [] },
        { value: floor, description: 'least share: by how near the terms are that match', details: [] },
        explainWeight(share, this.document, this.#frequencies[number][at]),
      ],
    };
  }

  /** Gathers the window that begins with the first match from a document on, and returns that, or `END`. */
  #gather(target: number): number {
    const first = this.#findFirst(target);
    this.#start = first;
    this.#end = first === END ? END : first + WINDOW;
    this.#isMatch.fill(0);
    for (const [number, { cursors }] of this.#tiers.entries()) {
      const frequencies = this.#frequencies[number].fill(0);
      for (const cursor of cursors) {
        this.#addFrequencies(cursor, frequencies);
        this.#budget.tick();
      }
    }
    return first;
  }

  #findFirst(target: number): number {
    let first = END;
    for (const { cursors } of this.#tiers) {
      for (const cursor of cursors) {
        const document = cursor.document < target ? cursor.advance(target) : cursor.document;
        if (document < first) first = document;
      }
    }
    return first;
  }

  #addFrequencies(cursor: TermCursor, frequencies: Float64Array): void {
    for (let { document } = cursor; document < this.#end; document = cursor.next()) {
      frequencies[document - this.#start] += cursor.frequency;
      this.#isMatch[document - this.#start] = 1;
    }
  }
}
