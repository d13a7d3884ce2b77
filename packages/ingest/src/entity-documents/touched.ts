import type { ChangeSet } from '@cairn/rdf-graph';
import type { LabelledGraph, Quad, Term } from './labelled-graph.ts';
import { pathsOf } from './mapping.ts';
import type { PropertyPath } from './property-path.ts';
import { type TextSet, WideSet } from './wide-set.ts';

/**
 * Finds the IRIs of entities whose documents some changes may have altered. Call when the dataset has applied them.
 *
 * They are the subjects of the changed quads, and whoever reaches one of them by a path of the mapping: a way that was cut
 * at several places is found from the first cut, as the way up to there still stands.
 */
export type FindTouched = (changes: readonly ChangeSet[]) => Promise<TextSet>;

const QUADS_PER_PAUSE = 32;

interface Place {
  readonly path: PropertyPath;
  readonly step: number;
}

/** @param pause lets others run; called every few quads */
export function createFindTouched(
  graph: LabelledGraph,
  isEntity: (iri: string) => boolean,
  pause: () => Promise<void>,
): FindTouched {
  const places = placesByPredicate(pathsOf(graph.mapping));
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: what was walked already is passed over without a promise
  return async (changes) => {
    const touched = new WideSet();
    const walked = new WideSet();
    const add = (term: Term): void => {
      if (term.termType === 'NamedNode' && isEntity(term.value)) touched.add(term.value);
    };
    let quads = 0;
    for (const quad of changedQuads(changes)) {
      if (++quads % QUADS_PER_PAUSE === 0) await pause();
      add(quad.subject);
      for (const { path, step } of places.get(quad.predicate.value) ?? []) {
        // The end of the quad that is nearer to the entity.
        const from = path[step].inverse ? quad.object : quad.subject;
        const key = `${path.map(({ predicate }) => predicate).join(' ')} ${step} ${from.termType} ${from.value}`;
        if (walked.has(key)) continue;
        walked.add(key);
        if (from.termType === 'Literal') continue;
        for (const root of await graph.walkBack(from, path.slice(0, step))) add(root);
      }
    }
    return touched;
  };
}

function* changedQuads(changes: readonly ChangeSet[]): Generator<Quad, void, undefined> {
  for (const { deletions, additions } of changes) {
    for (const { quad } of deletions) yield quad;
    for (const { quad } of additions) yield quad;
  }
}

function placesByPredicate(paths: readonly PropertyPath[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const path of paths) {
    path.forEach(({ predicate }, step) => {
      places.set(predicate, [...(places.get(predicate) ?? []), { path, step }]);
    });
  }
  return places;
}
