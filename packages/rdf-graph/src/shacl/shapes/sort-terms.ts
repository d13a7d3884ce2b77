import { sortInSteps } from '@cairn/events';
import type * as RDF from '@rdfjs/types';

/** Terms by their N-Triples form, in its order. Yields where it may pause. */
export function* sortTerms(byText: ReadonlyMap<string, RDF.Term>): Generator<void, readonly RDF.Term[]> {
  const sorted = yield* sortInSteps([...byText], ([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, term]) => term);
}
