import type { Finding } from '../finding/finding.ts';
import { kindsOf, type Resource } from '../model/ontology-model.ts';
import { createResourceRule, findingAbout, knownKinds, type Rule, type RuleContext } from './rule.ts';

export const PARENT_RULES: readonly Rule[] = [
  createResourceRule(
    'parent',
    'A class has a parent by rdfs:subClassOf, a property by rdfs:subPropertyOf.',
    function* (resource, { isBase }) {
      const isClass = kindsOf(resource).includes('class');
      const isProperty = kindsOf(resource).some((kind) => kind !== 'class');
      if (isClass === isProperty) return;
      const byClass = ['rdfs:subClassOf', resource.superClasses] as const;
      const byProperty = ['rdfs:subPropertyOf', resource.superProperties] as const;
      const [[right, own], [wrong, other]] = isClass ? [byClass, byProperty] : [byProperty, byClass];
      if (other.length > 0) {
        yield ['error', `${resource.id} is a ${isClass ? 'class' : 'property'} and has ${wrong}; expected ${right}`];
      } else if (own.length === 0) {
        yield [isBase ? 'note' : 'error', `${resource.id} has no parent; expected ${right}`];
      }
    },
  ),
  createResourceRule(
    'parent-known',
    'Every parent is declared in the ontology or in the one that it extends.',
    function* (resource, context) {
      for (const parent of [...resource.superClasses, ...resource.superProperties]) {
        if (parent.startsWith('_:') || knownKinds(parent, context) !== undefined) continue;
        // Alone, an extension cannot show that its parents exist elsewhere.
        const severity = context.base === undefined ? 'warning' : 'error';
        yield [severity, `${resource.id} extends ${parent}, which is not declared`];
      }
    },
  ),
  createResourceRule('parent-kind', 'A parent is of the same kind as what extends it.', function* (resource, context) {
    const [kind, ...others] = kindsOf(resource);
    if (kind === undefined || others.length > 0) return;
    const parents = kind === 'class' ? resource.superClasses : resource.superProperties;
    for (const parent of parents) {
      const kinds = knownKinds(parent, context);
      if (kinds === undefined || kinds.length === 0 || kinds.includes(kind)) continue;
      yield ['error', `${resource.id} is a ${kind} and extends ${parent}, a ${kinds.join(' and ')}`];
    }
  }),
  {
    name: 'parent-cycle',
    asks: 'No resource is its own ancestor.',
    *check(context) {
      yield* cyclesBy(context, ({ superClasses }) => superClasses);
      yield* cyclesBy(context, ({ superProperties }) => superProperties);
    },
  },
];

/** One finding for each cycle that a depth-first search closes, at the resource where it closes. O(edges). */
function* cyclesBy(
  { ontology, base }: RuleContext,
  parentsOf: (resource: Resource) => readonly string[],
): Iterable<Finding> {
  const parentsOfId = (id: string): readonly string[] => {
    const resource = ontology.resources.get(id) ?? base?.resources.get(id);
    return resource === undefined ? [] : parentsOf(resource);
  };
  const done = new Set<string>();
  for (const start of ontology.resources.keys()) {
    for (const cycle of cyclesFrom(start, parentsOfId, done)) {
      const resource = ontology.resources.get(cycle[0]);
      if (resource === undefined) continue;
      const message = `${resource.id} is its own ancestor: ${[...cycle, cycle[0]].join(' extends ')}`;
      yield findingAbout('parent-cycle', 'error', resource, message);
    }
  }
}

/** Iterative, so that a chain of any length does not exhaust the stack. */
function* cyclesFrom(start: string, next: (id: string) => readonly string[], done: Set<string>): Iterable<string[]> {
  if (done.has(start)) return;
  const trail: { readonly id: string; readonly parents: readonly string[]; at: number }[] = [];
  const place = new Map<string, number>();
  const enter = (id: string): void => {
    place.set(id, trail.length);
    trail.push({ id, parents: next(id), at: 0 });
  };
  enter(start);
  while (trail.length > 0) {
    const step = trail[trail.length - 1];
    const parent = step.parents[step.at++];
    if (parent === undefined) {
      done.add(step.id);
      place.delete(step.id);
      trail.pop();
    } else if (place.has(parent)) {
      yield trail.slice(place.get(parent)).map(({ id }) => id);
    } else if (!done.has(parent)) {
      enter(parent);
    }
  }
}
