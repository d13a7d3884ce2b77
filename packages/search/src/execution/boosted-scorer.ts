import { seekNumber } from '../memory/seek.ts';
import type { Explanation } from '../port/search-index.ts';
import type { Scorer } from '../postings/cursor.ts';
import type { Raise } from '../scoring/boosts.ts';
import type { NumericColumn } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';

/** One raise over the values of a segment. Documents are asked for in ascending order. */
class RaisedColumn {
  readonly raise: Raise;
  /** The value of the last document asked for that raises most; `undefined` when it has none. */
  value: number | undefined;
  readonly #permitted: Uint8Array;
  readonly #column: NumericColumn | undefined;
  #at = 0;

  constructor(raise: Raise, { segment, permitted }: SegmentView) {
    this.raise = raise;
    this.#permitted = permitted;
    this.#column = segment.numbers.find(({ path }) => path === raise.path);
  }

  /** The factor of the score of a document: of its visible values the one that raises most counts. */
  factorOf(document: number): number {
    this.value = undefined;
    if (this.#column === undefined) return 1;
    const { document: documents, labelSet, value, isDate } = this.#column;
    this.#at = seekNumber(documents, document, this.#at);
    let most = 0;
    for (let i = this.#at; i < documents.length && documents[i] === document; i++) {
      if (this.#permitted[labelSet[i]] === 0 || (isDate[i] === 1) !== this.raise.isDate) continue;
      const raised = this.raise.of(value[i]);
      if (this.value !== undefined && raised <= most) continue;
      most = raised;
      this.value = value[i];
    }
    return 1 + most;
  }
}

/** The documents of another scorer, whose scores it multiplies by what values of theirs say. */
export class BoostedScorer implements Scorer {
  readonly #child: Scorer;
  readonly #columns: readonly RaisedColumn[];

  constructor(child: Scorer, view: SegmentView, raises: readonly Raise[]) {
    this.#child = child;
    this.#columns = raises.map((raise) => new RaisedColumn(raise, view));
  }

  get document(): number {
    return this.#child.document;
  }

  get matches(): boolean {
    return this.#child.matches;
  }

  next(): number {
    return this.#child.next();
  }

  advance(target: number): number {
    return this.#child.advance(target);
  }

  score(): number {
    let score = this.#child.score();
    for (const column of this.#columns) score *= column.factorOf(this.#child.document);
    return score;
  }

  explain(): Explanation {
    const boosts = this.#columns.map((column) => explainFactor(column, this.#child.document));
    return { value: this.score(), description: 'product', details: [this.#child.explain(), ...boosts] };
  }
}

function explainFactor(column: RaisedColumn, document: number): Explanation {
  const factor = column.factorOf(document);
  const { path, description } = column.raise;
  const { value } = column;
  if (value === undefined) return { value: factor, description: `boost by ${path}: no value`, details: [] };
  const details = [
    { value, description: column.raise.isDate ? 'value: milliseconds since 1970' : 'value', details: [] },
  ];
  return { value: factor, description: `boost by ${path}: 1 + ${description}`, details };
}
