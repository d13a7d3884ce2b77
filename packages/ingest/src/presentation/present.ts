import type { JsonObject, JsonValue, Viewer } from '@cairn/security';
import { leftmostLongest } from '../entities/name-matches.ts';
import { UNTYPED_CATEGORY } from '../entities/named-entity.ts';
import { isList, isObject } from './json.ts';
import { withVisibleLabels } from './visible-labels.ts';

const SINGLE_FIELDS: readonly string[] = ['primaryName', 'start', 'end'];

/**
 * A document as readers expect it, made from what one viewer may see of it:
 *
 * - `primaryName`, `start`, `end` and the `representationValue` of an identifier are one value, the preferred one. They
 *   are stored as lists, since which one is preferred depends on who looks.
 * - Of mentions that overlap, the longest stays, and names that it swallowed disappear.
 * - An entity known with and without its type at the same place is there once.
 * - Labels, where they are shown, speak only of what the viewer may see.
 */
export function presentDocument(document: JsonObject, viewer: Viewer): JsonObject {
  const presented: Record<string, JsonValue> = { ...document };
  for (const field of SINGLE_FIELDS) presentSingle(presented, field);
  if (isList(presented['isIdentifiedBy'])) {
    presented['isIdentifiedBy'] = presented['isIdentifiedBy'].map((item) => (isObject(item) ? identifier(item) : item));
  }
  if (isList(presented['entities'])) {
    const entities = presentEntities(presented['entities']);
    if (entities.length === 0) delete presented['entities'];
    else presented['entities'] = entities;
  }
  return withVisibleLabels(presented, viewer);
}

function identifier(item: JsonObject): JsonObject {
  const presented: Record<string, JsonValue> = { ...item };
  presentSingle(presented, 'representationValue');
  return presented;
}

/** The first of a list, and its label where labels are shown. */
function presentSingle(object: Record<string, JsonValue>, field: string): void {
  const value = object[field];
  if (!isList(value) || value.length === 0) return;
  object[field] = value[0] ?? null;
  const labels = object['securityLabels'];
  if (isObject(labels) && isList(labels[field]) && labels[field].length > 0) {
    object['securityLabels'] = { ...labels, [field]: labels[field][0] ?? null };
  }
}

interface Place {
  readonly entity: number;
  readonly field: string;
  readonly start: number;
  readonly end: number;
  readonly mention: JsonValue;
}

function presentEntities(entities: readonly JsonValue[]): JsonValue[] {
  const places = entities.flatMap((entity, at) => placesOf(entity, at));
  const fields = [...new Set(places.map(({ field }) => field))];
  const kept = fields.flatMap((field) => leftmostLongest(places.filter((place) => place.field === field)));
  const chosen = withoutUntyped(kept, entities);
  return entities.flatMap((entity, at) => {
    if (!isObject(entity) || !isList(entity['mentions'])) return [entity];
    const mentions = chosen.filter((place) => place.entity === at).map(({ mention }) => mention);
    return mentions.length === 0 ? [] : [{ ...entity, mentions }];
  });
}

function placesOf(entity: JsonValue, at: number): Place[] {
  if (!isObject(entity) || !isList(entity['mentions'])) return [];
  return entity['mentions'].flatMap((mention) => {
    if (!isObject(mention)) return [];
    const { field, start, end } = mention;
    if (typeof field !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
    return [{ entity: at, field, start, end, mention }];
  });
}

/** Of one thing at one place: not once more without its type, nor twice alike under different labels. */
function withoutUntyped(places: readonly Place[], entities: readonly JsonValue[]): Place[] {
  const typed = new Set<string>();
  const seen = new Set<string>();
  const keyOf = (place: Place): string => {
    const { uri = '' } = entities[place.entity] as JsonObject;
    return JSON.stringify([place.field, place.start, place.end, uri]);
  };
  const categoryOf = ({ entity }: Place): JsonValue => (entities[entity] as JsonObject)['category'] ?? '';
  for (const place of places) if (categoryOf(place) !== UNTYPED_CATEGORY) typed.add(keyOf(place));
  return places.filter((place) => {
    if (categoryOf(place) === UNTYPED_CATEGORY && typed.has(keyOf(place))) return false;
    const same = `${keyOf(place)} ${JSON.stringify(categoryOf(place))}`;
    return seen.has(same) ? false : seen.add(same);
  });
}
