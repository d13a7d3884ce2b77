import { isCodedError } from '@cairn/errors';
import { allOf, type LabelledLeaf, labelledLeaves } from '@cairn/security';
import { toWellFormed } from '../analysis/folding.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { type IndexedValue, toIndexedValue, toKeywordTerm } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import { isObject } from '../port/arguments.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { invalidDocument, toPlainDocument } from './plain-document.ts';

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
  recall(groups, key, () => ({ path, labels: [label], values: [] })).values.push(value);
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
