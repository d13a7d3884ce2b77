import type { Context, Name } from './context.ts';
import { isObject, itemsOf, type JsonObject, type JsonValue } from './json.ts';
import type { TermDefinition } from './term.ts';

/** An entry of a node that is a property, in the context of its value. */
export interface Property {
  readonly text: string;
  readonly name: Name;
  readonly value: JsonValue;
  readonly context: Context;
}

/** The parts of an object of JSON-LD by their keywords, in its context. */
export class Shape {
  readonly context: Context;
  /** The context in which types are read. */
  readonly typeContext: Context;
  readonly keywords: Map<string, JsonValue> = new Map();
  readonly types: string[] = [];
  readonly included: JsonValue[] = [];
  readonly reverses: Property[] = [];
  readonly properties: Property[] = [];

  constructor(context: Context, typeContext: Context) {
    this.context = context;
    this.typeContext = typeContext;
  }

  /** True for an object that says no more than the graph in it. */
  get isOnlyGraph(): boolean {
    return this.keywords.has('@graph') && this.keywords.size === 1 && this.isWithoutRest;
  }

  /** True for a graph and nothing but its name. */
  get isGraph(): boolean {
    const { keywords } = this;
    return keywords.has('@graph') && this.isWithoutRest && keywords.size === (keywords.has('@id') ? 2 : 1);
  }

  /** True for an object of keywords alone, without those that tell of a node. */
  get isWithoutRest(): boolean {
    const rest = this.types.length + this.included.length + this.reverses.length + this.properties.length;
    return rest === 0;
  }

  /** @throws where two entries stand for one keyword */
  addKeyword(keyword: string, value: JsonValue, context: Context): void {
    if (keyword === '@type') addTypes(this.types, value);
    else if (keyword === '@included') {
      for (const item of itemsOf(value)) this.included.push(item);
    } else if (keyword === '@reverse') addReverses(this, value, context);
    else if (this.keywords.has(keyword)) throw new Error('colliding keywords');
    else this.keywords.set(keyword, value);
  }
}

function addTypes(types: string[], value: JsonValue): void {
  for (const type of itemsOf(value)) {
    if (typeof type !== 'string') throw new Error('invalid type value');
    types.push(type);
  }
}

function addReverses(shape: Shape, value: JsonValue, context: Context): void {
  if (!isObject(value)) throw new Error('invalid @reverse value');
  for (const [text, inner] of value) {
    const name = context.name(text);
    if (name.isKeyword) throw new Error('invalid reverse property map');
    if (name.iri !== undefined) shape.reverses.push({ text, name, value: inner, context });
  }
}

/**
 * The parts of an object below a property (JSON-LD 1.1 API, 5.1.2, steps 3 to 14).
 * @param isInMap the object stands in a map by id, type or index, whose context it has
 */
export function describeObject(
  object: JsonObject,
  context: Context,
  definition: TermDefinition | undefined,
  isInMap = false,
): Shape {
  const typeContext = contextOf(object, context, definition, isInMap);
  const shape = new Shape(typeContext.hasScopes ? contextByTypes(object, typeContext) : typeContext, typeContext);
  addEntries(shape, object, shape.context);
  return shape;
}

/** The context of an object, by its own and that of its property. */
function contextOf(
  object: JsonObject,
  outer: Context,
  definition: TermDefinition | undefined,
  isInMap: boolean,
): Context {
  let context = outer;
  const { previous } = context;
  if (previous !== undefined && !isInMap && isNode(object, context)) context = previous;
  if (definition?.context !== undefined) context = context.withProperty(definition.context);
  const local = object.get('@context');
  return local === undefined ? context : context.withLocal(local);
}

/** False for values, and for objects that only refer to a node. */
function isNode(object: JsonObject, context: Context): boolean {
  for (const text of object.keys()) {
    const { iri } = context.name(text);
    if (iri === '@value' || (iri === '@id' && object.size === 1)) return false;
  }
  return true;
}

/** The context of a node with those that its types bring, in the order of their names. */
function contextByTypes(object: JsonObject, typeContext: Context): Context {
  let context = typeContext;
  for (const text of [...object.keys()].sort()) {
    if (typeContext.name(text).iri !== '@type') continue;
    const types = itemsOf(object.get(text) ?? []).filter((type) => typeof type === 'string');
    for (const type of types.sort()) {
      const local = typeContext.terms.get(type)?.context;
      if (local !== undefined) context = context.withType(local);
    }
  }
  return context;
}

function addEntries(shape: Shape, object: JsonObject, context: Context): void {
  for (const [text, value] of object) {
    if (text === '@context') continue;
    const name = context.name(text);
    if (name.iri === undefined) continue;
    if (!name.isKeyword) shape.properties.push({ text, name, value, context });
    else if (name.iri === '@nest') addNested(shape, name.definition, value, context);
    else shape.addKeyword(name.iri, value, context);
  }
}

/** The entries of nested objects are entries of the node. */
function addNested(shape: Shape, definition: TermDefinition | undefined, value: JsonValue, outer: Context): void {
  const context = definition?.context === undefined ? outer : outer.withProperty(definition.context);
  for (const nested of itemsOf(value)) {
    const isNested = isObject(nested) && [...nested.keys()].every((text) => context.name(text).iri !== '@value');
    if (!isNested) throw new Error('invalid @nest value');
    addEntries(shape, nested, context);
  }
}
