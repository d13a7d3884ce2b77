import { isCodedError } from '@cairn/errors';
import { anyOf } from '../label/combine.ts';
import { parseLabel } from '../label/parse.ts';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import { isList, isObject, type JsonValue } from './json.ts';

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
    const wellFormed = [...others].filter(isWellFormed);
    if (wellFormed.length === 1) return wellFormed[0];
    return orDeny(() => anyOf(wellFormed)) || '!';
  });
}

function isWellFormed(label: string): boolean {
  return orDeny(() => parseLabel(label)) !== undefined;
}

function orDeny<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}
