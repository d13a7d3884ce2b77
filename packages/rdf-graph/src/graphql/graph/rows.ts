import { Range } from '../../store/range.ts';
import { columnsOf, type QuadIdsCallback, type Snapshot } from '../../store/snapshot.ts';
import type { TermId } from '../../store/term-kind.ts';
import type { Later } from './later.ts';
import { type Pacer, STEP } from './pacer.ts';

/** Subject, predicate and object; 0 leaves one open. */
export type Pattern = readonly [s: TermId, p: TermId, o: TermId];

/** Sorted stretches of one permutation. */
interface Stretch {
  readonly graph: TermId;
  readonly columns: readonly [Uint32Array, Uint32Array, Uint32Array];
  readonly range: Range;
}

/** The rows of some graphs of a snapshot that match a pattern, to be read at once or in steps. */
export class Rows {
  /** How many rows there are at most: hidden ones may be among them. */
  readonly size: number;
  readonly #stretches: readonly Stretch[];
  readonly #permitted: Uint8Array;

  constructor(snapshot: Snapshot, graphs: Iterable<TermId>, [s, p, o]: Pattern) {
    const stretches: Stretch[] = [];
    let size = 0;
    for (const graph of graphs) {
      const range = new Range();
      const columns = columnsOf(snapshot.seekPattern(range, s, p, o, graph), range);
      if (range.end === range.start) continue;
      stretches.push({ graph, columns, range });
      size += range.end - range.start;
    }
    this.size = size;
    this.#stretches = stretches;
    this.#permitted = snapshot.permitted;
  }

  /** Whether any row is visible. */
  hasVisible(): boolean {
    for (const { range } of this.#stretches) {
      const { sets, start, end } = range;
      if (sets === null) return true;
      for (let i = start; i < end; i++) if (this.#permitted[sets[i]!] === 1) return true;
    }
    return false;
  }

  /** Whether any visible row has an object that passes a test. */
  someObject(test: (object: TermId) => boolean): boolean {
    return this.#stretches.some(({ columns, range: { sets, start, end } }) => {
      for (let i = start; i < end; i++) {
        if ((sets === null || this.#permitted[sets[i]!] === 1) && test(columns[2][i]!)) return true;
      }
      return false;
    });
  }

  /** Calls back with every visible row; in steps where there are many. */
  read(pacer: Pacer, visit: QuadIdsCallback): Later<void> {
    if (this.size > STEP) return this.#readInSteps(pacer, visit);
    pacer.note(this.size);
    for (const stretch of this.#stretches) this.#readPart(stretch, stretch.range.start, stretch.range.end, visit);
  }

  async #readInSteps(pacer: Pacer, visit: QuadIdsCallback): Promise<void> {
    for (const stretch of this.#stretches) {
      const { start, end } = stretch.range;
      for (let from = start; from < end; from += STEP) {
        this.#readPart(stretch, from, Math.min(end, from + STEP), visit);
        const turn = pacer.step();
        if (turn !== undefined) await turn;
      }
    }
  }

  #readPart({ graph, columns, range: { sets } }: Stretch, from: number, to: number, visit: QuadIdsCallback): void {
    const [subjects, predicates, objects] = columns;
    const permitted = this.#permitted;
    for (let i = from; i < to; i++) {
      if (sets === null || permitted[sets[i]!] === 1) visit(subjects[i]!, predicates[i]!, objects[i]!, graph);
    }
  }
}
