import { type DocumentNode, type GraphQLError, Kind, type SelectionSetNode } from 'graphql';
import { limitError, type ResolvedLimits } from './limits.ts';
import { fragmentsOf } from './measure.ts';

/** Pairs of selections that validation may compare with each other: some ten milliseconds of it. */
const MAX_PAIRS = 20_000;

/** Selections that the count itself looks at: more than any document has that keeps the other limits. */
const MAX_STEPS = 50_000;

/**
 * The error of a document whose validation would compare too many selections: fields of one name at one place of the
 * answer, and fragments spread there, are compared each with each. After {@link checkMeasure}.
 * Cost: O(fields, fragments counted as often as they are spread).
 */
export function checkOverlaps(document: DocumentNode, { maxDepth }: ResolvedLimits): GraphQLError | undefined {
  const counter = new PairCounter(document, maxDepth);
  for (const definition of document.definitions) {
    if ('selectionSet' in definition) counter.count([definition.selectionSet], 0);
  }
  if (!counter.isOver) return undefined;
  return limitError(
    `a document may have ${MAX_PAIRS} pairs of fields or fragments at one place; got ${counter.pairs} or more`,
  );
}

/** Everything that is selected at one place of the answer. */
interface Place {
  /** How often each name is selected there, and what of it. */
  readonly fields: Map<string, { count: number; readonly inner: SelectionSetNode[] }>;
  spreads: number;
}

class PairCounter {
  pairs = 0;
  readonly #fragments: ReturnType<typeof fragmentsOf>;
  readonly #maxDepth: number;
  #steps = 0;

  constructor(document: DocumentNode, maxDepth: number) {
    this.#fragments = fragmentsOf(document);
    this.#maxDepth = maxDepth;
  }

  get isOver(): boolean {
    return this.pairs > MAX_PAIRS || this.#steps > MAX_STEPS;
  }

  /** Counts what is selected at one place by several selection sets, and below it. */
  count(sets: readonly SelectionSetNode[], depth: number): void {
    // Only a fragment that leads back to itself is deeper, and validation refuses it.
    if (depth > this.#maxDepth || this.isOver) return;
    const place: Place = { fields: new Map(), spreads: 0 };
    for (const set of sets) this.#gather(set, place, new Set());
    this.pairs += pairsOf(place.spreads);
    for (const { count } of place.fields.values()) this.pairs += pairsOf(count);
    for (const { inner } of place.fields.values()) if (inner.length > 0) this.count(inner, depth + 1);
  }

  #gather({ selections }: SelectionSetNode, place: Place, inside: Set<string>): void {
    for (const selection of selections) {
      if (this.#steps++ > MAX_STEPS) return;
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#gather(selection.selectionSet, place, inside);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) this.#spread(selection.name.value, place, inside);
      else {
        const name = (selection.alias ?? selection.name).value;
        const known = place.fields.get(name) ?? { count: 0, inner: [] };
        known.count++;
        if (selection.selectionSet !== undefined) known.inner.push(selection.selectionSet);
        place.fields.set(name, known);
      }
    }
  }

  #spread(name: string, place: Place, inside: Set<string>): void {
    place.spreads++;
    const fragment = this.#fragments[name];
    if (fragment === undefined || inside.has(name) || pairsOf(place.spreads) > MAX_PAIRS) return;
    inside.add(name);
    this.#gather(fragment.selectionSet, place, inside);
    inside.delete(name);
  }
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}
