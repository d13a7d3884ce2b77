import type { GraphReader, GraphRows, QuadIdsCallback } from '../../graph/port/graph-reader.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { type Later, type Pacer, STEP } from './pacer.ts';

/** Subject, predicate and object; 0 leaves one open. */
export type Pattern = readonly [s: TermId, p: TermId, o: TermId];

/** The rows of some graphs that match a pattern, to be read at once or in steps. */
export class Rows {
  /** How many rows there are at most: hidden ones may be among them. */
  readonly size: number;
  readonly #parts: readonly GraphRows[];

  constructor(reader: GraphReader, graphs: Iterable<TermId>, [s, p, o]: Pattern) {
    const parts: GraphRows[] = [];
    let size = 0;
    for (const graph of graphs) {
      const found = reader.rows(s, p, o, graph);
      if (found.size === 0) continue;
      parts.push(found);
      size += found.size;
    }
    this.size = size;
    this.#parts = parts;
  }

  hasVisible(): boolean {
    return this.size > 0 && this.some(() => true);
  }

  some(test: (s: TermId, p: TermId, o: TermId) => boolean): boolean {
    let isFound = false;
    const visit: QuadIdsCallback = (s, p, o) => {
      isFound ||= test(s, p, o);
    };
    for (const part of this.#parts) {
      const cursor = part.open();
      while (!isFound && cursor.read(16, visit));
      if (isFound) return true;
    }
    return false;
  }

  /** Calls back with every visible row; in steps where there are many. */
  read(pacer: Pacer, visit: QuadIdsCallback): Later<void> {
    if (this.size > STEP) return this.#readInSteps(pacer, visit);
    pacer.note(this.size);
    for (const part of this.#parts) part.open().read(Number.POSITIVE_INFINITY, visit);
  }

  async #readInSteps(pacer: Pacer, visit: QuadIdsCallback): Promise<void> {
    for (const part of this.#parts) {
      const cursor = part.open();
      while (cursor.read(STEP, visit)) {
        const turn = pacer.step();
        if (turn !== undefined) await turn;
      }
    }
  }
}
