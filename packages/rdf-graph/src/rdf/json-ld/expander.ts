import type * as RDF from '@rdfjs/types';
import { defaultGraph, namedNode, quad } from '../terms.ts';
import { RDF_NS } from '../vocabulary.ts';
import type { Context } from './context.ts';
import { isIriLike } from './iri-expansion.ts';
import { isArray, isObject, itemsOf, type JsonArray, type JsonObject, type JsonValue } from './json.ts';
import { describeObject, type Property, type Shape } from './shape.ts';
import type { TermDefinition } from './term.ts';
import type { TermMaker } from './terms.ts';

/** Values between two steps. */
const VALUES_PER_STEP = 64;

const RDF_TYPE = namedNode(`${RDF_NS}type`);
const RDF_FIRST = namedNode(`${RDF_NS}first`);
const RDF_REST = namedNode(`${RDF_NS}rest`);
const RDF_NIL = namedNode(`${RDF_NS}nil`);

const BASE = { base: true };
const VOCAB = { vocab: true };
const VOCAB_AND_BASE = { vocab: true, base: true };

type Node = RDF.NamedNode | RDF.BlankNode;
type Graph = RDF.Quad_Graph;

/** Takes the term of each value of a property; `undefined` for one that RDF cannot say. */
type Link = (term: RDF.Term | undefined) => void;

/** Where values stand. */
interface Place {
  /** The property; `undefined` for the document and the items of a graph, where only nodes count. */
  readonly text: string | undefined;
  /** `undefined` where the graph has a name that RDF cannot say: what is in it is left out. */
  readonly graph: Graph | undefined;
  /** True for values that must be nodes. */
  readonly isReverse: boolean;
  /** True in lists, where an array is a list of its own. */
  readonly isInList: boolean;
}

/** Says the name of a node that does not say it itself. */
interface Naming {
  readonly id: () => Node | undefined;
}

const drop: Link = () => undefined;

/**
 * Turns JSON-LD values into quads, by steps: expansion and deserialization (JSON-LD 1.1 API, 5.1 and 8.1) in one walk.
 * Cost: O(values), and for each distinct context O(terms).
 */
export class Expander {
  readonly #terms: TermMaker;
  #quads: RDF.Quad[] = [];
  #values = 0;

  constructor(terms: TermMaker) {
    this.#terms = terms;
  }

  /** The quads since the last call. */
  take(): RDF.Quad[] {
    const quads = this.#quads;
    this.#quads = [];
    return quads;
  }

  /** Reads items of the document or of a graph. @throws for what is not well made */
  *expandItems(value: JsonValue, context: Context, graph: Graph | undefined): Generator<void> {
    yield* this.#expand(value, context, { text: undefined, graph, isReverse: false, isInList: false }, drop);
  }

  /** The name that the parts of a node give to it; `undefined` for one that RDF cannot say. @throws as {@link expandItems} */
  nameOf(shape: Shape): Node | undefined {
    const id = shape.keywords.get('@id');
    if (id === undefined) return this.#terms.fresh();
    if (typeof id !== 'string') throw new Error('invalid @id value');
    return this.#resource(shape.context, shape.context.expand(id, BASE));
  }

  /** Reads a node whose name is known. @throws as {@link expandItems} */
  *expandNode(shape: Shape, subject: Node | undefined, graph: Graph | undefined): Generator<void> {
    if (typeof (shape.keywords.get('@index') ?? '') !== 'string') throw new Error('invalid @index value');
    for (const type of shape.types) {
      const iri = shape.typeContext.expand(type, VOCAB_AND_BASE);
      this.#add(subject, RDF_TYPE, this.#resource(shape.typeContext, iri), graph);
    }
    const inner = shape.keywords.get('@graph');
    if (inner !== undefined) yield* this.expandItems(inner, shape.context, subject);
    for (const value of shape.included) yield* this.#expandIncluded(value, shape.context, graph);
    for (const property of shape.reverses) yield* this.#expandProperty(property, subject, graph, true);
    for (const property of shape.properties) yield* this.#expandProperty(property, subject, graph, false);
  }

  #add(s: RDF.Term | undefined, p: RDF.Term | undefined, o: RDF.Term | undefined, graph: Graph | undefined): void {
    if (s === undefined || p === undefined || o === undefined || graph === undefined) return;
    this.#quads.push(quad(s, p, o, graph));
  }

  #resource(context: Context, iri: string | undefined): Node | undefined {
    return this.#terms.resource(iri, context.base !== undefined);
  }

  *#expandIncluded(value: JsonValue, context: Context, graph: Graph | undefined): Generator<void> {
    for (const one of itemsOf(value)) {
      if (!isObject(one)) throw new Error('invalid @included value');
      const shape = describeObject(one, context, undefined);
      const { keywords } = shape;
      if (keywords.has('@value') || keywords.has('@list') || keywords.has('@set'))
        throw new Error('invalid @included value');
      yield* this.expandNode(shape, this.nameOf(shape), graph);
    }
  }

  *#expandProperty(
    { text, name, value, context }: Property,
    subject: Node | undefined,
    graph: Graph | undefined,
    isInReverse: boolean,
  ): Generator<void> {
    const isReverse = isInReverse !== (name.definition?.isReverse ?? false);
    // A blank node is no predicate of RDF.
    const isIri = name.iri !== undefined && !name.iri.startsWith('_:');
    const predicate = isIri ? this.#resource(context, name.iri) : undefined;
    const link: Link = isReverse
      ? (term) => this.#add(term, predicate, subject, graph)
      : (term) => this.#add(subject, predicate, term, graph);
    const place = { text, graph, isReverse, isInList: false };
    const container = name.definition?.container;
    if (name.definition?.type === '@json') link(this.#terms.json(value));
    else if (container === undefined || container.size === 0) yield* this.#expand(value, context, place, link);
    else yield* this.#expandContainer(value, context, place, link);
  }

  *#expandContainer(value: JsonValue, context: Context, place: Place, link: Link): Generator<void> {
    const definition = context.name(place.text ?? '').definition as TermDefinition;
    const { container } = definition;
    const isMap = container.has('@index') || container.has('@id') || container.has('@type');
    if (container.has('@language') && isObject(value)) this.#expandLanguages(value, context, link);
    else if (isMap && isObject(value)) yield* this.#expandMap(value, context, definition, place, link);
    else if (container.has('@graph') && !isMap) {
      for (const item of itemsOf(value)) yield* this.#expandInGraph(item, context, place, this.#terms.fresh(), link);
    } else if (container.has('@list') && value !== null) yield* this.#expandListed(value, context, place, link);
    else yield* this.#expand(value, context, place, link);
  }

  /** The value is a list already, or the items of one. */
  *#expandListed(value: JsonValue, context: Context, place: Place, link: Link): Generator<void> {
    if (isObject(value)) {
      const shape = describeObject(value, context, context.name(place.text ?? '').definition);
      if (shape.keywords.has('@list')) return yield* this.#expandShape(shape, place, link);
    }
    yield* this.#expandList(itemsOf(value), context, place, link);
  }

  *#expand(value: JsonValue, context: Context, place: Place, link: Link): Generator<void> {
    if (++this.#values % VALUES_PER_STEP === 0) yield;
    if (isArray(value)) yield* this.#expandArray(value, context, place, link);
    else if (isObject(value)) {
      const definition = place.text === undefined ? undefined : context.name(place.text).definition;
      yield* this.#expandShape(describeObject(value, context, definition), place, link);
    } else if (value !== null && place.text !== undefined) this.#linkScalar(value, context, place, link);
  }

  *#expandArray(items: JsonArray, context: Context, place: Place, link: Link): Generator<void> {
    for (const item of items) {
      const isScalar = typeof item !== 'object';
      if (isScalar && place.text !== undefined) {
        if (++this.#values % VALUES_PER_STEP === 0) yield;
        this.#linkScalar(item, context, place, link);
      } else if (place.isInList && isArray(item)) yield* this.#expandList(item, context, place, link);
      else yield* this.#expand(item, context, place, link);
    }
  }

  #linkScalar(value: string | number | boolean, context: Context, place: Place, link: Link): void {
    const term = this.#toTerm(value, context, place.text ?? '');
    if (place.isReverse && (term === undefined || term.termType === 'Literal'))
      throw new Error('invalid reverse property value');
    link(term);
  }

  /** Value expansion (5.3). */
  #toTerm(value: string | number | boolean, outer: Context, text: string): RDF.Term | undefined {
    const scope = outer.name(text).definition?.context;
    const context = scope === undefined ? outer : outer.withProperty(scope);
    const definition = scope === undefined ? outer.name(text).definition : context.name(text).definition;
    const type = definition?.type;
    if (typeof value === 'string') {
      if (type === '@id') return this.#resource(context, context.expand(value, BASE));
      if (type === '@vocab') return this.#resource(context, context.expand(value, VOCAB_AND_BASE));
    }
    if (type === '@json') return this.#terms.json(value);
    const datatype = type === undefined || type.startsWith('@') ? undefined : type;
    if (typeof value !== 'string') return this.#terms.native(value, datatype);
    if (datatype !== undefined) return this.#terms.typed(value, datatype);
    const language = definition?.language === undefined ? context.language : definition.language;
    return this.#terms.text(value, language);
  }

  *#expandShape(shape: Shape, place: Place, link: Link): Generator<void> {
    const { keywords } = shape;
    if (keywords.has('@value')) return this.#linkValue(shape, place, link);
    if (keywords.has('@list') || keywords.has('@set')) return yield* this.#expandCollection(shape, place, link);
    const saysOnlyLanguage = keywords.size === 1 && keywords.has('@language') && shape.isWithoutRest;
    if (saysOnlyLanguage) return;
    const subject = this.nameOf(shape);
    link(subject);
    yield* this.expandNode(shape, subject, place.graph);
  }

  *#expandCollection(shape: Shape, place: Place, link: Link): Generator<void> {
    const { keywords, context } = shape;
    const others = [...keywords.keys()].filter((name) => name !== '@index');
    if (others.length > 1 || !shape.isWithoutRest) throw new Error('invalid set or list object');
    const set = keywords.get('@set');
    const list = keywords.get('@list');
    if (set !== undefined) yield* this.#expand(set, context, place, link);
    else if (list !== undefined && place.text !== undefined)
      yield* this.#expandList(list === null ? [] : itemsOf(list), context, place, link);
  }

  *#expandList(items: JsonArray, context: Context, place: Place, link: Link): Generator<void> {
    if (place.isReverse) throw new Error('invalid reverse property value');
    const terms: (RDF.Term | undefined)[] = [];
    yield* this.#expandArray(items, context, { ...place, isInList: true }, (term) => terms.push(term));
    let rest: RDF.Term = RDF_NIL;
    for (let at = terms.length - 1; at >= 0; at--) {
      const cell = this.#terms.fresh();
      this.#add(cell, RDF_FIRST, terms[at], place.graph);
      this.#add(cell, RDF_REST, rest, place.graph);
      rest = cell;
      if (at % VALUES_PER_STEP === 0) yield;
    }
    link(rest);
  }

  #linkValue(shape: Shape, place: Place, link: Link): void {
    if (place.isReverse) throw new Error('invalid reverse property value');
    const { keywords, types } = shape;
    const isKnown = [...keywords.keys()].every((name) => PARTS_OF_VALUES.has(name));
    const isTagged = keywords.has('@language') || keywords.has('@direction');
    const rest = shape.properties.length + shape.included.length + shape.reverses.length;
    if (!isKnown || rest > 0 || (isTagged && types.length > 0)) throw new Error('invalid value object');
    if (typeof (keywords.get('@index') ?? '') !== 'string') throw new Error('invalid @index value');
    const term = this.#toLiteral(shape);
    if (term !== NOTHING && place.text !== undefined) link(term);
  }

  #toLiteral({ keywords, types, typeContext }: Shape): RDF.Literal | undefined | typeof NOTHING {
    const value = keywords.get('@value') ?? null;
    if (types.length > 1) throw new Error('invalid typed value');
    const type = types.length === 0 ? undefined : typeContext.expand(types[0], VOCAB_AND_BASE);
    if (type === '@json') return this.#terms.json(value);
    if (value === null) return NOTHING;
    if (typeof value === 'object') throw new Error('invalid value object value');
    if (types.length > 0) return this.#toTyped(value, type);
    const language = keywords.get('@language');
    checkDirection(keywords.get('@direction'));
    if (language === undefined || language === null) {
      return typeof value === 'string' ? this.#terms.text(value, undefined) : this.#terms.native(value, undefined);
    }
    if (typeof language !== 'string') throw new Error('invalid language-tagged string');
    if (typeof value !== 'string') throw new Error('invalid language-tagged value');
    return this.#terms.text(value, language);
  }

  #toTyped(value: string | number | boolean, type: string | undefined): RDF.Literal | undefined {
    if (type === undefined || !isIriLike(type) || /^_:|\s/.test(type)) throw new Error('invalid typed value');
    return typeof value === 'string' ? this.#terms.typed(value, type) : this.#terms.native(value, type);
  }

  #expandLanguages(map: JsonObject, context: Context, link: Link): void {
    for (const [tag, value] of map) {
      const language = context.expand(tag, VOCAB) === '@none' ? undefined : tag;
      for (const text of itemsOf(value)) {
        if (text === null) continue;
        if (typeof text !== 'string') throw new Error('invalid language map value');
        link(this.#terms.text(text, language));
      }
    }
  }

  /** A map by index, id or type. */
  *#expandMap(
    map: JsonObject,
    context: Context,
    { container, index }: TermDefinition,
    place: Place,
    link: Link,
  ): Generator<void> {
    const isByType = container.has('@type');
    const isById = container.has('@id');
    const inner = isByType || isById ? (context.previous ?? context) : context;
    for (const [key, value] of map) {
      const expanded = context.expand(key, VOCAB);
      const isNone = expanded === '@none';
      const itemContext = isByType ? contextOfType(key, inner) : inner;
      const naming = isById && !isNone ? this.#namingBy(key, context) : undefined;
      const mark = isNone ? drop : this.#markBy(key, expanded, context, isByType, index, place);
      const linked = both(mark, link);
      const items = itemsOf(value);
      if (container.has('@graph')) yield* this.#expandGraphsOfMap(items, itemContext, place, naming, linked);
      else yield* this.#expandItemsOfMap(items, itemContext, place, naming, linked);
    }
  }

  *#expandItemsOfMap(
    items: JsonArray,
    context: Context,
    place: Place,
    naming: Naming | undefined,
    link: Link,
  ): Generator<void> {
    for (const item of items) yield* this.#expandItemOfMap(item, context, place, naming, link);
  }

  #namingBy(key: string, context: Context): Naming {
    return { id: () => this.#resource(context, context.expand(key, BASE)) };
  }

  /** Says what the key of a map says of each item. */
  #markBy(
    key: string,
    expanded: string | undefined,
    context: Context,
    isByType: boolean,
    index: string | undefined,
    { graph }: Place,
  ): Link {
    if (!isByType && index === undefined) return drop;
    const predicate = isByType ? RDF_TYPE : this.#resource(context, context.expand(index ?? '', VOCAB));
    const object = isByType
      ? this.#resource(context, isIriLike(expanded ?? '') ? expanded : context.expand(key, VOCAB_AND_BASE))
      : this.#toTerm(key, context, index ?? '');
    return (term) => {
      if (term?.termType === 'Literal') throw new Error('invalid value object');
      this.#add(term, predicate, object, graph);
    };
  }

  *#expandItemOfMap(
    item: JsonValue,
    context: Context,
    place: Place,
    naming: Naming | undefined,
    link: Link,
  ): Generator<void> {
    if (!isObject(item)) return yield* this.#expand(item, context, place, link);
    const shape = describeObject(item, context, context.name(place.text ?? '').definition, true);
    if (naming === undefined || !isNamedByMap(shape)) return yield* this.#expandShape(shape, place, link);
    const subject = naming.id();
    link(subject);
    yield* this.expandNode(shape, subject, place.graph);
  }

  /** Graphs that a map names; an item that is no graph is what stands in it. */
  *#expandGraphsOfMap(
    items: JsonArray,
    context: Context,
    place: Place,
    naming: Naming | undefined,
    link: Link,
  ): Generator<void> {
    const { definition } = context.name(place.text ?? '');
    for (const item of items) {
      const isGraph = isObject(item) && describeObject(item, context, definition, true).isGraph;
      const name = naming === undefined ? this.#terms.fresh() : naming.id();
      if (isGraph) yield* this.#expandItemOfMap(item, context, place, naming, link);
      else yield* this.#expandInGraph(item, context, place, name, link);
    }
  }

  *#expandInGraph(
    item: JsonValue,
    context: Context,
    place: Place,
    name: Node | undefined,
    link: Link,
  ): Generator<void> {
    if (item === null) return;
    link(name);
    yield* this.#expand(item, context, { ...place, graph: name, isReverse: false }, drop);
  }
}

function both(first: Link, second: Link): Link {
  return (term) => {
    first(term);
    second(term);
  };
}

/** The context of what is below a type in a map. */
function contextOfType(type: string, context: Context): Context {
  const scope = context.terms.get(type)?.context;
  return scope === undefined ? context : context.withType(scope);
}

/** The value of a value object that has none. */
const NOTHING = Symbol('nothing');

const PARTS_OF_VALUES: ReadonlySet<string> = new Set(['@value', '@language', '@direction', '@index']);

function checkDirection(direction: JsonValue | undefined): void {
  if (direction === undefined || direction === null || direction === 'ltr' || direction === 'rtl') return;
  throw new Error('invalid base direction');
}

function isNamedByMap({ keywords }: Shape): boolean {
  return !(keywords.has('@id') || keywords.has('@value') || keywords.has('@list') || keywords.has('@set'));
}

/** The graph of a document. */
export const DOCUMENT_GRAPH: Graph = defaultGraph();
