import { CodedError } from '@cairn/errors';
import type { SortValue } from './sort-values.ts';

/** The place that a page ended at: what its last result was ordered by, its id, and the name of its index. */
export interface Cursor {
  readonly values: readonly SortValue[];
  readonly id: string;
  readonly index: string;
}

/** Begins paging with cursors. */
export const FIRST_CURSOR = '*';

/** Longer ones were not made here. */
const MAX_LENGTH = 65_536;

/** A cursor as text of letters, digits, `-` and `_`. It holds nothing but what its viewer was shown. */
export function writeCursor({ values, id, index }: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([values, id, index]));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Reads a cursor for an order by so many keys.
 * @throws `ERR_CURSOR` (invalid) for what {@link writeCursor} did not write, or of an order by other keys
 */
export function readCursor(text: string, keys: number): Cursor {
  const [values, id, index] = parse(text);
  const isWhole =
    Array.isArray(values) && values.every(isSortValue) && typeof id === 'string' && typeof index === 'string';
  if (!isWhole) throw badCursor('what an answer gave as next');
  if (values.length !== keys) throw badCursor(`of an order by as many keys (${keys})`);
  return { values, id, index };
}

function parse(text: string): readonly unknown[] {
  if (text.length > MAX_LENGTH) return [];
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || typeof value === 'number' || typeof value === 'string';
}

function badCursor(expected: string): CodedError {
  return new CodedError({ code: 'ERR_CURSOR', kind: 'invalid', message: `after must be * or ${expected}` });
}
