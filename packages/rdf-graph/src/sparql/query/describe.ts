import type { QuadIds } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import { type Batch, idAt } from '../execute/batch.ts';
import type { Execution } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';

/** About what a node takes in a set or a list. */
const BYTES_PER_NODE = 32;

/**
 * Describes resources: every triple of the default graph they are the subject of, and those of the blank nodes reached
 * from there (a concise bounded description).
 */
export class Describer {
  readonly #execution: Execution;
  readonly #seen = new Set<TermId>();

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  /** The triples of what a batch binds. */
  *ofBatch(batch: Batch, slots: readonly number[]): Generator<QuadIds> {
    for (let row = 0; row < batch.size; row++) for (const slot of slots) yield* this.of(idAt(batch, slot, row));
  }

  *of(resource: TermId): Generator<QuadIds> {
    const pending = [resource];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === UNBOUND || node >= LOCAL_BASE || this.#seen.has(node)) continue;
      this.#execution.memory.take(BYTES_PER_NODE);
      this.#seen.add(node);
      for (const ids of this.#triplesOf(node)) {
        yield ids;
        if (this.#execution.dictionary.kind(ids[2]) !== TermKind.blankNode) continue;
        this.#execution.memory.take(BYTES_PER_NODE);
        pending.push(ids[2]);
      }
    }
  }

  *#triplesOf(node: TermId): Generator<QuadIds> {
    const { snapshot, dataset } = this.#execution;
    for (const graph of dataset.defaultGraphs) {
      for (const [s, p, o] of snapshot.quadIds(node, UNBOUND, UNBOUND, graph)) yield [s, p, o, DEFAULT_GRAPH_ID];
    }
  }
}
