import { grow } from '../memory/grow.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';

/** A match: where it is stored and its score. */
export interface Match {
  readonly view: SegmentView;
  readonly document: number;
  readonly score: number;
}

/** The place of a match in the order by score: equal scores are ordered by id, equal ids by the rank of their index. */
export interface RankedPlace {
  readonly score: number;
  readonly id: string;
  readonly rank: number;
}

export type DocumentTest = (document: number) => boolean;

/** One segment whose matches are collected, where to, and what else they must pass. */
export interface Collection {
  readonly view: SegmentView;
  readonly top: TopDocuments;
  readonly tests: readonly DocumentTest[];
}

/** Keeps the best matches: by score, then by id, then by the order of their indices. */
export class TopDocuments {
  readonly limit: number;
  /** The score of the worst of the best; below every score while there is room. */
  threshold: number = Number.NEGATIVE_INFINITY;
  /** A heap in parallel arrays, whose root is the worst of the best. */
  #scores: Float64Array;
  #documents: Int32Array;
  readonly #views: SegmentView[] = [];
  readonly #ids: (string | undefined)[] = [];
  #count = 0;
  #tieView: SegmentView | undefined;
  #tieDocument = 0;
  readonly #after: RankedPlace | undefined;
  /** The first document behind `after` among those of its score, in the segment that was offered from last. */
  #afterView: SegmentView | undefined;
  #firstAfter = 0;

  /**
   * @param limit at least 1.
   * @param after keeps those alone that come behind this place
   */
  constructor(limit: number, after?: RankedPlace) {
    this.limit = limit;
    this.#after = after;
    this.#scores = new Float64Array(Math.min(limit, 64));
    this.#documents = new Int32Array(Math.min(limit, 64));
  }

  /**
   * Returns true if a document at or after `document` in a segment cannot get in with a score up to `bound`: it would
   * be below the worst of the best, or equal and behind it by id.
   */
  isHopeless(bound: number, view: SegmentView, document: number): boolean {
    return bound < this.threshold || (bound === this.threshold && document >= this.#firstBehind(view));
  }

  offer(view: SegmentView, document: number, score: number): void {
    if (this.#after !== undefined && !this.#isBehind(this.#after, view, document, score)) return;
    if (this.#count < this.limit) {
      if (this.#count === this.#scores.length) {
        this.#scores = grow(this.#scores);
        this.#documents = grow(this.#documents);
      }
      this.#put(this.#count++, view, document, score);
      this.#siftUp(this.#count - 1);
      if (this.#count < this.limit) return;
    } else {
      if (this.isHopeless(score, view, document)) return;
      this.#put(0, view, document, score);
      this.#siftDown();
    }
    this.threshold = this.#scores[0];
    this.#tieView = undefined;
  }

  /** The matches in no order. */
  toMatches(): Match[] {
    return Array.from({ length: this.#count }, (_, i) => this.#matchAt(i));
  }

  /** The matches, best first. */
  toSorted(): Match[] {
    const order = Array.from({ length: this.#count }, (_, i) => i);
    order.sort((a, b) => (this.#isBetter(a, b) ? -1 : 1));
    return order.map((i) => this.#matchAt(i));
  }

  #matchAt(i: number): Match {
    return { view: this.#views[i], document: this.#documents[i], score: this.#scores[i] };
  }

  #isBehind(after: RankedPlace, view: SegmentView, document: number, score: number): boolean {
    if (score !== after.score) return score < after.score;
    if (this.#afterView !== view) {
      this.#afterView = view;
      this.#firstAfter = findFirstBehind(view, after);
    }
    return document >= this.#firstAfter;
  }

  /** The first document of a segment that loses a tie with the worst of the best. */
  #firstBehind(view: SegmentView): number {
    if (this.#tieView === view) return this.#tieDocument;
    this.#tieView = view;
    const isOwn = this.#views[0] === view;
    this.#tieDocument = isOwn ? this.#documents[0] : firstLosing(view, this.#idOf(0), this.#views[0].rank);
    return this.#tieDocument;
  }

  #isBetter(a: number, b: number): boolean {
    const scores = this.#scores;
    const views = this.#views;
    const documents = this.#documents;
    if (scores[a] !== scores[b]) return scores[a] > scores[b];
    if (views[a] === views[b]) return documents[a] < documents[b];
    const order = compareByCodePoint(this.#idOf(a), this.#idOf(b));
    return order !== 0 ? order < 0 : views[a].rank < views[b].rank;
  }

  #idOf(i: number): string {
    let id = this.#ids[i];
    if (id === undefined) {
      id = this.#views[i].segment.ids.term(this.#documents[i]);
      this.#ids[i] = id;
    }
    return id;
  }

  #put(i: number, view: SegmentView, document: number, score: number): void {
    this.#views[i] = view;
    this.#documents[i] = document;
    this.#scores[i] = score;
    this.#ids[i] = undefined;
  }

  #siftUp(start: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBetter(parent, at)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #siftDown(): void {
    let at = 0;
    while (true) {
      const left = 2 * at + 1;
      let worst = at;
      if (left < this.#count && this.#isBetter(worst, left)) worst = left;
      if (left + 1 < this.#count && this.#isBetter(worst, left + 1)) worst = left + 1;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #swap(i: number, j: number): void {
    const views = this.#views;
    const documents = this.#documents;
    const scores = this.#scores;
    const ids = this.#ids;
    const view = views[i];
    const document = documents[i];
    const score = scores[i];
    const id = ids[i];
    views[i] = views[j];
    documents[i] = documents[j];
    scores[i] = scores[j];
    ids[i] = ids[j];
    views[j] = view;
    documents[j] = document;
    scores[j] = score;
    ids[j] = id;
  }
}

/** The first document of a segment that comes at or behind an id and the rank of its index. */
function firstLosing(view: SegmentView, id: string, rank: number): number {
  const { ids } = view.segment;
  const at = ids.seek(id);
  return at < ids.size && ids.term(at) === id && view.rank < rank ? at + 1 : at;
}

/** The first document of a segment that comes behind a place, among those of its score. */
export function findFirstBehind(view: SegmentView, { id, rank }: Pick<RankedPlace, 'id' | 'rank'>): number {
  return firstLosing(view, id, rank + 1);
}
