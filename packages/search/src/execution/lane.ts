import { TermProbe } from '../postings/term-probe.ts';
import { type TermScorer, weigh } from './term-scorer.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
export const SLACK: number = 1 + 1e-9;

/** One of several terms that are collected together. */
export class Lane {
  readonly scorer: TermScorer;
  /** Place of the term in the query. */
  readonly place: number;
  /** The most that the term adds to any document. */
  readonly most: number;
  /** What this lane and all before it add at most. */
  reach = 0;
  private readonly probe: TermProbe;
  private block: number;
  private window: number;

  constructor(scorer: TermScorer, place: number) {
    const { firstBlock, endBlock } = scorer.cursor;
    this.scorer = scorer;
    this.place = place;
    this.most = scorer.boundBetween(firstBlock, endBlock - 1);
    this.probe = new TermProbe(scorer.cursor);
    this.block = firstBlock;
    this.window = firstBlock;
  }

  /** The most that the term adds to a document, by the bound of its block. Documents must ascend. */
  boundAt(document: number): number {
    const { cursor, bounds } = this.scorer;
    this.block = cursor.findBlockFrom(this.block, document);
    return this.block < cursor.endBlock ? bounds[this.block - cursor.firstBlock]! : 0;
  }

  /** The most that the term adds to any document between two; -1 when it has ended before. */
  boundWithin(first: number, last: number): number {
    const { cursor } = this.scorer;
    this.window = cursor.findBlockFrom(this.window, first);
    if (this.window >= cursor.endBlock) return -1;
    const end = cursor.findBlockFrom(this.window, last);
    return this.scorer.boundBetween(this.window, Math.min(end, cursor.endBlock - 1));
  }

  /** What the term adds to a document; -1 where the viewer does not see it there. Documents must ascend. */
  scoreAt(document: number): number {
    const frequency = this.probe.frequencyIn(document);
    return frequency === 0 ? -1 : weigh(this.scorer.weighing, document, frequency);
  }
}

/** The scores of the terms of one document, to be summed in the order of the query. */
export class TermScores {
  private readonly scores: Float64Array;

  constructor(count: number) {
    this.scores = new Float64Array(count);
  }

  clear(): void {
    this.scores.fill(0);
  }

  set(lane: Lane, score: number): void {
    this.scores[lane.place] = score;
  }

  sum(): number {
    let sum = 0;
    for (let i = 0; i < this.scores.length; i++) sum += this.scores[i]!;
    return sum;
  }
}
