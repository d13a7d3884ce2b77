import type * as RDF from '@rdfjs/types';
import { Permutation } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import type { Path } from '../algebra/algebra.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';
import type { GraphPlace, Place } from './pattern-join.ts';

/** A path pattern ready to run. */
export interface PathPlaces {
  readonly subject: Place;
  readonly object: Place;
  readonly graph: GraphPlace;
  readonly path: Path;
  readonly kept: readonly number[];
}

type Walk = Generator<undefined, readonly TermId[]>;

/** Extends each row by the pairs of nodes that a path with closures or negated sets connects. Cycles end. */
export class PathJoin implements Plan {
  readonly #places: PathPlaces;
  readonly #outSlots: readonly number[];

  constructor(places: PathPlaces) {
    this.#places = places;
    const { subject, object, graph } = places;
    this.#outSlots = [subject, object, graph].map((place) =>
      place.type === 'new' || place.type === 'maybe' ? place.slot : -1,
    );
  }

  *run(x: Execution, input: Steps): Steps {
    const walker = new Walker(x, this.#places.path);
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#join(x, batch, walker);
    }
  }

  *#join(x: Execution, batch: Batch, walker: Walker): Steps {
    const slots = this.#outSlots.filter((slot) => slot >= 0);
    const output = new Output(slots, this.#places.kept);
    for (let row = 0; row < batch.size; row++) {
      for (const graphs of this.#graphSets(x, batch, row)) {
        walker.enter(graphs);
        yield* this.#pairs(x, batch, row, walker, output);
      }
    }
    yield output.size > 0 ? output.take(batch) : undefined;
  }

  /** The graphs to walk in: all of one set together, one set after the other. */
  #graphSets(x: Execution, batch: Batch, row: number): readonly (readonly TermId[])[] {
    const { graph } = this.#places;
    switch (graph.type) {
      case 'default':
        return [x.dataset.defaultGraphs];
      case 'loop':
        return [[x.loopGraphs.get(graph.name)!]];
      case 'term': {
        const id = x.idOf(graph.term);
        return x.isNamedGraph(id) ? [[id]] : [];
      }
      default: {
        const bound = 'slot' in graph && graph.type !== 'new' ? idAt(batch, graph.slot, row) : UNBOUND;
        if (bound !== UNBOUND) return x.isNamedGraph(bound) ? [[bound]] : [];
        return Array.from(x.namedGraphs(), (id) => [id]);
      }
    }
  }

  *#pairs(x: Execution, batch: Batch, row: number, walker: Walker, output: Output): Steps {
    const subject = this.#idOf(x, this.#places.subject, batch, row);
    const object = this.#idOf(x, this.#places.object, batch, row);
    const isLoop = this.#places.object.type === 'repeat';
    if (subject === UNBOUND && object !== UNBOUND) {
      if (this.#places.object.type !== 'term' && !walker.isNode(object) && walker.isNullable) return;
      for (const start of yield* walker.walk(this.#places.path, object, false)) {
        yield* this.#emit(batch, row, start, object, walker, output);
      }
      return;
    }
    const starts = subject === UNBOUND ? yield* walker.startNodes() : [subject];
    if (subject !== UNBOUND && this.#places.subject.type !== 'term' && walker.isNullable && !walker.isNode(subject)) {
      // A variable ranges over the nodes of the graph; a term of the query may stand for itself.
      if (this.#places.object.type !== 'term' || object !== subject) return;
    }
    for (const start of starts) {
      for (const end of yield* walker.walk(this.#places.path, start, true)) {
        if (object !== UNBOUND && end !== object) continue;
        if (isLoop && end !== start) continue;
        yield* this.#emit(batch, row, start, end, walker, output);
      }
    }
  }

  *#emit(batch: Batch, row: number, start: TermId, end: TermId, walker: Walker, output: Output): Steps {
    const { graph } = this.#places;
    // GRAPH ?g { ?g path ?x }: the end of the path is the graph itself.
    if (graph.type === 'repeat' && (graph.place === 0 ? start : end) !== walker.graph) return;
    if (!output.reserve()) yield output.take(batch);
    const at = output.size++;
    output.rows[at] = row;
    const values = [start, end, walker.graph];
    let out = 0;
    for (let i = 0; i < 3; i++) if (this.#outSlots[i]! >= 0) output.values[out++]![at] = values[i]!;
  }

  #idOf(x: Execution, place: Place, batch: Batch, row: number): TermId {
    if (place.type === 'term') return x.idOf(place.term);
    return place.type === 'bound' || place.type === 'maybe' ? idAt(batch, place.slot, row) : UNBOUND;
  }
}

const MAX_REMEMBERED_NODES = 1 << 20;

/** Walks a path from one node, in a set of graphs. */
class Walker {
  readonly isNullable: boolean;
  readonly #x: Execution;
  readonly #range = new Range();
  readonly #ids = new Map<RDF.Term, TermId>();
  readonly #remembered = new Map<string, readonly TermId[]>();
  #rememberedNodes = 0;
  #graphs: readonly TermId[] = [];
  #work = 0;

  constructor(x: Execution, path: Path) {
    this.#x = x;
    this.isNullable = isNullable(path);
  }

  get graph(): TermId {
    return this.#graphs[0] ?? UNBOUND;
  }

  enter(graphs: readonly TermId[]): void {
    this.#graphs = graphs;
  }

  /** Whether a term is a subject or object of the graphs. */
  isNode(id: TermId): boolean {
    const { snapshot } = this.#x;
    return this.#graphs.some((g) => snapshot.count(id, 0, 0, g) > 0 || snapshot.count(0, 0, id, g) > 0);
  }

  /** Where a path whose ends are both open can start: every node, subjects first. */
  *startNodes(): Walk {
    const nodes = new Set<TermId>();
    for (const graph of this.#graphs) {
      for (const permutation of [Permutation.spo, Permutation.osp]) {
        this.#x.snapshot.seek(this.#range, permutation, graph, 0, 0, 0);
        const { a, sets, start, end } = this.#range;
        for (let i = start; i < end; i++) {
          if (sets !== null && this.#x.snapshot.permitted[sets[i]!] !== 1) continue;
          nodes.add(a[i]!);
          if (++this.#work % (BATCH_ROWS * 4) === 0) yield undefined;
        }
      }
    }
    return [...nodes];
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
        for (const part of path.paths) ends.push(...(yield* this.walk(part, node, forward)));
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
    let ends: readonly TermId[] = [node];
    for (const path of forward ? paths : [...paths].reverse()) {
      const next: TermId[] = [];
      for (const end of ends) next.push(...(yield* this.walk(path, end, forward)));
      ends = next;
    }
    return ends;
  }

  *#closure(path: Path, node: TermId, forward: boolean, withStart: boolean): Walk {
    const key = `${this.#graphs.join()} ${node} ${forward} ${withStart} ${this.#pathKey(path)}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const seen = new Set<TermId>(withStart ? [node] : []);
    let frontier: TermId[] = [node];
    while (frontier.length > 0) {
      const next: TermId[] = [];
      for (const from of frontier) {
        for (const to of yield* this.walk(path, from, forward)) {
          if (seen.has(to)) continue;
          seen.add(to);
          next.push(to);
        }
      }
      frontier = next;
    }
    const ends = [...seen];
    this.#rememberedNodes += ends.length;
    if (this.#rememberedNodes <= MAX_REMEMBERED_NODES) this.#remembered.set(key, ends);
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
      if (forward) this.#x.snapshot.seek(this.#range, permutation, graph, node, predicate, 0);
      else this.#x.snapshot.seek(this.#range, permutation, graph, predicate, node, 0);
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
      this.#x.snapshot.seek(this.#range, forward ? Permutation.spo : Permutation.osp, graph, node, 0, 0);
      const { b, c } = this.#range;
      const isNew = (i: number): boolean => {
        if (ids.has(forward ? b[i]! : c[i]!)) return false;
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
    const { permitted } = this.#x.snapshot;
    for (let i = start; i < end; i++) {
      if (sets !== null && permitted[sets[i]!] !== 1) continue;
      if (takes(i)) ends.push(column[i]!);
    }
    this.#work += end - start;
  }

  #idOf(iri: RDF.Term): TermId {
    const known = this.#ids.get(iri);
    if (known !== undefined) return known;
    const id = this.#x.idOf(iri);
    this.#ids.set(iri, id);
    return id;
  }
}

/** Whether a path connects every node with itself. */
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
