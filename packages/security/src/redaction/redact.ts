import { checkObject } from '@cairn/errors';
import { checkViewer, type Viewer } from '../viewer/viewer.ts';
import { isList, isObject, type JsonObject, type JsonValue, setValue, toLeaf } from './json.ts';
import {
  documentScope,
  fieldSpec,
  isDecidedByScope,
  isLabelsKey,
  isUriLeaf,
  itemSpec,
  type LabelSpec,
  leafLabel,
  MAX_DOCUMENT_DEPTH,
  nestedScope,
  type OwnDefault,
  ownLabel,
  type RedactionOptions,
  readObjectLabels,
  type Scope,
} from './scope.ts';

/**
 * Copies a document with only what a viewer may see; `undefined` when nothing but its `uri` is left.
 *
 * Leaves and list items are decided one by one, by the rules of {@link labelledLeaves}; containers that are or become
 * empty are removed. The document's `uri` stays whenever anything else does, unless its own label denies. Keys that end
 * in `securityLabels` are removed; with `showSecurityLabels` each object gets back, as its last key, a `securityLabels`
 * that holds only the labels of what is visible in it. Anything nested deeper than 100 levels is hidden.
 *
 * Non-interference: the result is equal to that of a document that never held the hidden parts.
 *
 * Cost: O(values), and one decision for each distinct label.
 */
export function redactDocument(
  document: JsonObject,
  viewer: Viewer,
  options: RedactionOptions = {},
): JsonObject | undefined {
  checkObject(document, 'the document');
  checkViewer(viewer);
  checkObject(options, 'the options');
  const redactor = new Redactor(viewer, options.showSecurityLabels ?? false);
  return redactor.object(document, documentScope(options), 1);
}

/** A value that is kept, and what to show of the labels beside it. */
interface Kept {
  readonly value: JsonValue;
  readonly shown: LabelSpec;
}

class Redactor {
  readonly #viewer: Viewer;
  readonly #show: boolean;

  constructor(viewer: Viewer, show: boolean) {
    this.#viewer = viewer;
    this.#show = show;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every member of a document comes through here
  object(object: JsonObject, outer: Scope, depth: number): JsonObject | undefined {
    const labels = readObjectLabels(object, outer);
    const visible: Record<string, JsonValue> = {};
    const shown: Record<string, JsonValue> | undefined = this.#show ? {} : undefined;
    let isEmpty = true;
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined || isLabelsKey(key)) continue;
      const spec = fieldSpec(labels.fields, key);
      const follows = depth === 1 && isUriLeaf(key, value);
      const kept = follows ? this.#uri(value, spec, labels.scope) : this.#value(value, spec, labels.scope, depth + 1);
      if (kept === undefined) continue;
      if (!follows) isEmpty = false;
      setValue(visible, key, kept.value);
      if (shown !== undefined && kept.shown !== undefined) setValue(shown, key, kept.shown);
    }
    if (isEmpty) return undefined;
    if (shown !== undefined) addLabels(visible, shown, labels.ownDefault);
    return visible;
  }

  #value(value: JsonValue, spec: LabelSpec, scope: Scope, depth: number): Kept | undefined {
    if (isList(value)) return this.#list(value, spec, scope, depth);
    if (!isObject(value)) return this.#leaf(value, spec, scope);
    if (depth > MAX_DOCUMENT_DEPTH) return undefined;
    const object = this.object(value, nestedScope(spec, scope), depth);
    return object === undefined ? undefined : { value: object, shown: shownLabel(spec) };
  }

  #list(list: readonly JsonValue[], spec: LabelSpec, scope: Scope, depth: number): Kept | undefined {
    if (depth > MAX_DOCUMENT_DEPTH) return undefined;
    const values: JsonValue[] = [];
    const shown: JsonValue[] = [];
    list.forEach((item, index) => {
      const kept = this.#value(item, itemSpec(spec, index), scope, depth + 1);
      if (kept === undefined) return;
      values.push(kept.value);
      shown.push(kept.shown ?? '');
    });
    if (values.length === 0) return undefined;
    return { value: values, shown: isList(spec) ? shown : shownLabel(spec) };
  }

  #leaf(value: JsonValue, spec: LabelSpec, scope: Scope): Kept | undefined {
    if (value === undefined || !this.#viewer.permits(leafLabel(spec, scope))) return undefined;
    if (scope.ownDefault !== undefined && isDecidedByScope(spec)) scope.ownDefault.used = true;
    return { value: toLeaf(value), shown: shownLabel(spec) };
  }

  #uri(value: JsonValue, spec: LabelSpec, scope: Scope): Kept | undefined {
    const denied = !isDecidedByScope(spec) && !this.#viewer.permits(leafLabel(spec, scope));
    return denied ? undefined : { value: toLeaf(value), shown: shownLabel(spec) };
  }
}

function addLabels(
  visible: Record<string, JsonValue>,
  fields: Record<string, JsonValue>,
  ownDefault: OwnDefault | undefined,
): void {
  const labels: JsonObject = ownDefault?.used ? { defaults: ownDefault.label, ...fields } : fields;
  if (Object.keys(labels).length > 0) visible['securityLabels'] = labels;
}

/** Returns the label to show beside a visible value: as it was, or `!` in place of anything that is no label. */
function shownLabel(spec: LabelSpec): LabelSpec {
  if (spec === undefined) return undefined;
  if (!isList(spec)) return ownLabel(spec) ?? '';
  return spec.length === 1 ? [ownLabel(spec[0]) ?? ''] : '!';
}
