import type { Labelled, NamedEntity } from '../entities/named-entity.ts';
import type { Description, LabelledGraph } from './labelled-graph.ts';
import { namingPaths, RDF_TYPE } from './mapping.ts';

/** The names and types of an entity as the gazetteer takes them: each once for every label that leads to it. */
export async function toNamedEntity(description: Description, graph: LabelledGraph): Promise<NamedEntity> {
  const names: Labelled[] = [];
  for (const path of namingPaths(graph.mapping)) {
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
export async function* namedSubjects(graph: LabelledGraph): AsyncGenerator<string, void, undefined> {
  const seen = new Set<string>();
  for (const path of namingPaths(graph.mapping)) {
    for await (const near of graph.startsOf(path[path.length - 1])) {
      for (const root of await graph.walkBack(near, path.slice(0, -1))) {
        if (root.termType !== 'NamedNode' || seen.has(root.value)) continue;
        seen.add(root.value);
        yield root.value;
      }
    }
  }
}
