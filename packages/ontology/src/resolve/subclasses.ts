import { checkArray } from '@cairn/errors';
import { checkModel, type OntologyModel, parentsOf } from '../model/ontology-model.ts';
import { invert } from './nearest-ancestors.ts';

/**
 * Classes with all their subclasses along `rdfs:subClassOf`, at any depth, each once: first those asked for, then level by
 * level. Classes that are not known stay as they are; cycles do no harm. Cost: O(classes + parents).
 */
export function withSubclasses(ontology: OntologyModel, classes: readonly string[]): string[] {
  checkModel(ontology);
  checkArray(classes, 'the classes');
  const children = invert(parentsOf(ontology));
  const found = new Set(classes);
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child);
  return [...found];
}
