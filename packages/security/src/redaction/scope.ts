import { isCodedError } from '@cairn/errors';
import { allOf } from '../label/combine.ts';
import { isEmptyLabel } from '../label/label.ts';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from './json.ts';

/** What the labels of a document are read with. */
export interface LabelScopeOptions {
  /** The label of what has none, neither its own nor from an enclosing object. Default: `!`, which denies. */
  readonly defaultLabel?: string;
}

/** What {@link redactDocument} does besides deciding. */
export interface RedactionOptions extends LabelScopeOptions {
  /** Keep the labels of what is visible. Default false. */
  readonly showSecurityLabels?: boolean;
}

/** What `securityLabels` says about one field: a label, or a list parallel to a list field. */
export type LabelSpec = JsonValue | undefined;

/** Deepest nesting of objects and lists that is read. What lies deeper is visible to nobody. */
export const MAX_DOCUMENT_DEPTH = 100;

const DENY = '!';
const LABELS_KEY = 'securityLabels';
const DEFAULTS_KEY = 'defaults';

/** An object's own default label, and whether something visible was decided by it. */
export interface OwnDefault {
  readonly label: string;
  used: boolean;
}

/** What decides about the values in an object that carry no label of their own. Immutable. */
export interface Scope {
  /** The label of an enclosing field, which must permit beside whatever else decides. */
  readonly gate: string | undefined;
  /** The label of a value without one of its own; the gate is part of it. */
  readonly fallback: string;
  /** The object's own default that {@link fallback} stems from. */
  readonly ownDefault: OwnDefault | undefined;
}

/** What an object says about its fields, and the scope inside it. */
export interface ObjectLabels {
  readonly scope: Scope;
  readonly fields: JsonObject | undefined;
  /** The default that this object itself gives. */
  readonly ownDefault: OwnDefault | undefined;
}

/** The scope around a whole document. */
export function documentScope(options: LabelScopeOptions): Scope {
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

/** What the labels of an object say about one of its fields. */
export function fieldSpec(fields: JsonObject | undefined, key: string): LabelSpec {
  return fields === undefined || key === DEFAULTS_KEY ? undefined : ownValue(fields, key);
}

/** What a spec of a list says about one of its items. */
export function itemSpec(spec: LabelSpec, index: number): LabelSpec {
  if (!isList(spec)) return spec;
  // Unspecified: a parallel list that is too short leaves it unknown who may see the rest.
  return index < spec.length ? spec[index] : DENY;
}

/** The label that decides about a leaf. */
export function leafLabel(spec: LabelSpec, scope: Scope): string {
  const label = singleLabel(spec);
  return label === undefined ? scope.fallback : both(scope.gate, label);
}

/** Whether a leaf is decided by the scope, for want of a label of its own. */
export function isDecidedByScope(spec: LabelSpec): boolean {
  return singleLabel(spec) === undefined;
}

/** The scope inside a nested object: the label of its field gates everything in it. */
export function nestedScope(spec: LabelSpec, scope: Scope): Scope {
  const label = singleLabel(spec);
  if (label === undefined) return scope;
  const gate = both(scope.gate, label);
  return { gate, fallback: gate, ownDefault: undefined };
}

/** Whether a key holds labels rather than data. */
export function isLabelsKey(key: string): boolean {
  return key.endsWith(LABELS_KEY);
}

/** The label of one value that is no list: a list of exactly one label counts as that label. */
function singleLabel(spec: LabelSpec): string | undefined {
  if (!isList(spec)) return ownLabel(spec);
  return spec.length === 1 && !isList(spec[0]) ? ownLabel(spec[0]) : DENY;
}

/** A label as text: `undefined` where none is given, `!` where something else than text stands in its place. */
export function ownLabel(spec: LabelSpec): string | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (typeof spec !== 'string') return DENY;
  return isEmptyLabel(spec) ? undefined : spec;
}

/** Documents of one kind combine the same labels again and again. */
const combined = new BoundedMemo<string>(1024);

/** The label that permits whom both permit; `!` when one of them is malformed. */
export function both(gate: string | undefined, label: string): string {
  if (gate === undefined || gate === label) return label;
  return combined.get(JSON.stringify([gate, label]), () => combine(gate, label));
}

function combine(gate: string, label: string): string {
  try {
    return allOf([gate, label]);
  } catch (error) {
    if (isCodedError(error)) return DENY;
    throw error;
  }
}
