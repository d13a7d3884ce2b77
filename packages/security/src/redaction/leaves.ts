import { CodedError, checkObject } from '@cairn/errors';
import { isList, isObject, type JsonObject, type JsonValue, toLeaf } from './json.ts';
import {
  both,
  documentScope,
  fieldSpec,
  isDecidedByScope,
  isLabelsKey,
  isUriLeaf,
  itemSpec,
  type LabelScopeOptions,
  type LabelSpec,
  labelOfUri,
  leafLabel,
  MAX_DOCUMENT_DEPTH,
  nestedScope,
  readObjectLabels,
  type Scope,
} from './scope.ts';

/** One leaf of a document and the label that decides who sees it. */
export interface LabelledLeaf {
  /** Keys and list positions from the outermost object, before any redaction. */
  readonly path: readonly (string | number)[];
  readonly value: string | number | boolean | null;
  /** The effective label. Never empty; `!` when nothing gives a label, or something other than text is in its place. */
  readonly label: string;
}

/**
 * Lists every leaf of a document with its effective label: {@link redactDocument} keeps a leaf exactly when the viewer
 * permits that label. Keys that end in `securityLabels` are not data and are left out.
 *
 * - A field's label is `securityLabels.<field>` of the object it is in: a string for the whole field, or a list
 *   parallel to a list field. `''` and null mean the default.
 * - The default is `securityLabels.defaults` of the object, else that of the enclosing object, else `defaultLabel`,
 *   else `!`. `securityLabels` may itself be a string: the default.
 * - The label of a field that holds an object (or a list of them) is the default inside it, and must permit as well as
 *   any label found there.
 * - A parallel list that is too short denies the items beyond it; one with a single label may label a value that is not
 *   a list; any other shape denies.
 * - The `uri` of the document is labelled with the union of the other leaves' labels, combined with its own if it has
 *   one. It is left out when there is no other leaf.
 *
 * Throws `ERR_DOCUMENT_TOO_DEEP` (too-large) beyond 100 levels of nesting. Cost: O(values).
 */
export function labelledLeaves(document: JsonObject, options: LabelScopeOptions = {}): Iterable<LabelledLeaf> {
  checkObject(document, 'the document');
  checkObject(options, 'the options');
  const collector = new LeafCollector();
  collector.object(document, documentScope(options), []);
  return collector.leaves();
}

class LeafCollector {
  readonly #leaves: LabelledLeaf[] = [];
  readonly #labels = new Set<string>();
  #uri: { readonly position: number; readonly value: LabelledLeaf['value']; readonly label?: string } | undefined;

  leaves(): readonly LabelledLeaf[] {
    const uri = this.#uri;
    if (uri === undefined || this.#leaves.length === 0) return this.#leaves;
    const label = both(uri.label, labelOfUri(this.#labels));
    return this.#leaves.toSpliced(uri.position, 0, { path: ['uri'], value: uri.value, label });
  }

  object(object: JsonObject, outer: Scope, path: readonly (string | number)[]): void {
    const { scope, fields } = readObjectLabels(object, outer);
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined || isLabelsKey(key)) continue;
      const spec = fieldSpec(fields, key);
      if (path.length === 0 && isUriLeaf(key, value)) this.#rememberUri(value as LabelledLeaf['value'], spec, scope);
      else this.#value(value, spec, scope, [...path, key]);
    }
  }

  #rememberUri(value: LabelledLeaf['value'], spec: LabelSpec, scope: Scope): void {
    const position = this.#leaves.length;
    this.#uri = isDecidedByScope(spec) ? { position, value } : { position, value, label: leafLabel(spec, scope) };
  }

  #value(value: JsonValue, spec: LabelSpec, scope: Scope, path: readonly (string | number)[]): void {
    if (isList(value)) {
      checkDepth(path);
      value.forEach((item, index) => {
        this.#value(item, itemSpec(spec, index), scope, [...path, index]);
      });
    } else if (isObject(value)) {
      checkDepth(path);
      this.object(value, nestedScope(spec, scope), path);
    } else if (value !== undefined) {
      const label = leafLabel(spec, scope);
      this.#labels.add(label);
      this.#leaves.push({ path, value: toLeaf(value), label });
    }
  }
}

/** A path of n steps leads to depth n + 1. */
function checkDepth(path: readonly (string | number)[]): void {
  if (path.length + 1 <= MAX_DOCUMENT_DEPTH) return;
  const message = `a document must nest at most ${MAX_DOCUMENT_DEPTH} levels deep`;
  throw new CodedError({ code: 'ERR_DOCUMENT_TOO_DEEP', kind: 'too-large', message });
}
