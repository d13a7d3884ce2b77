import { anyOf, formatLabel, type JsonObject, type JsonValue, parseLabel, type Viewer } from '@cairn/security';
import { isList, isObject } from './json.ts';

const LABELS_KEY = 'securityLabels';
const DEFAULTS_KEY = 'defaults';

/**
 * A document whose shown labels speak only of what its reader may see.
 *
 * A leaf of an entity that the graph states under several labels carries their disjunction, and a reader who satisfies
 * one of them must not learn of the others. So of a field's alternatives those stay that permit the reader. The label of
 * a whole document, `defaults`, is one label and stays as it was written.
 */
export function withVisibleLabels(document: JsonObject, viewer: Viewer): JsonObject {
  return mapObject(document, (value, key) =>
    key === LABELS_KEY && isObject(value) ? visibleFields(value, viewer) : visibleValue(value, viewer),
  );
}

function visibleValue(value: JsonValue, viewer: Viewer): JsonValue {
  if (isList(value)) return mapList(value, (item) => visibleValue(item, viewer));
  return isObject(value) ? withVisibleLabels(value, viewer) : value;
}

function visibleFields(labels: JsonObject, viewer: Viewer): JsonObject {
  return mapObject(labels, (label, field) => (field === DEFAULTS_KEY ? label : visibleLabel(label, viewer)));
}

function visibleLabel(label: JsonValue, viewer: Viewer): JsonValue {
  if (isList(label)) return mapList(label, (item) => visibleLabel(item, viewer));
  return typeof label === 'string' ? permittedAlternatives(label, viewer) : label;
}

/** The alternatives of a label that permit a viewer; the label as it is when it has none or does not permit at all. */
function permittedAlternatives(label: string, viewer: Viewer): string {
  if (!label.includes('|') || !viewer.permits(label)) return label;
  const parsed = parseLabel(label);
  return parsed.kind === 'any' ? anyOf(parsed.items.map(formatLabel).filter((item) => viewer.permits(item))) : label;
}

/** The object itself where nothing in it becomes another: most documents are shown without labels. */
function mapObject(object: JsonObject, map: (value: JsonValue, key: string) => JsonValue): JsonObject {
  let copy: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const mapped = map(value, key);
    if (mapped === value) continue;
    copy ??= { ...object };
    // Already a property of the copy itself, also where it is named `__proto__`.
    copy[key] = mapped;
  }
  return copy ?? object;
}

function mapList(list: readonly JsonValue[], map: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const mapped = map(list[i] as JsonValue);
    if (mapped === list[i]) continue;
    copy ??= [...list];
    copy[i] = mapped;
  }
  return copy ?? list;
}
