import { CodedError } from '@cairn/errors';
import type { JsonObject, JsonValue } from '@cairn/security';
import { describeValue, isObject } from '../port/arguments.ts';
import type { SearchDocument } from '../port/search-index.ts';

/** Deeper documents are refused, and with them those that contain themselves. */
const MAX_DEPTH = 1000;

/**
 * A copy of a document as JSON holds it: fields that are `undefined` are left out, a `Date` is its instant as text, and
 * what else JSON cannot say is refused. Each field is read once, so that what is indexed is what is stored, whatever
 * becomes of the document that was given. Cost: O(values).
 * @throws `ERR_DOCUMENT` (invalid), naming the field, for NaN and infinite numbers, big integers, functions, symbols,
 * objects of other classes, labels that are neither texts nor lists or objects of them, and documents that nest too deep.
 */
export function toPlainDocument(document: SearchDocument): SearchDocument {
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

export function invalidDocument(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_DOCUMENT', kind: 'invalid', message, cause });
}
