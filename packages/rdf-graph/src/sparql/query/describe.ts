import type { QuadIds } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Execution } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';

/** About what a node takes in a set or a list. */
const BYTES_PER_NODE = 32;

/**
 * Describes resources: every triple of the default graph they are the subject of, and those of the blank nodes reached
 * from there (a concise bounded description). Those in `seen` were described before.
 */
export function* describeResources(
  execution: Execution,
  resources: Iterable<TermId>,
  seen: Set<TermId>,
): Generator<QuadIds> {
  for (const resource of resources) {
    const pending = [resource];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === UNBOUND || node >= LOCAL_BASE || seen.has(node)) continue;
      execution.memory.take(BYTES_PER_NODE);
      seen.add(node);
      for (const ids of triplesOf(execution, node)) {
        yield ids;
        if (execution.dictionary.kind(ids[2]) !== TermKind.blankNode) continue;
        execution.memory.take(BYTES_PER_NODE);
        pending.push(ids[2]);
      }
    }
  }
}

function* triplesOf({ snapshot, dataset }: Execution, node: TermId): Generator<QuadIds> {
  for (const graph of dataset.defaultGraphs) {
    for (const [s, p, o] of snapshot.quadIds(node, UNBOUND, UNBOUND, graph)) yield [s, p, o, DEFAULT_GRAPH_ID];
  }
}
