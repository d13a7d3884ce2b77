import type { CompareTerms, GraphReader } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { namedNode } from '../../rdf/terms.ts';
import { RDF_NS } from '../../rdf/vocabulary.ts';
import { distinctRelations, FewRelations } from './few-relations.ts';
import { distinctIds, IdList } from './id-list.ts';
import { LazyOrder } from './lazy-order.ts';
import { ManyRelations } from './many-relations.ts';
import { type Later, type Pacer, STEP, whenDone } from './pacer.ts';
import { isNodeKind, PARTS, type Relation, type RelationPart, type Relations, type TermCounts } from './relations.ts';
import { RowCache } from './row-cache.ts';
import { type Pattern, Rows } from './rows.ts';

export type Direction = 'out' | 'in';

const TYPE = namedNode(`${RDF_NS}type`);

/**
 * One graph (or the union of all) as GraphQL reads it: nodes, relations, types and counts by id. What is large is read in
 * steps, once, and remembered for as long as the reader lives: for one viewer and one state of the data.
 */
export class GraphView {
  readonly reader: GraphReader;
  readonly graph: TermId;
  readonly graphs: readonly TermId[];
  /** The id of rdf:type, or 0 when nothing has a type. */
  readonly typeId: TermId;
  readonly #compare: CompareTerms;
  readonly #relations = new RowCache<Relations>((relations) => relations.size);
  readonly #lists = new RowCache<LazyOrder>((list) => list.length);
  /** How often each type occurs at the other ends of relations, by the key of these. */
  readonly typeCounts: RowCache<TermCounts> = new RowCache<TermCounts>((counts) => counts.size);

  /** @param graph UNBOUND for the union of all graphs */
  constructor(reader: GraphReader, graph: TermId) {
    this.reader = reader;
    this.graph = graph;
    this.graphs = graph === UNBOUND ? reader.possibleGraphs() : [graph];
    this.#compare = reader.compare;
    this.typeId = reader.idOf(TYPE);
  }

  rows(pattern: Pattern): Rows {
    return new Rows(this.reader, this.graphs, pattern);
  }

  /** Returns true if one triple may come more than once: of several graphs. */
  get isMerged(): boolean {
    return this.graphs.length > 1;
  }

  /** Returns true if a term is a subject or an object. */
  has(id: TermId): boolean {
    return id !== UNBOUND && (this.rowsOf(id, 'out').hasVisible() || this.rowsOf(id, 'in').hasVisible());
  }

  /** The rows in which a node is the subject, or the object. */
  rowsOf(node: TermId, direction: Direction): Rows {
    return this.rows(direction === 'out' ? [node, UNBOUND, UNBOUND] : [UNBOUND, UNBOUND, node]);
  }

  /** The relations of a node, by its rows. Cost: O(rows) when they are not remembered. */
  relations(
    pacer: Pacer,
    node: TermId,
    direction: Direction,
    part: RelationPart,
    rows: Rows = this.rowsOf(node, direction),
  ): Later<Relations> {
    if (rows.size > STEP) {
      const key = `${node}/${direction}/${part}`;
      return this.#relations.get(key) ?? this.#readMany(pacer, rows, key, direction, part);
    }
    const { reader } = this;
    const isWanted = PARTS[part];
    const isOut = direction === 'out';
    const found: Relation[] = [];
    rows.read(pacer, (s, predicate, o) => {
      const other = isOut ? o : s;
      if (isWanted(reader.kind(other))) found.push({ predicate, other });
    });
    return new FewRelations(this.isMerged ? distinctRelations(found) : found, this.#compare);
  }

  async #readMany(pacer: Pacer, rows: Rows, key: string, direction: Direction, part: RelationPart): Promise<Relations> {
    const { reader } = this;
    const groups = new Map<TermId, IdList>();
    let last = UNBOUND;
    let list: IdList | undefined;
    await rows.read(pacer, (s, predicate, o) => {
      const other = direction === 'out' ? o : s;
      if (!PARTS[part](reader.kind(other))) return;
      if (predicate !== last || list === undefined) {
        last = predicate;
        list = groups.get(predicate) ?? new IdList();
        groups.set(predicate, list);
      }
      list.push(other);
    });
    const others = new Map<TermId, Uint32Array>();
    for (const [predicate, ids] of groups) others.set(predicate, await this.#distinct(pacer, ids.toArray()));
    return this.#relations.add(key, await ManyRelations.create(pacer, others, this.#compare));
  }

  #distinct(pacer: Pacer, ids: Uint32Array): Later<Uint32Array> {
    return this.isMerged ? distinctIds(pacer, ids) : ids;
  }

  /** The IRIs and blank nodes that are types of a node, in order. */
  types(pacer: Pacer, node: TermId): Later<LazyOrder> {
    return this.objectsOf(pacer, node, this.typeId, 'nodes');
  }

  /** The same by the rows of which the node is the subject, where they are few. */
  typesAmong(pacer: Pacer, node: TermId, rows: Rows): Later<LazyOrder> {
    if (rows.size > STEP || this.isMerged) return this.types(pacer, node);
    const { reader } = this;
    const types: TermId[] = [];
    rows.read(pacer, (_s, predicate, object) => {
      if (predicate === this.typeId && isNodeKind(reader.kind(object))) types.push(object);
    });
    return this.#toOrder(Uint32Array.from(types));
  }

  /** The nodes that have a type, in order. */
  instances(pacer: Pacer, type: TermId): Later<LazyOrder> {
    return this.subjectsOf(pacer, this.typeId, type);
  }

  typed(pacer: Pacer): Later<LazyOrder> {
    return this.#list(pacer, 'typed', this.typeId !== UNBOUND, [UNBOUND, this.typeId, UNBOUND], 'nodes');
  }

  subjects(pacer: Pacer): Later<LazyOrder> {
    return this.#list(pacer, 'subjects', true, [UNBOUND, UNBOUND, UNBOUND], 'all');
  }

  /** The IRIs and blank nodes that are subjects of a predicate and object, in order; none when either id is 0. */
  subjectsOf(pacer: Pacer, predicate: TermId, object: TermId): Later<LazyOrder> {
    const isKnown = predicate !== UNBOUND && object !== UNBOUND;
    return this.#list(pacer, `subjects/${predicate}/${object}`, isKnown, [UNBOUND, predicate, object], 'nodes');
  }

  /** The objects of a subject and predicate, in order; none when either id is 0. */
  objectsOf(pacer: Pacer, subject: TermId, predicate: TermId, part: RelationPart = 'all'): Later<LazyOrder> {
    const isKnown = subject !== UNBOUND && predicate !== UNBOUND;
    return this.#list(pacer, `objects/${subject}/${predicate}/${part}`, isKnown, [subject, predicate, UNBOUND], part);
  }

  /** The distinct terms that a pattern leaves open: its subjects, or its objects when the subject is bound. */
  #list(pacer: Pacer, key: string, isKnown: boolean, pattern: Pattern, part: RelationPart): Later<LazyOrder> {
    const rows = isKnown ? this.rows(pattern) : undefined;
    if (rows === undefined || rows.size === 0) return this.#toOrder(new Uint32Array(0));
    if (rows.size <= STEP) return whenDone(this.#readList(pacer, rows, pattern, part), (ids) => this.#toOrder(ids));
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    return whenDone(this.#readList(pacer, rows, pattern, part), (ids) => this.#lists.add(key, this.#toOrder(ids)));
  }

  #toOrder(ids: Uint32Array): LazyOrder {
    return new LazyOrder(ids, this.#compare);
  }

  #readList(pacer: Pacer, rows: Rows, [subject]: Pattern, part: RelationPart): Later<Uint32Array> {
    const { reader } = this;
    const ids = new IdList();
    let last = UNBOUND;
    const done = rows.read(pacer, (s, _p, o) => {
      const id = subject === UNBOUND ? s : o;
      if (id !== last && PARTS[part](reader.kind(id))) ids.push(id);
      last = id;
    });
    return whenDone(done, () => this.#distinct(pacer, ids.toArray()));
  }

  isInstance(node: TermId, type: TermId): boolean {
    return this.typeId !== UNBOUND && type !== UNBOUND && this.rows([node, this.typeId, type]).hasVisible();
  }

  /** Returns true if a node has any type that is an IRI or a blank node. */
  isTyped(node: TermId): boolean {
    if (this.typeId === UNBOUND) return false;
    const { reader } = this;
    return this.rows([node, this.typeId, UNBOUND]).some((_s, _p, type) => isNodeKind(reader.kind(type)));
  }
}

const VIEWS = new WeakMap<GraphReader, Map<TermId, GraphView>>();

/**
 * The view of one graph: `default` (also `null` and `undefined`), `union`, or the IRI of a named graph.
 * `undefined` when that graph has no visible quad.
 */
export function openView(reader: GraphReader, graph: string | null | undefined): GraphView | undefined {
  const id = graphId(reader, graph ?? 'default');
  if (id === undefined) return undefined;
  const views = VIEWS.get(reader) ?? new Map<TermId, GraphView>();
  VIEWS.set(reader, views);
  const view = views.get(id) ?? new GraphView(reader, id);
  views.set(id, view);
  return view;
}

function graphId(reader: GraphReader, graph: string): TermId | undefined {
  if (graph === 'default') return DEFAULT_GRAPH_ID;
  if (graph === 'union') return UNBOUND;
  const id = reader.idOf(namedNode(graph));
  return id !== UNBOUND && new Rows(reader, [id], [UNBOUND, UNBOUND, UNBOUND]).hasVisible() ? id : undefined;
}
