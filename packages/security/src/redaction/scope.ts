import { allOf, anyOf } from '../label/combine.ts';
import { checkDefaultLabel } from '../label/default-label.ts';
import { orUndefined } from '../label/errors.ts';
import { isEmptyLabel } from '../label/label.ts';
import { parseLabel } from '../label/parse.ts';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from './json.ts';

/** Options for reading the labels of a document. */
export interface LabelScopeOptions {
  /**
   * Label of values that have none of their own nor from an enclosing object. Default: `!`, which denies. A malformed one
   * is refused with `ERR_LABEL_SYNTAX`.
   */
  readonly defaultLabel?: string;
}

/** Options of {@link redactDocument}. */
export interface RedactionOptions extends LabelScopeOptions {
  /** Keep the labels of what is visible. Default false. */
  readonly showSecurityLabels?: boolean;
}

/** Entry of `securityLabels` for one field: a label, or a list parallel to a list field. */
export type LabelSpec = JsonValue | undefined;

/** Deepest nesting of objects and lists read. Anything deeper is visible to nobody. */
export const MAX_DOCUMENT_DEPTH = 100;

const DENY = '!';
const LABELS_KEY = 'securityLabels';
const DEFAULTS_KEY = 'defaults';

/** An object's own default label, and whether something visible was decided by it. */
export interface OwnDefault {
  readonly label: string;
  used: boolean;
}

/** Decides about the values in an object that have no label of their own. Immutable. */
export interface Scope {
  /** Label of the enclosing field, which must permit in addition to any other. */
  readonly gate: string | undefined;
  /** Label of a value without one of its own; includes the gate. */
  readonly fallback: string;
  /** The object's own default that {@link fallback} comes from. */
  readonly ownDefault: OwnDefault | undefined;
}

export interface ObjectLabels {
  readonly scope: Scope;
  readonly fields: JsonObject | undefined;
  /** The default that this object itself gives. */
  readonly ownDefault: OwnDefault | undefined;
}

/** @throws `ERR_ARGUMENT`, `ERR_LABEL_SYNTAX` (invalid) for a default label that is none */
export function documentScope(options: LabelScopeOptions): Scope {
  checkDefaultLabel(options.defaultLabel, 'defaultLabel');
  const fallback = ownLabel(options.defaultLabel) ?? DENY;
  return { gate: undefined, fallback, ownDefault: undefined };
}

/** Reads the labels that an object carries. Without a default of its own it inherits the enclosing one. */
export function readObjectLabels(object: JsonObject, outer: Scope): ObjectLabels {
  const labels = ownValue(object, LABELS_KEY);
  const fields = isObject(labels) ? labels : undefined;
  // Unspecified: a string in the place of the labels object is the default of that object.
  const label = ownLabel(fields === undefined ? labels : ownValue(fields, DEFAULTS_KEY));
  if (label === undefined) return { scope: outer, fields, ownDefault: undefined };
  const ownDefault = { label, used: false };
  return { scope: { gate: outer.gate, fallback: both(outer.gate, label), ownDefault }, fields, ownDefault };
}

export function fieldSpec(fields: JsonObject | undefined, key: string): LabelSpec {
  return fields === undefined || key === DEFAULTS_KEY ? undefined : ownValue(fields, key);
}

export function itemSpec(spec: LabelSpec, index: number): LabelSpec {
  if (!isList(spec)) return spec;
  // Unspecified: a parallel list that is too short leaves it unknown who may see the rest.
  return index < spec.length ? spec[index] : DENY;
}

export function leafLabel(spec: LabelSpec, scope: Scope): string {
  const label = singleLabel(spec);
  return label === undefined ? scope.fallback : both(scope.gate, label);
}

/** Returns true if a leaf has no label of its own, so that the scope decides. */
export function isDecidedByScope(spec: LabelSpec): boolean {
  return singleLabel(spec) === undefined;
}

/** Returns the scope inside a nested object: the label of its field gates everything in it. */
export function nestedScope(spec: LabelSpec, scope: Scope): Scope {
  const label = singleLabel(spec);
  if (label === undefined) return scope;
  const gate = both(scope.gate, label);
  return { gate, fallback: gate, ownDefault: undefined };
}

export function isLabelsKey(key: string): boolean {
  return key.endsWith(LABELS_KEY);
}

/** Returns the label of one value that is not a list: a list of exactly one label counts as that label. */
function singleLabel(spec: LabelSpec): string | undefined {
  if (!isList(spec)) return ownLabel(spec);
  return spec.length === 1 && !isList(spec[0]) ? ownLabel(spec[0]) : DENY;
}

/** Returns a label as text: `undefined` where none is given, `!` where something other than text is in its place. */
export function ownLabel(spec: LabelSpec): string | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (typeof spec !== 'string') return DENY;
  return isEmptyLabel(spec) ? undefined : spec;
}

/** Documents of one kind combine the same labels again and again. */
const combined = new BoundedMemo<string>(1024);

/** Returns the label that permits the users whom both permit; `!` when one of them is malformed. */
export function both(gate: string | undefined, label: string): string {
  if (gate === undefined || gate === label) return label;
  return combined.get(JSON.stringify([gate, label]), () => orUndefined(() => allOf([gate, label])) ?? DENY);
}

/**
 * Returns true if a field of a document's outermost object is the identifier, which is visible with the document rather
 * than by the default label.
 */
export function isUriLeaf(key: string, value: JsonValue): boolean {
  return key === 'uri' && !isList(value) && !isObject(value) && value !== undefined;
}

/** Documents of one kind unite the same labels again and again. */
const united = new BoundedMemo<string>(1024);

/**
 * Returns the label of the identifier: it permits users whom at least one of the other leaves' labels permits.
 * Malformed labels permit nobody; a union too large for a label denies.
 */
export function labelOfUri(others: ReadonlySet<string>): string {
  return united.get(JSON.stringify([...others]), () => {
    const wellFormed = [...others].filter((label) => orUndefined(() => parseLabel(label)) !== undefined);
    if (wellFormed.length === 1) return wellFormed[0];
    return orUndefined(() => anyOf(wellFormed)) || DENY;
  });
}
