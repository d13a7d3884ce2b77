import type { TermId } from '../../graph/port/term-kind.ts';
import { namedNode } from '../../rdf/terms.ts';
import { once, type RequestContext } from '../execution/request-context.ts';
import type { LazyOrder } from '../graph/lazy-order.ts';
import type { Pacer } from '../graph/pacer.ts';
import type { Relation, Relations } from '../graph/relations.ts';
import type { GraphView } from '../graph/view.ts';
import type { Entity } from './entity.ts';
import type { StateVocabulary } from './options.ts';
import type { Page } from './page-fields.ts';

export interface StateValue {
  readonly view: GraphView;
  readonly id: TermId;
  readonly entity: TermId;
  /** The IRI of the predicate that links it to the entity. */
  readonly link: string;
  readonly vocabulary: StateVocabulary;
}

/** Ids that are read of a sorted list at a time. */
const PORTION = 256;

/** A page of the typed subjects linked to an entity, by link and then by their N-Triples form, each once. */
export async function findStates(
  { reader, guard }: RequestContext,
  { view, id: entity }: Entity,
  vocabulary: StateVocabulary,
  { start, limit }: Page,
): Promise<StateValue[]> {
  const found = new Map<TermId, StateValue>();
  for (const link of vocabulary.links) {
    const subjects = await view.subjectsOf(guard, reader.idOf(namedNode(link)), entity);
    for await (const id of inOrder(guard, subjects)) {
      if (found.size >= start + limit) return [...found.values()].slice(start);
      if (!found.has(id) && view.isTyped(id)) found.set(id, { view, id, entity, link, vocabulary });
    }
  }
  return [...found.values()].slice(start);
}

/** The ids of a list in order, sorted no farther than they are read. */
async function* inOrder(guard: Pacer, list: LazyOrder): AsyncGenerator<TermId> {
  for (let start = 0; start < list.length; start += PORTION) {
    yield* await list.page(guard, start, start + PORTION);
    await guard.step();
  }
}

/**
 * When a state began or ended, by the predicate of beginnings or of ends: its own period when it is one, else that of its
 * sub-state that is one.
 */
export async function edgeOf(context: RequestContext, state: StateValue, predicate: string): Promise<string | null> {
  if (state.link === predicate) return periodOf(context, state, state.id);
  const { guard, reader } = context;
  const parts = await state.view.subjectsOf(guard, reader.idOf(namedNode(predicate)), state.id);
  for await (const part of inOrder(guard, parts)) {
    const period = await periodOf(context, state, part);
    if (period !== null) return period;
  }
  return null;
}

/** The text of a node's period; of several the first by its N-Triples form. */
export async function periodOf(
  { reader, guard }: RequestContext,
  { view, vocabulary }: StateValue,
  node: TermId,
): Promise<string | null> {
  const [inPeriod, representation] = [vocabulary.inPeriod, vocabulary.representation].map((iri) =>
    reader.idOf(namedNode(iri)),
  );
  for await (const period of inOrder(guard, await view.objectsOf(guard, node, inPeriod))) {
    const texts = await view.objectsOf(guard, period, representation);
    const [text] = await texts.page(guard, 0, 1);
    if (text !== undefined) return reader.text(text);
  }
  return null;
}

/** How many relations a state has: see {@link pageRelations}. */
export async function countRelations(context: RequestContext, state: StateValue): Promise<number> {
  const [outgoing, incoming] = await relationsOf(context, state);
  return outgoing.size + incoming.size;
}

/** A page of a state's relations: those it is the subject of, without types and its entity, then those from typed subjects. */
export async function pageRelations(
  context: RequestContext,
  state: StateValue,
  { start, limit }: Page,
): Promise<readonly Relation[]> {
  const [outgoing, incoming] = await relationsOf(context, state);
  const first = await outgoing.page(context.guard, start, limit);
  const rest = limit - first.length;
  if (rest === 0) return first;
  return [...first, ...(await incoming.page(context.guard, Math.max(0, start - outgoing.size), rest))];
}

type BothWays = readonly [outgoing: Relations, incoming: Relations];

function relationsOf(context: RequestContext, state: StateValue): Promise<BothWays> {
  const { view, id, entity } = state;
  return once(context, `state/${view.graph}/${id}/${entity}`, () => readRelations(context, state));
}

async function readRelations({ guard }: RequestContext, { view, id, entity }: StateValue): Promise<BothWays> {
  const [out, inward] = [
    await view.relations(guard, id, 'out', 'nodes'),
    await view.relations(guard, id, 'in', 'nodes'),
  ];
  const outgoing = await out.filter(guard, {
    keepsPredicate: (predicate) => predicate !== view.typeId,
    keepsOther: (other) => other !== entity,
  });
  const incoming = await inward.filter(guard, {
    keepsPredicate: undefined,
    keepsOther: (other) => view.isTyped(other),
  });
  return [outgoing, incoming];
}
