import { namedNode } from '../../rdf/terms.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import type { RequestContext } from '../execution/request-context.ts';
import type { Relation } from '../graph/relations.ts';
import type { GraphView } from '../graph/view.ts';
import { idOfUri } from './entity.ts';
import type { StateVocabulary } from './options.ts';
import type { Page } from './paging.ts';

/** A state of an entity. */
export interface StateValue {
  readonly view: GraphView;
  readonly id: TermId;
  readonly entity: TermId;
  /** The IRI of the predicate that links it to the entity. */
  readonly link: string;
  readonly vocabulary: StateVocabulary;
}

/** The typed subjects linked to an entity, by link and then by their N-Triples form, each once. */
export function findStates(
  context: RequestContext,
  view: GraphView,
  uri: string,
  vocabulary: StateVocabulary,
): StateValue[] {
  const entity = idOfUri(context.snapshot, uri);
  const found = new Map<TermId, StateValue>();
  for (const link of vocabulary.links) {
    const subjects = view.subjectsOf(context.snapshot.idOf(namedNode(link)), entity);
    for (const id of subjects.page(0, subjects.length)) {
      if (!found.has(id) && view.types(id).length > 0) found.set(id, { view, id, entity, link, vocabulary });
    }
    context.guard.check();
  }
  return [...found.values()];
}

/** When a state began: its own period when it is a beginning, else that of its sub-state that is one. */
export function startOf(context: RequestContext, state: StateValue): string | null {
  return edgeOf(context, state, state.vocabulary.isStartOf);
}

/** When a state ended. */
export function endOf(context: RequestContext, state: StateValue): string | null {
  return edgeOf(context, state, state.vocabulary.isEndOf);
}

function edgeOf(context: RequestContext, state: StateValue, predicate: string): string | null {
  if (state.link === predicate) return periodOf(context, state, state.id);
  const parts = state.view.subjectsOf(context.snapshot.idOf(namedNode(predicate)), state.id);
  for (const part of parts.page(0, parts.length)) {
    const period = periodOf(context, state, part);
    if (period !== null) return period;
  }
  return null;
}

/** The text of a node's period; of several the first by its N-Triples form. */
export function periodOf({ snapshot }: RequestContext, { view, vocabulary }: StateValue, node: TermId): string | null {
  const [inPeriod, representation] = [vocabulary.inPeriod, vocabulary.representation].map((iri) =>
    snapshot.idOf(namedNode(iri)),
  );
  const periods = view.objectsOf(node, inPeriod!);
  for (const period of periods.page(0, periods.length)) {
    const text = view.objectsOf(period, representation!).page(0, 1)[0];
    if (text !== undefined) return snapshot.dictionary.text(text);
  }
  return null;
}

/** How many relations a state has: see {@link pageRelations}. */
export function countRelations(state: StateValue): number {
  const [outgoing, incoming] = relationsOf(state);
  return outgoing.size + incoming.size;
}

/** A page of a state's relations: those it is the subject of, without types and its entity, then those from typed subjects. */
export function pageRelations(state: StateValue, { start, limit }: Page): Relation[] {
  const [outgoing, incoming] = relationsOf(state);
  const first = outgoing.page(start, limit);
  const rest = limit - first.length;
  return rest === 0 ? first : [...first, ...incoming.page(Math.max(0, start - outgoing.size), rest)];
}

function relationsOf({ view, id, entity }: StateValue) {
  const outgoing = view.relations(id, 'out', 'nodes').filter(
    (predicate) => predicate !== view.typeId || view.typeId === UNBOUND,
    (other) => other !== entity,
  );
  const incoming = view.relations(id, 'in', 'nodes').filter(
    () => true,
    (other) => view.types(other).length > 0,
  );
  return [outgoing, incoming] as const;
}
