import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';

/** A match: where it is stored and its score. */
export interface Match {
  readonly view: SegmentView;
  readonly document: number;
  readonly score: number;
}

interface Ranked extends Match {
  id: string | undefined;
}

/** Keeps the best matches: by score, then by id, then by the order of their indices. */
export class TopDocuments {
  private readonly limit: number;
  /** A heap whose root is the worst of the best. */
  private readonly heap: Ranked[] = [];
  /** The score of the worst of the best; below every score while there is room. */
  threshold: number = Number.NEGATIVE_INFINITY;
  private tieView: SegmentView | undefined;
  private tieDocument = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Whether a document at or after `document` in a segment cannot get in with a score up to `bound`: it would be below
   * the worst of the best, or equal and behind it by id.
   */
  isHopeless(bound: number, view: SegmentView, document: number): boolean {
    return bound < this.threshold || (bound === this.threshold && document >= this.firstBehind(view));
  }

  offer(view: SegmentView, document: number, score: number): void {
    const { heap, limit } = this;
    if (heap.length < limit) {
      heap.push({ view, document, score, id: undefined });
      this.siftUp(heap.length - 1);
      if (heap.length < limit) return;
    } else {
      if (this.isHopeless(score, view, document)) return;
      heap[0] = { view, document, score, id: undefined };
      this.siftDown();
    }
    this.threshold = heap[0]!.score;
    this.tieView = undefined;
  }

  /** The matches, best first. */
  toSorted(): Match[] {
    return [...this.heap].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  /** The first document of a segment that loses a tie with the worst of the best. */
  private firstBehind(view: SegmentView): number {
    if (this.tieView === view) return this.tieDocument;
    const worst = this.heap[0]!;
    this.tieView = view;
    this.tieDocument = worst.view === view ? worst.document : findFirstBehind(view, worst);
    return this.tieDocument;
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
      const left = 2 * at + 1;
      let worst = at;
      if (left < heap.length && isBetter(heap[worst]!, heap[left]!)) worst = left;
      if (left + 1 < heap.length && isBetter(heap[worst]!, heap[left + 1]!)) worst = left + 1;
      if (worst === at) return;
      swap(heap, at, worst);
      at = worst;
    }
  }
}

function findFirstBehind(view: SegmentView, worst: Ranked): number {
  const { ids } = view.segment;
  const id = idOf(worst);
  const at = ids.seek(id);
  const isSameId = at < ids.size && ids.term(at) === id;
  return isSameId && view.rank < worst.view.rank ? at + 1 : at;
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
