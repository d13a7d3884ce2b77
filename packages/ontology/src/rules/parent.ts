import { kindsOf, type Resource } from '../model/ontology-model.ts';
import { createResourceRule, type Rule } from './rule.ts';

/** A parent, by the predicate that its kind asks for. */
export const parentRule: Rule = createResourceRule(
  'parent',
  'A class has a parent by rdfs:subClassOf, a property by rdfs:subPropertyOf.',
  function* (resource, { isBase }) {
    const isClass = kindsOf(resource).includes('class');
    const isProperty = kindsOf(resource).some((kind) => kind !== 'class');
    if (isClass === isProperty) return;
    const [right, wrong] = isClass
      ? ['rdfs:subClassOf', 'rdfs:subPropertyOf']
      : ['rdfs:subPropertyOf', 'rdfs:subClassOf'];
    const { own, other } = parentsBy(resource, isClass);
    if (other.length > 0) {
      yield ['error', `${resource.id} is a ${isClass ? 'class' : 'property'} and has ${wrong}; expected ${right}`];
    }
    if (own.length > 0 || other.length > 0) return;
    yield [isBase ? 'note' : 'error', `${resource.id} has no parent; expected ${right}`];
  },
);

function parentsBy(
  { superClasses, superProperties }: Resource,
  isClass: boolean,
): { own: readonly string[]; other: readonly string[] } {
  return isClass ? { own: superClasses, other: superProperties } : { own: superProperties, other: superClasses };
}
