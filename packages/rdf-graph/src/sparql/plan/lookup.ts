import type { LookupPlaces } from '../execute/lookup-join.ts';
import type { PatternPlaces } from '../execute/pattern-join.ts';

/** The places of a pattern that is a look-up by subject or object under a fixed predicate, or `undefined`. */
export function toLookup({ subject, predicate, object, graph, kept }: PatternPlaces): LookupPlaces | undefined {
  if (graph.type !== 'default' || predicate.type !== 'term') return undefined;
  if (subject.type === 'bound' && (object.type === 'new' || object.type === 'bound')) {
    return { predicate: predicate.term, bySubject: true, keySlot: subject.slot, other: object, kept };
  }
  if (object.type === 'bound' && subject.type === 'new') {
    return { predicate: predicate.term, bySubject: false, keySlot: object.slot, other: subject, kept };
  }
  return undefined;
}
