import { type JsonObject, type JsonValue, labelledLeaves, type Viewer } from '@cairn/security';
import { conjunctionOf } from '../document/labelled-document.ts';
import { isObject } from '../port/arguments.ts';
import type { CorrectionRequest } from '../port/search-index.ts';

/**
 * The document with every visible entity of a text and category resolved to a URI and a new category, and merged with
 * the visible entities that had that text and category already: mentions are joined, and the label of what was merged
 * is the conjunction of the labels. `undefined` when no visible entity matches. What the viewer may not see stays as
 * it is. `defaultLabel` is that of documents that carry none.
 */
export function correctEntity(
  document: JsonObject,
  correction: CorrectionRequest,
  viewer: Viewer,
  defaultLabel: string | undefined,
): JsonObject | undefined {
  const entities = document['entities'];
  if (!Array.isArray(entities)) return undefined;
  const list = entities as readonly JsonValue[];
  const labels = labelEntities(document, defaultLabel);
  const isVisible = (index: number): boolean => isObject(list[index]) && viewer.permits(labels.get(index) ?? '!');
  const indexes = [...list.keys()].filter(isVisible);
  const located = indexes.filter((index) => has(list[index], correction.entityText, correction.entityCategory));
  if (located.length === 0) return undefined;
  const same = indexes.filter((index) => has(list[index], correction.entityText, correction.resolvedCategory));
  const merged = [...new Set([...located, ...same])].sort((a, b) => a - b);
  const mergedLabels = merged.map((index) => labels.get(index) ?? '!');
  const mergedEntities = merged.map((index) => list[index] as JsonObject);
  const result = mergeEntities(mergedEntities, mergedLabels, correction);
  const gone = new Set(merged.slice(1));
  const kept = list.with(merged[0], result).filter((_, index) => !gone.has(index));
  return { ...document, entities: kept, ...parallelLabels(document, gone) };
}

/** The label of each entity: the conjunction of those of its text and its category. */
function labelEntities(document: JsonObject, defaultLabel: string | undefined): Map<number, string> {
  const labels = new Map<number, string>();
  for (const { path, label } of labelledLeaves(document, { defaultLabel })) {
    const [field, index, part] = path;
    if (path.length !== 3 || field !== 'entities' || typeof index !== 'number') continue;
    if (part !== 'text' && part !== 'category') continue;
    const known = labels.get(index);
    labels.set(index, known === undefined || known === label ? label : conjunctionOf([known, label]));
  }
  return labels;
}

function has(entity: JsonValue | undefined, text: string, category: string): boolean {
  return isObject(entity) && entity['text'] === text && entity['category'] === category;
}

function mergeEntities(
  entities: readonly JsonObject[],
  labels: readonly string[],
  { resolvedEntityUri, resolvedCategory }: CorrectionRequest,
): JsonObject {
  const first = entities[0];
  const corrected = { ...first, category: resolvedCategory, uri: resolvedEntityUri };
  if (entities.length === 1) return withoutFieldLabels(corrected);
  const label = conjunctionOf([...new Set(labels)]);
  return { ...corrected, mentions: joinMentions(entities), securityLabels: { defaults: label } };
}

/** Labels of the single values that were replaced go with those values. */
function withoutFieldLabels(entity: JsonObject): JsonObject {
  const labels = entity['securityLabels'];
  if (!isObject(labels)) return entity;
  const { category: _category, uri: _uri, ...kept } = labels;
  return { ...entity, securityLabels: kept };
}

function joinMentions(entities: readonly JsonObject[]): JsonValue[] {
  const known = new Map<string, JsonValue>();
  for (const { mentions } of entities) {
    if (!Array.isArray(mentions)) continue;
    for (const mention of mentions as readonly JsonValue[]) known.set(JSON.stringify(mention), mention);
  }
  return [...known.values()];
}

/** A list of labels parallel to the entities loses those of the entities that were merged away. */
function parallelLabels(document: JsonObject, gone: ReadonlySet<number>): JsonObject {
  const labels = document['securityLabels'];
  if (!isObject(labels) || !Array.isArray(labels['entities'])) return {};
  const kept = (labels['entities'] as readonly JsonValue[]).filter((_, index) => !gone.has(index));
  return { securityLabels: { ...labels, entities: kept } };
}
