import { gallop, Permutation } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import { type Pacer, STEP } from './pacer.ts';
import { isNodeKind } from './relation-part.ts';
import type { Relations } from './relations.ts';
import type { GraphView } from './view.ts';

/** How often each term occurs. */
export type TermCounts = ReadonlyMap<TermId, number>;

type AddTypes = (type: TermId, times: number) => void;

/** From this many nodes on their types are read in passes over all types. */
const PASS_NODES = 256;

/** Over all other ends of relations, how often each type occurs. */
export async function countTypes(pacer: Pacer, view: GraphView, relations: Relations): Promise<TermCounts> {
  const counts = new Map<TermId, number>();
  if (view.typeId === UNBOUND) return counts;
  const add: AddTypes = (type, times) => {
    counts.set(type, (counts.get(type) ?? 0) + times);
  };
  for (const predicate of relations.predicates) {
    const others = relations.others(predicate);
    for (let start = 0; start < others.length; start += STEP) {
      const part = others.subarray(start, start + STEP).sort();
      if (part.length > PASS_NODES && !view.isMerged) countInPass(view, part, add);
      else await countEach(pacer, view, part, add);
      await pacer.step();
    }
  }
  return counts;
}

async function countEach(pacer: Pacer, view: GraphView, nodes: Uint32Array, add: AddTypes): Promise<void> {
  for (const node of nodes) {
    const types = view.types(pacer, node);
    for (const type of (types instanceof Promise ? await types : types).unordered()) add(type, 1);
  }
}

/** Walks the sorted nodes and the sorted subjects of rdf:type side by side. */
function countInPass(view: GraphView, nodes: Uint32Array, add: AddTypes): void {
  const { snapshot, graphs, typeId } = view;
  const range = new Range();
  snapshot.seek(range, Permutation.pso, graphs[0] ?? UNBOUND, typeId, UNBOUND, UNBOUND);
  const { b: subjects, c: types, sets, end } = range;
  const { permitted, dictionary } = snapshot;
  let row = range.start;
  for (const node of nodes) {
    row = gallop(subjects, row, end, node);
    for (let i = row; i < end && subjects[i] === node; i++) {
      if ((sets === null || permitted[sets[i]!] === 1) && isNodeKind(dictionary.kind(types[i]!))) add(types[i]!, 1);
    }
  }
}
