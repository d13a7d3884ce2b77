import type { ChangeSet } from '@cairn/rdf-graph';
import type { LabelledGraph } from './labelled-graph.ts';
import { type EntityMapping, pathsOf } from './mapping.ts';
import type { PathStep, PropertyPath } from './property-path.ts';
import type { Quad, Term } from './terms.ts';
import { type TextSet, WideSet } from './wide-set.ts';

/** Finds the entities whose documents a change may have altered. */
export interface TouchedEntities {
  /**
   * IRIs of the touched entities. Call when the dataset has applied the changes.
   *
   * The subjects of the changed quads, and whoever reaches one of them by a path of the mapping: a way that was cut at
   * several places is found from the first cut, as the way up to there still stands.
   */
  find(changes: readonly ChangeSet[], graph: LabelledGraph): Promise<TextSet>;
}

const QUADS_PER_PAUSE = 32;

interface Place {
  readonly path: PropertyPath;
  readonly step: number;
}

/**
 * @param isEntity whether an IRI names an entity, rather than a document
 * @param pause lets others run; called every few quads
 */
export function createTouchedEntities(
  mapping: EntityMapping,
  isEntity: (iri: string) => boolean,
  pause: () => Promise<void>,
): TouchedEntities {
  const places = placesByPredicate(pathsOf(mapping));
  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: what was walked already is passed over without a promise
    async find(changes, graph) {
      const touched = new WideSet();
      const walked = new WideSet();
      const add = (term: Term): void => {
        if (term.termType === 'NamedNode' && isEntity(term.value)) touched.add(term.value);
      };
      let quads = 0;
      for (const quad of changedQuads(changes)) {
        if (++quads % QUADS_PER_PAUSE === 0) await pause();
        add(quad.subject);
        for (const place of places.get(quad.predicate.value) ?? []) {
          const from = startOf(quad, place);
          const key = `${place.path.map(({ predicate }) => predicate).join(' ')} ${place.step} ${from.termType} ${from.value}`;
          if (walked.has(key)) continue;
          walked.add(key);
          for (const root of await walkBack(from, place, graph)) add(root);
        }
      }
      return touched;
    },
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

/** The end of the quad that is nearer to the entity. */
function startOf(quad: Quad, { path, step }: Place): Term {
  return path[step].inverse ? quad.object : quad.subject;
}

async function walkBack(from: Term, { path, step }: Place, graph: LabelledGraph): Promise<Term[]> {
  const back: PathStep[] = path
    .slice(0, step)
    .reverse()
    .map(({ predicate, inverse }) => ({ predicate, inverse: !inverse }));
  if (from.termType === 'Literal') return [];
  if (back.length === 0) return [from];
  return (await graph.walk({ subject: from }, back)).map(({ term }) => term);
}
