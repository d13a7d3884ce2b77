import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { type Pacer, STEP } from './pacer.ts';
import { isNodeKind, type Relations, type TermCounts } from './relations.ts';
import type { GraphView } from './view.ts';

/** All types are read in one pass where they are at most so many times the nodes. */
const PASS_FACTOR = 4;

/** Over all other ends of relations, how often each type occurs. `key` names the relations for remembering. */
export async function countTypes(
  pacer: Pacer,
  view: GraphView,
  key: string | undefined,
  relations: Relations,
): Promise<TermCounts> {
  if (key === undefined || relations.size <= STEP) return count(pacer, view, relations);
  return view.typeCounts.get(key) ?? view.typeCounts.add(key, await count(pacer, view, relations));
}

async function count(pacer: Pacer, view: GraphView, relations: Relations): Promise<TermCounts> {
  if (view.typeId === UNBOUND) return new Map();
  const all = view.rows([UNBOUND, view.typeId, UNBOUND]);
  const isPass = relations.size > STEP && all.size <= relations.size * PASS_FACTOR && !view.isMerged;
  return (isPass ? countInPass : countEach)(pacer, view, await countNodes(pacer, relations));
}

/** How often each node is the other end of a relation. */
async function countNodes(pacer: Pacer, relations: Relations): Promise<TermCounts> {
  const counts = new Map<TermId, number>();
  for (const predicate of relations.predicates) {
    const others = relations.others(predicate);
    for (let i = 0; i < others.length; i++) {
      counts.set(others[i], (counts.get(others[i]) ?? 0) + 1);
      if (i % STEP === STEP - 1) await pacer.step();
    }
  }
  return counts;
}

async function countEach(pacer: Pacer, view: GraphView, nodes: TermCounts): Promise<TermCounts> {
  const counts = new Map<TermId, number>();
  let done = 0;
  for (const [node, times] of nodes) {
    const types = view.types(pacer, node);
    for (const type of (types instanceof Promise ? await types : types).unordered()) {
      counts.set(type, (counts.get(type) ?? 0) + times);
    }
    if (++done % (STEP / 16) === 0) await pacer.step();
  }
  return counts;
}

async function countInPass(pacer: Pacer, view: GraphView, nodes: TermCounts): Promise<TermCounts> {
  const counts = new Map<TermId, number>();
  const { reader } = view;
  await view.rows([UNBOUND, view.typeId, UNBOUND]).read(pacer, (node, _predicate, type) => {
    const times = nodes.get(node);
    if (times === undefined || !isNodeKind(reader.kind(type))) return;
    counts.set(type, (counts.get(type) ?? 0) + times);
  });
  return counts;
}
