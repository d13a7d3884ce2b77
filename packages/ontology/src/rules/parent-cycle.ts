import type { Finding } from '../finding/finding.ts';
import type { Resource } from '../model/ontology-model.ts';
import { findingAbout, type Rule, type RuleContext } from './rule.ts';

/** Nothing extends itself, however long the way round. */
export const parentCycleRule: Rule = {
  name: 'parent-cycle',
  asks: 'No resource is its own ancestor.',
  *check(context) {
    yield* cyclesBy(context, ({ superClasses }) => superClasses);
    yield* cyclesBy(context, ({ superProperties }) => superProperties);
  },
};

type ParentsOf = (resource: Resource) => readonly string[];

/** One finding for each cycle that a depth-first search closes, at the resource where it closes. O(edges). */
function* cyclesBy(context: RuleContext, parentsOf: ParentsOf): Iterable<Finding> {
  const { ontology, base } = context;
  const find = (id: string): Resource | undefined => ontology.resources.get(id) ?? base?.resources.get(id);
  const parentsOfId = (id: string): readonly string[] => {
    const resource = find(id);
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
