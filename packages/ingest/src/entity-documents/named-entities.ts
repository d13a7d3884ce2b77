import type { Labelled, NamedEntity } from '../entities/named-entity.ts';
import type { Description, LabelledGraph } from './labelled-graph.ts';
import type { EntityMapping } from './mapping.ts';
import type { PropertyPath } from './property-path.ts';
import type { Term } from './terms.ts';
import { RDF_TYPE } from './vocabulary.ts';

/** The names and types of an entity as the gazetteer takes them: each once for every label that leads to it. */
export async function toNamedEntity(
  description: Description,
  graph: LabelledGraph,
  mapping: EntityMapping,
): Promise<NamedEntity> {
  const names: Labelled[] = [];
  for (const path of [...mapping.names, ...mapping.alternativeNames]) {
    for (const { term, label } of await graph.walk(description, path)) {
      if (term.termType === 'Literal') names.push({ value: term.value, label });
    }
  }
  const types = description.statements
    .filter(({ predicate, object }) => predicate === RDF_TYPE && object.termType === 'NamedNode')
    .map(({ object, label }) => ({ value: object.value, label }));
  return { uri: description.subject.value, names, types };
}

/** The IRIs of all entities that have a name, each once. */
export async function* namedSubjects(
  graph: LabelledGraph,
  mapping: EntityMapping,
): AsyncGenerator<string, void, undefined> {
  const seen = new Set<string>();
  for (const path of [...mapping.names, ...mapping.alternativeNames]) {
    for await (const near of graph.startsOf(path[path.length - 1])) {
      for (const root of await rootsOf(near, path, graph)) {
        if (root.termType !== 'NamedNode' || seen.has(root.value)) continue;
        seen.add(root.value);
        yield root.value;
      }
    }
  }
}

/** From the start of the last step of a path back to where the path starts. */
async function rootsOf(near: Term, path: PropertyPath, graph: LabelledGraph): Promise<readonly Term[]> {
  if (path.length === 1) return [near];
  const back = path
    .slice(0, -1)
    .reverse()
    .map(({ predicate, inverse }) => ({ predicate, inverse: !inverse }));
  return (await graph.walk({ subject: near }, back)).map(({ term }) => term);
}
