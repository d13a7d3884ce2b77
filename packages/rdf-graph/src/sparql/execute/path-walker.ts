import type * as RDF from '@rdfjs/types';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { Permutation } from '../../graph/store/permutation.ts';
import { Range } from '../../graph/store/range.ts';
import type { Path } from '../algebra/algebra.ts';
import { BATCH_ROWS } from './batch.ts';
import type { Execution } from './execution.ts';

type Walk = Generator<undefined, readonly TermId[]>;

const MAX_REMEMBERED_NODES = 1 << 20;

/** About what a node takes while a closure is walked, and when its end is remembered. */
const NODE_BYTES = 48;
const KEPT_NODE_BYTES = 8;

/** An end of a part of a path, once for each way that leads there. */
const END_BYTES = 16;

/** Walks a path from one node, in a set of graphs. */
export class Walker {
  readonly isNullable: boolean;
  readonly #execution: Execution;
  readonly #range = new Range();
  readonly #ids = new Map<RDF.Term, TermId>();
  readonly #remembered = new Map<string, readonly TermId[]>();
  #rememberedNodes = 0;
  #graphs: readonly TermId[] = [];
  #work = 0;

  constructor(execution: Execution, path: Path) {
    this.#execution = execution;
    this.isNullable = isNullable(path);
  }

  get graph(): TermId {
    return this.#graphs[0] ?? UNBOUND;
  }

  enter(graphs: readonly TermId[]): void {
    this.#graphs = graphs;
  }

  /** Returns true if a term is a subject or object of the graphs. */
  isNode(id: TermId): boolean {
    const { snapshot } = this.#execution;
    return this.#graphs.some((g) => snapshot.count(id, 0, 0, g) > 0 || snapshot.count(0, 0, id, g) > 0);
  }

  /** Where a path whose ends are both open can start: every node, subjects first. */
  *startNodes(): Walk {
    const nodes = new Set<TermId>();
    for (const graph of this.#graphs) {
      for (const permutation of [Permutation.spo, Permutation.osp]) {
        // A range of its own: others walk while this one pauses.
        const range = new Range();
        for (const _ of this.#execution.snapshot.pieces(range, permutation, 0, 0, 0, graph)) {
          yield* this.#addNodes(nodes, range);
          yield undefined;
        }
      }
    }
    return [...nodes];
  }

  *#addNodes(nodes: Set<TermId>, { a, sets, start, end }: Range): Generator<undefined, void> {
    const { permitted } = this.#execution.snapshot;
    for (let i = start; i < end; i++) {
      if (sets !== null && permitted[sets[i]] !== 1) continue;
      if (!nodes.has(a[i])) this.#execution.memory.take(NODE_BYTES);
      nodes.add(a[i]);
      if (++this.#work % (BATCH_ROWS * 4) === 0) yield undefined;
    }
  }

  /** The ends of a path from a node, backwards when not `forward`. Closures give each end once. */
  *walk(path: Path, node: TermId, forward: boolean): Walk {
    if (++this.#work % BATCH_ROWS === 0) yield undefined;
    switch (path.type) {
      case 'link':
        return this.#links(path.iri, node, forward);
      case 'inverse':
        return yield* this.walk(path.path, node, !forward);
      case 'sequence':
        return yield* this.#sequence(path.paths, node, forward);
      case 'alternative': {
        const ends: TermId[] = [];
        for (const part of path.paths) append(ends, yield* this.walk(part, node, forward));
        return ends;
      }
      case 'zeroOrOne':
        return [...new Set([node, ...(yield* this.walk(path.path, node, forward))])];
      case 'zeroOrMore':
        return yield* this.#closure(path.path, node, forward, true);
      case 'oneOrMore':
        return yield* this.#closure(path.path, node, forward, false);
      case 'negated':
        return this.#negated(path, node, forward);
    }
  }

  *#sequence(paths: readonly Path[], node: TermId, forward: boolean): Walk {
    const { memory } = this.#execution;
    let ends: readonly TermId[] = [node];
    let held = 0;
    for (const path of forward ? paths : [...paths].reverse()) {
      const next: TermId[] = [];
      for (const end of ends) {
        const more = yield* this.walk(path, end, forward);
        memory.take(END_BYTES * more.length);
        append(next, more);
      }
      memory.release(held);
      held = END_BYTES * next.length;
      ends = next;
    }
    memory.release(held);
    return ends;
  }

  *#closure(path: Path, node: TermId, forward: boolean, withStart: boolean): Walk {
    const key = `${this.#graphs.join()} ${node} ${forward} ${withStart} ${this.#pathKey(path)}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const seen = new Set<TermId>(withStart ? [node] : []);
    const open = [node];
    // Breadth first: nodes are appended while the list is walked.
    for (const from of open) {
      for (const to of yield* this.walk(path, from, forward)) {
        if (seen.has(to)) continue;
        seen.add(to);
        open.push(to);
        this.#execution.memory.take(NODE_BYTES);
      }
    }
    const ends = [...seen];
    this.#rememberedNodes += ends.length;
    const isKept = this.#rememberedNodes <= MAX_REMEMBERED_NODES;
    if (isKept) this.#remembered.set(key, ends);
    // What is remembered stays until the end; the rest goes with its walk.
    this.#execution.memory.release((NODE_BYTES - (isKept ? KEPT_NODE_BYTES : 0)) * (seen.size - (withStart ? 1 : 0)));
    if (isKept) this.#execution.memory.take(key.length * 2 + 100);
    return ends;
  }

  readonly #pathKeys = new Map<Path, number>();

  #pathKey(path: Path): number {
    const known = this.#pathKeys.get(path) ?? this.#pathKeys.size;
    this.#pathKeys.set(path, known);
    return known;
  }

  #links(iri: RDF.Term, node: TermId, forward: boolean): readonly TermId[] {
    const predicate = this.#idOf(iri);
    const ends: TermId[] = [];
    for (const graph of this.#graphs) {
      const permutation = forward ? Permutation.spo : Permutation.pos;
      if (forward) this.#execution.snapshot.seek(this.#range, permutation, graph, node, predicate, 0);
      else this.#execution.snapshot.seek(this.#range, permutation, graph, predicate, node, 0);
      this.#collect(ends, () => true);
    }
    return this.#graphs.length > 1 ? [...new Set(ends)] : ends;
  }

  #negated(
    { forward, backward }: Extract<Path, { type: 'negated' }>,
    node: TermId,
    isForward: boolean,
  ): readonly TermId[] {
    const ends: TermId[] = [];
    // A set with only inverse members has no forward part, and the other way round.
    if (forward.length > 0 || backward.length === 0) this.#others(ends, forward, node, isForward);
    if (backward.length > 0) this.#others(ends, backward, node, !isForward);
    return ends;
  }

  #others(ends: TermId[], excluded: readonly RDF.Term[], node: TermId, forward: boolean): void {
    const ids = new Set(excluded.map((iri) => this.#idOf(iri)));
    const seen = new Set<string>();
    for (const graph of this.#graphs) {
      this.#execution.snapshot.seek(this.#range, forward ? Permutation.spo : Permutation.osp, graph, node, 0, 0);
      const { b, c } = this.#range;
      const isNew = (i: number): boolean => {
        if (ids.has(forward ? b[i] : c[i])) return false;
        if (this.#graphs.length === 1) return true;
        const key = `${b[i]} ${c[i]}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
      };
      this.#collect(ends, isNew, forward ? c : b);
    }
  }

  #collect(ends: TermId[], takes: (i: number) => boolean, column: Uint32Array = this.#range.c): void {
    const { sets, start, end } = this.#range;
    const { permitted } = this.#execution.snapshot;
    for (let i = start; i < end; i++) {
      if (sets !== null && permitted[sets[i]] !== 1) continue;
      if (takes(i)) ends.push(column[i]);
    }
    this.#work += end - start;
  }

  #idOf(iri: RDF.Term): TermId {
    const known = this.#ids.get(iri);
    if (known !== undefined) return known;
    const id = this.#execution.idOf(iri);
    this.#ids.set(iri, id);
    return id;
  }
}

/** Pushing all at once would put them on the stack: a node may have a million neighbours. */
function append(ends: TermId[], more: readonly TermId[]): void {
  for (const end of more) ends.push(end);
}

/** Returns true if a path connects every node with itself. */
function isNullable(path: Path): boolean {
  switch (path.type) {
    case 'zeroOrMore':
    case 'zeroOrOne':
      return true;
    case 'oneOrMore':
    case 'inverse':
      return isNullable(path.path);
    case 'sequence':
      return path.paths.every(isNullable);
    case 'alternative':
      return path.paths.some(isNullable);
    default:
      return false;
  }
}
