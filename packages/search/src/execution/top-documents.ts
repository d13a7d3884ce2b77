import type { WorkBudget } from '../plan/work-budget.ts';
import { END } from '../postings/cursor.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import type { Scorer } from './scorer.ts';

/** A match: where it is stored and its score. */
export interface Match {
  readonly view: SegmentView;
  readonly document: number;
  readonly score: number;
}

/** Documents between two looks at the clock. */
const DOCUMENTS_PER_LOOK = 512;

/** Keeps the best matches: by score, then by id, then by the order of their indices. */
export class TopDocuments {
  private readonly limit: number;
  /** A heap whose root is the worst of the best. */
  private readonly heap: (Match & { id: string | undefined })[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Walks all matches of one segment. Pauses when it takes long. */
  async collect(view: SegmentView, scorer: Scorer, budget: WorkBudget): Promise<void> {
    let untilLook = DOCUMENTS_PER_LOOK;
    for (let document = scorer.next(); document !== END; document = scorer.next()) {
      this.offer(view, document, scorer.score());
      if (--untilLook > 0) continue;
      untilLook = DOCUMENTS_PER_LOOK;
      budget.checkTime();
      if (budget.isSliceOver) await budget.rest();
    }
  }

  offer(view: SegmentView, document: number, score: number): void {
    const { heap, limit } = this;
    if (heap.length < limit) {
      heap.push({ view, document, score, id: undefined });
      this.siftUp(heap.length - 1);
      return;
    }
    const worst = heap[0]!;
    if (score < worst.score) return;
    const match = { view, document, score, id: undefined };
    if (score === worst.score && !isBetter(match, worst)) return;
    heap[0] = match;
    this.siftDown();
  }

  /** The matches, best first. */
  toSorted(): Match[] {
    return [...this.heap].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  private siftUp(start: number): void {
    const { heap } = this;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isBetter(heap[parent]!, heap[at]!)) return;
      swap(heap, at, parent);
      at = parent;
    }
  }

  private siftDown(): void {
    const { heap } = this;
    let at = 0;
    while (true) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBetter(heap[worst]!, heap[child]!)) worst = child;
      }
      if (worst === at) return;
      swap(heap, at, worst);
      at = worst;
    }
  }
}

interface Ranked extends Match {
  id: string | undefined;
}

function isBetter(a: Ranked, b: Ranked): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.view === b.view) return a.document < b.document;
  const order = compareByCodePoint(idOf(a), idOf(b));
  return order !== 0 ? order < 0 : a.view.rank < b.view.rank;
}

function idOf(match: Ranked): string {
  match.id ??= match.view.segment.ids.term(match.document);
  return match.id;
}

function swap<T>(list: T[], i: number, j: number): void {
  const item = list[i]!;
  list[i] = list[j]!;
  list[j] = item;
}
