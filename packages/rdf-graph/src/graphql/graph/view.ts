import { namedNode } from '../../rdf/terms.ts';
import { RDF_NS } from '../../rdf/vocabulary.ts';
import { gallop, Permutation } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import type { QuadIdsCallback, Snapshot } from '../../store/snapshot.ts';
import { isLiteralKind, type TermId, TermKind, UNBOUND } from '../../store/term-kind.ts';
import { IdList } from './id-list.ts';
import { LazyOrder } from './lazy-order.ts';
import { Relations } from './relations.ts';
import { RowCache } from './row-cache.ts';
import { TermOrder } from './term-order.ts';

/** Which way relations are followed from a node. */
export type Direction = 'out' | 'in';

/** Which relations are meant: those to IRIs and blank nodes, those to literals, or all. */
export type RelationPart = 'nodes' | 'literals' | 'all';

/** How often each term occurs. */
export type TermCounts = ReadonlyMap<TermId, number>;

const TYPE = namedNode(`${RDF_NS}type`);

const PARTS: Readonly<Record<Exclude<RelationPart, 'all'>, (kind: number) => boolean>> = {
  nodes: (kind) => kind === TermKind.iri || kind === TermKind.blankNode,
  literals: isLiteralKind,
};

/** Above this many nodes their types are read in one pass over all types. */
const PASS_NODES = 256;

/**
 * One graph (or the union of all) of a snapshot as GraphQL reads it: nodes, relations, types and counts by id. What is
 * large is read once and remembered for as long as the snapshot lives, so for one viewer and one state of the data.
 */
export class GraphView {
  readonly snapshot: Snapshot;
  readonly order: TermOrder;
  readonly graph: TermId;
  /** The id of rdf:type, or 0 when nothing has a type. */
  readonly typeId: TermId;
  readonly #isMerged: boolean;
  readonly #relations = new RowCache<Relations>((relations) => relations.size);
  readonly #lists = new RowCache<LazyOrder>((list) => list.length);
  readonly #facets = new RowCache<TermCounts>((counts) => counts.size);

  /** @param graph UNBOUND for the union of all visible graphs */
  constructor(snapshot: Snapshot, graph: TermId) {
    this.snapshot = snapshot;
    this.graph = graph;
    this.order = new TermOrder(snapshot.dictionary);
    this.typeId = snapshot.idOf(TYPE);
    this.#isMerged = graph === UNBOUND && snapshot.graphs().length > 1;
  }

  /** Whether a term is a subject or an object. */
  has(id: TermId): boolean {
    if (id === UNBOUND) return false;
    return this.#some(id, UNBOUND, UNBOUND) || this.#some(UNBOUND, UNBOUND, id);
  }

  #some(s: TermId, p: TermId, o: TermId): boolean {
    for (const _ of this.snapshot.quadIds(s, p, o, this.graph)) return true;
    return false;
  }

  /** The relations of a node. Cost: O(its relations) when they are not remembered. */
  relations(node: TermId, direction: Direction, part: RelationPart): Relations {
    return this.#relations.get(`${node}/${direction}/${part}`, () => this.#readRelations(node, direction, part));
  }

  #readRelations(node: TermId, direction: Direction, part: RelationPart): Relations {
    const { dictionary } = this.snapshot;
    const groups = new Map<TermId, IdList>();
    let last = UNBOUND;
    let list: IdList | undefined;
    const add = (predicate: TermId, other: TermId): void => {
      if (part !== 'all' && !PARTS[part](dictionary.kind(other))) return;
      if (predicate !== last || list === undefined) {
        last = predicate;
        list = groups.get(predicate) ?? new IdList();
        groups.set(predicate, list);
      }
      list.push(other);
    };
    if (direction === 'out') this.snapshot.forEach(node, UNBOUND, UNBOUND, this.graph, (_s, p, o) => add(p, o));
    else this.snapshot.forEach(UNBOUND, UNBOUND, node, this.graph, (s, p) => add(p, s));
    const arrays = new Map([...groups].map(([predicate, ids]) => [predicate, this.#distinct(ids.toArray())]));
    return new Relations(arrays, this.order);
  }

  /** Of several graphs one triple may come more than once. */
  #distinct(ids: Uint32Array): Uint32Array {
    return this.#isMerged ? Uint32Array.from(new Set(ids)) : ids;
  }

  /** The types of a node, in order. */
  types(node: TermId): LazyOrder {
    return this.objectsOf(node, this.typeId);
  }

  /** The nodes that have a type, in order. */
  instances(type: TermId): LazyOrder {
    return this.subjectsOf(this.typeId, type);
  }

  /** The nodes that have any type, in order. */
  typed(): LazyOrder {
    return this.#list('typed', this.typeId !== UNBOUND, [UNBOUND, this.typeId, UNBOUND]);
  }

  /** Every subject, in order. */
  subjects(): LazyOrder {
    return this.#list('subjects', true, [UNBOUND, UNBOUND, UNBOUND]);
  }

  /** The subjects of a predicate and object, in order; none when either id is 0. */
  subjectsOf(predicate: TermId, object: TermId): LazyOrder {
    const isKnown = predicate !== UNBOUND && object !== UNBOUND;
    return this.#list(`subjects/${predicate}/${object}`, isKnown, [UNBOUND, predicate, object]);
  }

  /** The objects of a subject and predicate, in order; none when either id is 0. */
  objectsOf(subject: TermId, predicate: TermId): LazyOrder {
    const isKnown = subject !== UNBOUND && predicate !== UNBOUND;
    return this.#list(`objects/${subject}/${predicate}`, isKnown, [subject, predicate, UNBOUND]);
  }

  /** The distinct terms that a pattern leaves open: its subjects, or its objects when the subject is bound. */
  #list(key: string, isKnown: boolean, [s, p, o]: readonly [TermId, TermId, TermId]): LazyOrder {
    return this.#lists.get(key, () => {
      const ids = new IdList();
      let last = UNBOUND;
      const add = (id: TermId): void => {
        if (id !== last) ids.push(id);
        last = id;
      };
      const visit: QuadIdsCallback = s === UNBOUND ? (subject) => add(subject) : (_s, _p, object) => add(object);
      if (isKnown) this.snapshot.forEach(s, p, o, this.graph, visit);
      return new LazyOrder(Uint32Array.from(new Set(ids.toArray())), this.order.compare);
    });
  }

  /** Whether a node has a type. */
  isInstance(node: TermId, type: TermId): boolean {
    return this.typeId !== UNBOUND && type !== UNBOUND && this.#some(node, this.typeId, type);
  }

  /** Over all other ends of relations, how often each type occurs. `key` names the relations for remembering. */
  typeCounts(key: string | undefined, relations: Relations): TermCounts {
    if (key === undefined) return this.#countTypes(relations);
    return this.#facets.get(key, () => this.#countTypes(relations));
  }

  #countTypes(relations: Relations): TermCounts {
    const counts = new Map<TermId, number>();
    if (this.typeId === UNBOUND) return counts;
    const others = sortedOthers(relations);
    const add = (type: TermId, times: number): void => {
      counts.set(type, (counts.get(type) ?? 0) + times);
    };
    if (others.length > PASS_NODES && this.graph !== UNBOUND) this.#countInPass(others, add);
    else this.#countEach(others, add);
    return counts;
  }

  #countEach(others: Uint32Array, add: (type: TermId, times: number) => void): void {
    for (let i = 0; i < others.length; ) {
      const node = others[i]!;
      const start = i;
      while (i < others.length && others[i] === node) i++;
      for (const type of this.types(node).unordered) add(type, i - start);
    }
  }

  /** Walks the sorted nodes and the sorted subjects of rdf:type side by side. */
  #countInPass(others: Uint32Array, add: (type: TermId, times: number) => void): void {
    const range = new Range();
    this.snapshot.seek(range, Permutation.pso, this.graph, this.typeId, UNBOUND, UNBOUND);
    const { b: subjects, c: types, sets, end } = range;
    const { permitted } = this.snapshot;
    let row = range.start;
    for (let i = 0; i < others.length; ) {
      const node = others[i]!;
      const start = i;
      while (i < others.length && others[i] === node) i++;
      row = gallop(subjects, row, end, node);
      for (; row < end && subjects[row] === node; row++) {
        if (sets === null || permitted[sets[row]!] === 1) add(types[row]!, i - start);
      }
    }
  }
}

/** The other ends of all relations with repetition, sorted by id. */
function sortedOthers(relations: Relations): Uint32Array {
  const others = new Uint32Array(relations.size);
  let at = 0;
  for (const predicate of relations.predicates) {
    const ids = relations.others(predicate);
    others.set(ids, at);
    at += ids.length;
  }
  return others.sort();
}
