import { CodedError, isCodedError } from '@cairn/errors';
import { allOf, type JsonObject, type JsonValue, type LabelledLeaf, labelledLeaves } from '@cairn/security';
import { toWellFormed } from '../analysis/folding.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { type IndexedValue, toIndexedValue, toKeywordTerm } from '../mapping/value.ts';
import { describeValue, isObject } from '../port/arguments.ts';
import type { SearchDocument } from '../port/search-index.ts';

export interface FieldGroup {
  readonly path: string;
  /** Visible when any of these permits. */
  readonly labels: readonly string[];
  readonly values: IndexedValue[];
}

export interface LabelledDocument {
  readonly id: string;
  readonly document: SearchDocument;
  /** Who may see the document at all: when any of these permits. */
  readonly labels: readonly string[];
  /** In document order; the first is that of `uri`. */
  readonly groups: readonly FieldGroup[];
}

/**
 * Reads a document into groups of values by field and label.
 * @throws `ERR_DOCUMENT` (invalid) without a non-empty string `uri`, for what JSON cannot say, or when it nests too deep.
 */
export function readLabelledDocument(given: SearchDocument, mapping: IndexMapping): LabelledDocument {
  return labelPlainDocument(toPlainDocument(given), mapping);
}

/**
 * The same of a document that is JSON already, as what was parsed from JSON is.
 * @throws `ERR_DOCUMENT` (invalid) without a non-empty string `uri`, or when it nests too deep.
 */
export function labelPlainDocument(document: SearchDocument, mapping: IndexMapping): LabelledDocument {
  checkDocument(document);
  const groups = new Map<string, FieldGroup>();
  const leaves = [...readLeaves(document, mapping)];
  const uri = hasOwnUriLabel(document) ? leaves.find(isUri)?.label : undefined;
  const labels = new Set<string>();
  for (const leaf of leaves) {
    if (isUri(leaf)) continue;
    // A document whose uri is hidden is hidden whole.
    const label = uri === undefined || uri === leaf.label ? leaf.label : conjunctionOf([uri, leaf.label]);
    labels.add(label);
    addLeaf(groups, leaf, label, mapping);
  }
  // A set of labels, and not their disjunction, as an over-long disjunction would deny what each label permits.
  const documentLabels = [...labels].sort();
  const uriGroup = { path: 'uri', labels: documentLabels, values: [{ keyword: toKeywordTerm(document.uri) }] };
  return { id: document.uri, document, labels: documentLabels, groups: [uriGroup, ...groups.values()] };
}

function isUri({ path }: LabelledLeaf): boolean {
  return path.length === 1 && path[0] === 'uri';
}

/** The label that permits whom all permit; `!` when one is malformed. */
export function conjunctionOf(labels: readonly string[]): string {
  try {
    return allOf(labels);
  } catch (error) {
    if (isCodedError(error)) return '!';
    throw error;
  }
}

function addLeaf(groups: Map<string, FieldGroup>, leaf: LabelledLeaf, label: string, mapping: IndexMapping): void {
  if (leaf.value === null) return;
  const path = toFieldPath(leaf.path);
  const value = toIndexedValue(leaf.value, mapping.field(path));
  if (value === undefined) return;
  const key = `${path}\0${label}`;
  const group = groups.get(key);
  // Hot: every value of a document comes through here, most of them the only one of their group.
  if (group === undefined) groups.set(key, { path, labels: [label], values: [value] });
  else group.values.push(value);
}

/** The dotted path of a field: keys without list positions. */
function toFieldPath(path: readonly (string | number)[]): string {
  if (path.length === 1) return path[0] as string;
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') continue;
    text = text === '' ? step : `${text}.${step}`;
  }
  return text;
}

function readLeaves(document: SearchDocument, { defaultLabel }: IndexMapping): Iterable<LabelledLeaf> {
  try {
    return labelledLeaves(document, { defaultLabel });
  } catch (error) {
    if (isCodedError(error)) throw invalidDocument(error.message, error);
    throw error;
  }
}

function checkDocument(document: SearchDocument): void {
  const uri: unknown = document?.uri;
  if (typeof uri === 'string' && toWellFormed(uri) !== uri) throw invalidDocument('a uri must be well-formed Unicode');
  if (typeof uri !== 'string' || uri === '') throw invalidDocument('a document needs a non-empty string in uri');
}

function hasOwnUriLabel(document: SearchDocument): boolean {
  const labels = Object.hasOwn(document, 'securityLabels') ? document['securityLabels'] : undefined;
  return isObject(labels) && Object.hasOwn(labels, 'uri') && labels['uri'] !== null;
}

/** Deeper documents are refused, and with them those that contain themselves. */
const MAX_DEPTH = 1000;

/**
 * A copy of a document as JSON holds it: fields that are `undefined` are left out, a `Date` is its instant as text, and
 * what else JSON cannot say is refused. Each field is read once, so that what is indexed is what is stored, whatever
 * becomes of the document that was given. Cost: O(values).
 * @throws `ERR_DOCUMENT` (invalid), naming the field, for NaN and infinite numbers, big integers, functions, symbols,
 * objects of other classes, labels that are neither texts nor lists or objects of them, and documents that nest too deep.
 */
function toPlainDocument(document: SearchDocument): SearchDocument {
  if (!isObject(document)) refuse('a document', 'an object', document);
  return toPlainObject(document, '', 0, false) as SearchDocument;
}

function toPlainObject(object: JsonObject, path: string, depth: number, isLabel: boolean): JsonObject {
  if (depth > MAX_DEPTH) refuseDepth();
  // Own fields, `__proto__` too, so that they can be written below.
  const copy: Record<string, JsonValue> = { ...object };
  for (const key of Object.keys(copy)) {
    const value: unknown = copy[key];
    if (typeof value === 'string') continue;
    const isLabelled = isLabel || key.endsWith('securityLabels');
    const plain = toPlain(value, path === '' ? key : `${path}.${key}`, depth, isLabelled);
    if (plain === undefined) delete copy[key];
    else if (plain !== value) copy[key] = plain;
  }
  return copy;
}

/** The value as JSON holds it; `undefined` for a field that is left out. */
function toPlain(value: unknown, path: string, depth: number, isLabel: boolean): JsonValue | undefined {
  // A label that is a number or a boolean is malformed, and denies.
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value === undefined && !isLabel) return undefined;
  if (typeof value === 'object') {
    if (Array.isArray(value)) return toPlainList(value, path, depth + 1, isLabel);
    if (value instanceof Date && !isLabel) return toInstant(value, path);
    if (isPlain(value)) return toPlainObject(value as JsonObject, path, depth + 1, isLabel);
  }
  if (isLabel) return refuse(`the label ${path}`, 'a text, or a list or an object of texts', value);
  return refuse(`the field ${path}`, 'a text, a finite number, a boolean, a date, a list or a plain object', value);
}

function toPlainList(list: readonly unknown[], path: string, depth: number, isLabel: boolean): readonly JsonValue[] {
  if (depth > MAX_DEPTH) refuseDepth();
  const copy = [...list] as JsonValue[];
  for (let i = 0; i < copy.length; i++) {
    const value = copy[i];
    // An item keeps its place, as labels are parallel.
    if (typeof value !== 'string') copy[i] = toPlain(value, path, depth, isLabel) ?? null;
  }
  return copy;
}

function toInstant(date: Date, path: string): string {
  if (Number.isNaN(date.getTime())) refuse(`the field ${path}`, 'a date that there is', Number.NaN);
  return date.toISOString();
}

/** Returns true if an object is of no class, in whatever realm it was made. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refuseDepth(): never {
  throw invalidDocument(`a document must nest at most ${MAX_DEPTH} deep and not contain itself`);
}

function refuse(name: string, expected: string, value: unknown): never {
  throw invalidDocument(`${name} must be ${expected}; got ${describeValue(value)}`);
}

function invalidDocument(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_DOCUMENT', kind: 'invalid', message, cause });
}
