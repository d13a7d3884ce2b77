import type { SearchDocument } from '@cairn/search';
import type { JsonObject, JsonValue } from '@cairn/security';

/** Correction of a text in a document that names another thing, or another kind of thing, than was found. */
export interface Correction {
  readonly documentUri: string;
  readonly entityText: string;
  readonly entityCategory: string;
  readonly resolvedEntityUri: string;
  readonly resolvedCategory: string;
  /** The labels, of those that the document's entities carried, that the corrector could see. Others stay untouched. */
  readonly labels: readonly string[];
  /** Places of the corrected text with their labels. Corrections by earlier releases lack it. */
  readonly corrected?: readonly CorrectedPlace[] | undefined;
}

/** An entity as it stood when it was corrected. */
export interface CorrectedPlace {
  readonly label: string;
  readonly mentions: readonly JsonValue[];
}

/**
 * The document with its matching entities corrected; `undefined` when none matches.
 *
 * Matching ones take the resolved IRI and category. Entities of the same text, the resolved category and one label
 * become one, with the places of all.
 */
export function applyCorrection(document: SearchDocument, correction: Correction): SearchDocument | undefined {
  const entities = entitiesOf(document);
  const visible = new Set(correction.labels);
  const isMine = (entity: JsonObject): boolean =>
    entity['text'] === correction.entityText && visible.has(labelOfEntity(entity, document));
  if (!entities.some((entity) => isMine(entity) && entity['category'] === correction.entityCategory)) return undefined;
  const corrected: JsonObject[] = [];
  // Where the corrected entity of each label stands.
  const places = new Map<string, number>();
  for (const entity of entities) {
    const category = entity['category'];
    const takesPart =
      isMine(entity) && (category === correction.entityCategory || category === correction.resolvedCategory);
    if (!takesPart) {
      corrected.push(entity);
      continue;
    }
    const label = labelOfEntity(entity, document);
    const place = places.get(label);
    if (place !== undefined) {
      corrected[place] = mergeMentions(corrected[place], entity);
      continue;
    }
    places.set(label, corrected.length);
    corrected.push(resolve(entity, correction));
  }
  return { ...document, entities: corrected };
}

/** The document with a recorded correction, which stays also when its name has left the graph and nothing matches. */
export function applyRecorded(document: SearchDocument, correction: Correction): SearchDocument | undefined {
  const applied = applyCorrection(document, correction);
  if (applied !== undefined) return applied;
  const entities = entitiesOf(document);
  const { entityText: text, resolvedCategory: category, resolvedEntityUri: uri, corrected = [] } = correction;
  const isThere = (label: string): boolean =>
    entities.some((entity) => {
      return entity['text'] === text && entity['category'] === category && labelOfEntity(entity, document) === label;
    });
  const missing = corrected.filter(({ label }) => !isThere(label));
  if (missing.length === 0) return undefined;
  const restored = missing.map(({ label, mentions }): JsonObject => {
    return { text, category, uri, mentions, securityLabels: { defaults: label } };
  });
  return { ...document, entities: [...entities, ...restored] };
}

/** Where the entities of a document stand that a correction is about. */
export function correctedPlaces(document: SearchDocument, correction: Correction): CorrectedPlace[] {
  const visible = new Set(correction.labels);
  const places = new Map<string, JsonValue[]>();
  for (const entity of entitiesOf(document)) {
    const label = labelOfEntity(entity, document);
    const isMine = entity['text'] === correction.entityText && visible.has(label);
    if (!isMine || entity['category'] !== correction.entityCategory) continue;
    places.set(label, [...(places.get(label) ?? []), ...mentionsOf(entity)]);
  }
  return [...places].map(([label, mentions]) => ({ label, mentions }));
}

export function entityLabels(document: JsonObject): string[] {
  return [...new Set(entitiesOf(document).map((entity) => labelOfEntity(entity, document)))];
}

export function documentLabel(document: JsonObject): string {
  return defaultLabel(document) ?? '!';
}

function entitiesOf(document: JsonObject): readonly JsonObject[] {
  const entities = document['entities'];
  return Array.isArray(entities) ? (entities as readonly JsonObject[]) : [];
}

function labelOfEntity(entity: JsonObject, document: JsonObject): string {
  return defaultLabel(entity) ?? documentLabel(document);
}

function defaultLabel(object: JsonObject): string | undefined {
  const labels = object['securityLabels'];
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return undefined;
  const label = (labels as JsonObject)['defaults'];
  return typeof label === 'string' ? label : undefined;
}

function resolve(entity: JsonObject, { resolvedEntityUri, resolvedCategory }: Correction): JsonObject {
  const { text, mentions, securityLabels, ...rest } = entity;
  return {
    ...rest,
    ...(text === undefined ? {} : { text }),
    category: resolvedCategory,
    uri: resolvedEntityUri,
    ...(mentions === undefined ? {} : { mentions }),
    ...(securityLabels === undefined ? {} : { securityLabels }),
  };
}

function mergeMentions(into: JsonObject, entity: JsonObject): JsonObject {
  const all = [...mentionsOf(into), ...mentionsOf(entity)];
  const distinct = new Map(all.map((mention) => [JSON.stringify(mention), mention]));
  const mentions = [...distinct.values()].sort((a, b) => startOf(a) - startOf(b));
  return { ...into, mentions };
}

function mentionsOf(entity: JsonObject): readonly JsonValue[] {
  const { mentions } = entity;
  return Array.isArray(mentions) ? mentions : [];
}

function startOf(mention: JsonValue): number {
  return Number((mention as JsonObject)['start'] ?? 0);
}
