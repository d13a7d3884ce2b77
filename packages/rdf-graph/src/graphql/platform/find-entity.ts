import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { type RequestContext, wholeView } from '../execution/request-context.ts';
import type { GraphView } from '../graph/view.ts';
import { Entity, idOfUri } from './entity.ts';

/** The entity of a term; one object per request. */
export function toEntity(context: RequestContext, view: GraphView, id: TermId): Entity {
  let entities = context.entities.get(view);
  if (entities === undefined) {
    entities = new Map();
    context.entities.set(view, entities);
  }
  let entity = entities.get(id);
  if (entity === undefined) {
    entity = new Entity(view, id);
    entities.set(id, entity);
  }
  return entity;
}

/** The entity that a text names; `undefined` unless it is a subject or an object of the view that starts must be in. */
export function findEntity(context: RequestContext, start: GraphView, uri: string): Entity | undefined {
  const id = idOfUri(context.reader, uri);
  if (id === UNBOUND) return undefined;
  const whole = wholeView(context);
  if (start !== whole && !start.has(id)) return undefined;
  const entity = toEntity(context, whole, id);
  return entity.isThere() ? entity : undefined;
}
