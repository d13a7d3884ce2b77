import type { SearchDocument } from '@cairn/search';
import type { JsonObject, JsonValue } from '@cairn/security';
import { compareText } from '../entities/find-mentions.ts';
import { conjunction, disjunction } from '../entities/labels.ts';
import type { Labelled } from '../entities/named-entity.ts';
import {
  type Description,
  type LabelledGraph,
  type LabelledTerm,
  mergeLabels,
  type Statement,
  termKey,
} from './labelled-graph.ts';
import { type EntityMapping, RDF_TYPE } from './mapping.ts';
import type { PropertyPath } from './property-path.ts';

/**
 * The search document of an entity, or `undefined` when nothing about it belongs in one.
 *
 * Every leaf carries the label of the quads that it stems from, and no leaf, nor the order of a list, depends on more
 * than that leaf's own quads: what a viewer sees of the document is the document of what the viewer sees. Names,
 * starts and ends are therefore lists, the preferred first; {@link presentEntity} gives a reader the first.
 */
export async function toEntityDocument(
  description: Description,
  graph: LabelledGraph,
): Promise<SearchDocument | undefined> {
  const { mapping } = graph;
  const statements = mergeStatements(description.statements);
  const builder = new LabelledFields();
  builder.list('types', typesOf(statements));
  builder.list('primaryName', await namesOf(description, graph));
  builder.object(
    'literals',
    byField(statements, mapping, ({ object }) => object.termType === 'Literal'),
  );
  builder.flag('isState', statesOf(statements, mapping));
  builder.list('start', await instantsOf(description, graph, mapping.start));
  builder.list('end', await instantsOf(description, graph, mapping.end));
  builder.object(
    'relations',
    byField(statements, mapping, ({ predicate, object }) => {
      return mapping.relations.has(predicate) && object.termType === 'NamedNode';
    }),
  );
  builder.objects('isIdentifiedBy', await identifiersOf(statements, graph));
  return builder.isEmpty ? undefined : { uri: description.subject.value, ...builder.toObject() };
}

function mergeStatements(statements: readonly Statement[]): Statement[] {
  return mergeLabels(statements, ({ predicate, object }) => `${predicate} ${termKey(object)}`);
}

function typesOf(statements: readonly Statement[]): Labelled[] {
  return mergeValues(
    statements.filter(({ predicate, object }) => predicate === RDF_TYPE && object.termType === 'NamedNode'),
  );
}

/** The values of some objects, equal ones under a label that permits whom any of theirs permits; sorted. */
function mergeValues(statements: readonly Pick<Statement, 'object' | 'label'>[]): Labelled[] {
  const values = statements.map(({ object, label }) => ({ value: object.value, label }));
  return mergeLabels(values, ({ value }) => value).sort((a, b) => (a.value < b.value ? -1 : 1));
}

/**
 * Sorted by the rank of the path, then of the language. A name under several labels is listed once for each: were it
 * one item, which of its paths or languages gave it its place would depend on labels that not everybody may see.
 */
async function namesOf(description: Description, graph: LabelledGraph): Promise<Labelled[]> {
  const names: Labelled[] = [];
  for (const path of graph.mapping.names) {
    const found = (await graph.walk(description, path)).filter(({ term }) => term.termType === 'Literal');
    found.sort((a, b) => compareNames(a, b, graph.mapping.languages));
    for (const { term, label } of found) names.push({ value: term.value, label });
  }
  const seen = new Set<string>();
  return names.filter(({ value, label }) => {
    const key = JSON.stringify([value, label]);
    return seen.has(key) ? false : seen.add(key);
  });
}

function compareNames(a: LabelledTerm, b: LabelledTerm, languages: readonly string[]): number {
  const [first, second] = [languageOf(a), languageOf(b)];
  const byRank = rankOf(first, languages) - rankOf(second, languages);
  if (byRank !== 0) return byRank;
  return compareText(first, second) || compareText(a.term.value, b.term.value) || compareText(a.label, b.label);
}

function languageOf({ term }: LabelledTerm): string {
  return term.termType === 'Literal' ? term.language.toLowerCase() : '';
}

function rankOf(language: string, languages: readonly string[]): number {
  const at = languages.findIndex((known) => language === known || (known !== '' && language.startsWith(`${known}-`)));
  return at < 0 ? languages.length : at;
}

async function instantsOf(
  description: Description,
  graph: LabelledGraph,
  paths: readonly PropertyPath[],
): Promise<Labelled[]> {
  const found: Labelled[] = [];
  for (const path of paths) {
    const values = (await graph.walk(description, path)).filter(({ term }) => term.termType === 'Literal');
    const distinct = mergeLabels(values, ({ term }) => termKey(term));
    const instants = mergeValues(distinct.map(({ term, label }) => ({ object: term, label })));
    for (const instant of instants) found.push(instant);
  }
  return found;
}

/** Sorted by field, as the order of keys must not tell which predicate came first. */
function byField(
  statements: readonly Statement[],
  mapping: EntityMapping,
  wanted: (statement: Statement) => boolean,
): Map<string, Labelled[]> {
  const fields = new Map<string, Statement[]>();
  for (const statement of statements) {
    if (!wanted(statement)) continue;
    const field = mapping.shorten(statement.predicate);
    const known = fields.get(field);
    if (known === undefined) fields.set(field, [statement]);
    else known.push(statement);
  }
  return new Map(
    [...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, values]) => [field, mergeValues(values)]),
  );
}

/** The labels of what says that an entity is a state. */
function statesOf(statements: readonly Statement[], { statePredicates, stateTypes }: EntityMapping): string[] {
  const proofs = statements.filter(
    ({ predicate, object }) =>
      statePredicates.has(predicate) || (predicate === RDF_TYPE && stateTypes.has(object.value)),
  );
  return [...new Set(proofs.map(({ label }) => label))];
}

async function identifiersOf(statements: readonly Statement[], graph: LabelledGraph): Promise<JsonObject[]> {
  const links = statements
    .filter(({ predicate, object }) => graph.mapping.identifiers.has(predicate) && object.termType !== 'Literal')
    .sort((a, b) => compareText(a.object.value, b.object.value) || compareText(a.predicate, b.predicate));
  const objects: JsonObject[] = [];
  for (const link of links) objects.push(await toIdentifier(link, graph));
  return objects;
}

async function toIdentifier(link: Statement, graph: LabelledGraph): Promise<JsonObject> {
  const builder = new LabelledFields();
  const beside = ({ value, label }: Labelled): Labelled => ({ value, label: conjunction(link.label, label) });
  const about = mergeStatements((await graph.describe(link.object)).statements);
  if (link.object.termType === 'NamedNode') builder.text('instance', { value: link.object.value, label: link.label });
  builder.text('predicate', { value: link.predicate, label: link.label });
  builder.list('types', typesOf(about).map(beside));
  const literals = about.filter(({ object }) => object.termType === 'Literal');
  const texts = graph.mapping.identifierValues.flatMap((wanted) =>
    mergeValues(literals.filter(({ predicate }) => predicate === wanted)),
  );
  builder.list('representationValue', texts.map(beside));
  return builder.toObject();
}

/** Fields of a document with the labels of their leaves. */
class LabelledFields {
  readonly #fields: [string, JsonValue][] = [];
  readonly #labels: [string, JsonValue][] = [];

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  list(field: string, values: readonly Labelled[]): void {
    if (values.length === 0 || field.endsWith('securityLabels')) return;
    this.#fields.push([field, values.map(({ value }) => value)]);
    this.#labels.push([field, values.map(({ label }) => label)]);
  }

  flag(field: string, labels: readonly string[]): void {
    if (labels.length === 0) return;
    this.#fields.push([field, true]);
    this.#labels.push([field, disjunction(labels)]);
  }

  text(field: string, { value, label }: Labelled): void {
    this.#fields.push([field, value]);
    this.#labels.push([field, label]);
  }

  object(field: string, values: ReadonlyMap<string, readonly Labelled[]>): void {
    const nested = new LabelledFields();
    for (const [name, labelled] of values) nested.list(name, labelled);
    if (!nested.isEmpty) this.#fields.push([field, nested.toObject()]);
  }

  objects(field: string, objects: readonly JsonObject[]): void {
    if (objects.length > 0) this.#fields.push([field, objects]);
  }

  toObject(): JsonObject {
    return { ...Object.fromEntries(this.#fields), securityLabels: Object.fromEntries(this.#labels) };
  }
}
