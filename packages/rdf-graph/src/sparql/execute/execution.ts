import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import type { TermDictionary } from '../../graph/store/term-dictionary.ts';
import { blankNode, quad } from '../../rdf/terms.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { Work } from '../functions/work.ts';
import { LOCAL_BASE, LocalTerms } from './local-terms.ts';
import { MemoryBudget } from './memory-budget.ts';
import { NumberCache } from './number-cache.ts';

/** All solutions of a part of a query, column by column: see `Columns`. */
export interface Table {
  readonly size: number;
  readonly columns: readonly (Uint32Array | undefined)[];
}

export interface ActiveDataset {
  /** The graphs whose merge is the default graph. */
  readonly defaultGraphs: readonly TermId[];
  /** The named graphs; `undefined` means every visible one. */
  readonly namedGraphs: ReadonlySet<TermId> | undefined;
}

export const WHOLE_DATASET: ActiveDataset = { defaultGraphs: [DEFAULT_GRAPH_ID], namedGraphs: undefined };

export interface FunctionSources extends Pick<FunctionContext, 'nowMs' | 'random' | 'baseIri'> {
  /** Bytes of intermediate results. Default 1 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  readonly maxSolutionWork?: number | undefined;
  /** A label for a new blank node that no other blank node has. */
  freshLabel(): string;
}

/** About what the evaluation inside a GRAPH loop takes for one graph. */
const LOOP_BYTES = 600;

/** So many graphs are visited without asking which of them have what is looked for. */
const FEW_GRAPHS = 8;

/** One evaluation of a plan over a snapshot: terms that the store does not hold, and results kept between batches. */
export class Execution {
  readonly snapshot: Snapshot;
  readonly dictionary: TermDictionary;
  readonly dataset: ActiveDataset;
  readonly memory: MemoryBudget;
  readonly locals: LocalTerms;
  readonly numbers: NumberCache;
  readonly functions: FunctionContext;
  readonly work: Work;
  /** Results of plans that do not depend on their input, by plan. */
  readonly tables: Map<object, Table> = new Map();
  /** The graph of each GRAPH loop that runs now, by variable. */
  readonly #loopGraphs: ReadonlyMap<string, TermId>;
  readonly #sources: FunctionSources;
  readonly #labels: Map<string, RDF.BlankNode>;
  readonly #loops = new Map<string, Execution>();
  #namedGraphs: Uint32Array | undefined;
  /** The graphs that were asked for by name, and which of them are there. */
  readonly #found = new Map<TermId, boolean>();

  constructor(
    snapshot: Snapshot,
    dataset: ActiveDataset,
    sources: FunctionSources,
    parent?: Execution,
    loop?: [string, TermId],
  ) {
    this.snapshot = snapshot;
    this.dictionary = snapshot.dictionary;
    this.dataset = dataset;
    this.#sources = sources;
    this.memory = parent?.memory ?? new MemoryBudget(sources.maxMemoryBytes);
    this.locals = parent?.locals ?? new LocalTerms(this.memory);
    this.numbers = parent?.numbers ?? new NumberCache(this.dictionary, this.locals);
    this.#labels = parent === undefined ? new Map() : parent.#labels;
    this.#loopGraphs =
      loop === undefined ? new Map() : new Map([...(parent === undefined ? [] : parent.#loopGraphs), loop]);
    const work = parent?.work ?? new Work(sources.maxSolutionWork);
    this.work = work;
    this.functions = parent?.functions ?? {
      nowMs: sources.nowMs,
      random: sources.random,
      baseIri: sources.baseIri,
      blankNode: (label) => this.#blankNode(label),
      spend: (steps) => work.spend(steps),
    };
  }

  /** The same evaluation inside a GRAPH loop. */
  inGraph(variable: string, graph: TermId): Execution {
    const key = `${variable} ${graph}`;
    let inner = this.#loops.get(key);
    if (inner === undefined) {
      this.memory.take(LOOP_BYTES);
      inner = new Execution(this.snapshot, this.dataset, this.#sources, this, [variable, graph]);
      this.#loops.set(key, inner);
    }
    return inner;
  }

  loopGraph(variable: string): TermId {
    const graph = this.#loopGraphs.get(variable);
    if (graph === undefined) throw new Error(`GRAPH ?${variable} is read outside of its loop`);
    return graph;
  }

  /** The visible named graphs of the dataset, sorted by id. */
  namedGraphs(): Uint32Array {
    if (this.#namedGraphs === undefined) {
      const all = this.snapshot.namedGraphs();
      const { namedGraphs } = this.dataset;
      this.#namedGraphs = namedGraphs === undefined ? all : all.filter((graph) => namedGraphs.has(graph));
    }
    return this.#namedGraphs;
  }

  /** The named graphs of the dataset that may hold a visible quad with these ids, sorted by id; 0 matches any term. */
  namedGraphsWith(s: TermId, p: TermId, o: TermId): Uint32Array {
    const all = this.namedGraphs();
    if (all.length <= FEW_GRAPHS) return all;
    return this.snapshot.graphsWith(s, p, o).filter((graph) => this.isNamedGraph(graph));
  }

  /** Returns true if GRAPH with this IRI may read the graph. */
  isNamedGraph(graph: TermId): boolean {
    if (graph === DEFAULT_GRAPH_ID) return false;
    return this.dataset.namedGraphs?.has(graph) ?? true;
  }

  /** Returns true if GRAPH with this IRI may read the graph and it is there: something of it is visible. In slices. */
  *hasNamedGraph(graph: TermId): Generator<undefined, boolean> {
    if (!this.isNamedGraph(graph)) return false;
    const known = this.#found.get(graph);
    if (known !== undefined) return known;
    const has = yield* this.#hasQuads(graph);
    this.#found.set(graph, has);
    return has;
  }

  *#hasQuads(graph: TermId): Generator<undefined, boolean> {
    for (const found of this.snapshot.quadIdsInSlices(UNBOUND, UNBOUND, UNBOUND, graph)) {
      if (found !== undefined) return true;
      yield undefined;
    }
    return false;
  }

  /** The id of a term: the store's, or one of this evaluation. */
  idOf(term: RDF.Term): TermId {
    return this.dictionary.find(term) || this.locals.intern(term);
  }

  tripleId(s: TermId, p: TermId, o: TermId): TermId {
    return this.idOf(quad(this.term(s), this.term(p), this.term(o)));
  }

  /** The term of an id of the store or of this evaluation. */
  term(id: TermId): RDF.Term {
    return id >= LOCAL_BASE ? this.locals.term(id) : this.dictionary.term(id);
  }

  /** Tells BNODE(label), and who counts the work, that the next solution begins. */
  beginSolution(): void {
    this.work.beginSolution();
    if (this.#labels.size > 0) this.#labels.clear();
  }

  #blankNode(label: string | undefined): RDF.BlankNode {
    if (label === undefined) return blankNode(this.#sources.freshLabel());
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    const node = blankNode(this.#sources.freshLabel());
    this.#labels.set(label, node);
    return node;
  }
}
