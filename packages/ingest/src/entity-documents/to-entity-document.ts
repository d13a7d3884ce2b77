import type { SearchDocument } from '@cairn/search';
import type { JsonObject } from '@cairn/security';
import { conjunction, disjunction } from '../entities/labels.ts';
import type { Labelled } from '../entities/named-entity.ts';
import { LabelledFields } from './labelled-fields.ts';
import {
  type Description,
  type LabelledGraph,
  type LabelledTerm,
  mergeStatements,
  mergeTerms,
  type Statement,
} from './labelled-graph.ts';
import type { EntityMapping } from './mapping.ts';
import type { PropertyPath } from './property-path.ts';
import { RDF_TYPE } from './vocabulary.ts';

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
  mapping: EntityMapping,
): Promise<SearchDocument | undefined> {
  const statements = mergeStatements(description.statements);
  const builder = new LabelledFields();
  builder.list(
    'types',
    valuesOf(statements, (predicate) => predicate === RDF_TYPE),
  );
  builder.list('primaryName', await namesOf(description, graph, mapping));
  addLiterals(builder, statements, mapping);
  addState(builder, statements, mapping);
  builder.list('start', await instantsOf(description, graph, mapping.start));
  builder.list('end', await instantsOf(description, graph, mapping.end));
  builder.object('relations', relationsOf(statements, mapping));
  builder.objects('isIdentifiedBy', await identifiersOf(statements, graph, mapping));
  return builder.isEmpty ? undefined : { uri: description.subject.value, ...builder.toObject() };
}

function valuesOf(statements: readonly Statement[], wanted: (predicate: string) => boolean): Labelled[] {
  const found = statements.filter(({ predicate, object }) => wanted(predicate) && object.termType === 'NamedNode');
  return merge(found.map(({ object, label }) => ({ value: object.value, label })));
}

/** Equal values become one that permits whom any of them permits; sorted by value. */
function merge(values: readonly Labelled[]): Labelled[] {
  const labels = new Map<string, string[]>();
  for (const { value, label } of values) {
    const known = labels.get(value);
    if (known === undefined) labels.set(value, [label]);
    else known.push(label);
  }
  return [...labels]
    .map(([value, under]) => ({ value, label: disjunction(under) }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

/**
 * Sorted by the rank of the path, then of the language. A name under several labels is listed once for each: were it
 * one item, which of its paths or languages gave it its place would depend on labels that not everybody may see.
 */
async function namesOf(description: Description, graph: LabelledGraph, mapping: EntityMapping): Promise<Labelled[]> {
  const names: Labelled[] = [];
  for (const path of mapping.names) {
    const found = (await graph.walk(description, path)).filter(({ term }) => term.termType === 'Literal');
    for (const name of found.sort((a, b) => compareNames(a, b, mapping.languages))) names.push(toLabelled(name));
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

function toLabelled({ term, label }: LabelledTerm): Labelled {
  return { value: term.value, label };
}

async function instantsOf(
  description: Description,
  graph: LabelledGraph,
  paths: readonly PropertyPath[],
): Promise<Labelled[]> {
  const found: Labelled[] = [];
  for (const path of paths) {
    const values = (await graph.walk(description, path)).filter(({ term }) => term.termType === 'Literal');
    for (const instant of merge(mergeTerms(values).map(toLabelled))) found.push(instant);
  }
  return found;
}

function addLiterals(builder: LabelledFields, statements: readonly Statement[], mapping: EntityMapping): void {
  builder.object(
    'literals',
    byField(
      statements.filter(({ object }) => object.termType === 'Literal'),
      mapping,
    ),
  );
}

function relationsOf(statements: readonly Statement[], mapping: EntityMapping): ReadonlyMap<string, Labelled[]> {
  return byField(
    statements.filter(({ predicate, object }) => mapping.relations.has(predicate) && object.termType === 'NamedNode'),
    mapping,
  );
}

/** Sorted by field, as the order of keys must not tell which predicate came first. */
function byField(statements: readonly Statement[], mapping: EntityMapping): Map<string, Labelled[]> {
  const fields = new Map<string, Labelled[]>();
  for (const { predicate, object, label } of statements) {
    const field = mapping.shorten(predicate);
    const known = fields.get(field);
    if (known === undefined) fields.set(field, [{ value: object.value, label }]);
    else known.push({ value: object.value, label });
  }
  return new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, values]) => [field, merge(values)]));
}

function addState(builder: LabelledFields, statements: readonly Statement[], mapping: EntityMapping): void {
  const proofs = statements.filter(
    ({ predicate, object }) =>
      mapping.statePredicates.has(predicate) || (predicate === RDF_TYPE && mapping.stateTypes.has(object.value)),
  );
  builder.flag('isState', [...new Set(proofs.map(({ label }) => label))]);
}

async function identifiersOf(
  statements: readonly Statement[],
  graph: LabelledGraph,
  mapping: EntityMapping,
): Promise<JsonObject[]> {
  const links = statements
    .filter(({ predicate, object }) => mapping.identifiers.has(predicate) && object.termType !== 'Literal')
    .sort((a, b) => compareText(a.object.value, b.object.value) || compareText(a.predicate, b.predicate));
  const objects: JsonObject[] = [];
  for (const link of links) objects.push(await toIdentifier(link, graph, mapping));
  return objects;
}

async function toIdentifier(link: Statement, graph: LabelledGraph, mapping: EntityMapping): Promise<JsonObject> {
  const builder = new LabelledFields();
  const beside = ({ value, label }: Labelled): Labelled => ({ value, label: conjunction(link.label, label) });
  const about = mergeStatements((await graph.describe(link.object)).statements);
  if (link.object.termType === 'NamedNode') builder.text('instance', { value: link.object.value, label: link.label });
  builder.text('predicate', { value: link.predicate, label: link.label });
  builder.list('types', valuesOf(about, (predicate) => predicate === RDF_TYPE).map(beside));
  const texts = mapping.identifierValues.flatMap((predicate) =>
    merge(
      about
        .filter((statement) => statement.predicate === predicate && statement.object.termType === 'Literal')
        .map(({ object, label }) => ({ value: object.value, label })),
    ),
  );
  builder.list('representationValue', texts.map(beside));
  return builder.toObject();
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
