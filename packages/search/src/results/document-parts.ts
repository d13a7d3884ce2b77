import type { JsonObject, JsonValue } from '@cairn/security';
import { compileFieldPattern } from '../mapping/field-selection.ts';
import { isObject } from '../port/arguments.ts';

/** Takes the parts of a document that a request asked for. */
export type TakeParts = (document: JsonObject) => JsonObject;

type Fits = (path: string) => boolean;

/** Labels beside the fields of an object: they stay when any of them does. */
const LABELS = 'securityLabels';

/**
 * Compiles the paths of parts that come back, and of those that do not; `undefined` when all of a document does. A path
 * stands for all below it; in a path `*` stands for any characters, dots included. Objects and lists of which nothing is
 * left are left out, as they are where a viewer sees nothing of them.
 */
export function compileParts(
  fields: readonly string[] | undefined,
  excluded: readonly string[] = [],
): TakeParts | undefined {
  if (fields === undefined && excluded.length === 0) return undefined;
  const taker = new PartTaker(anyOf(fields ?? []), anyOf(excluded));
  return (document) => taker.takeObject(document, '', fields === undefined) ?? {};
}

function anyOf(patterns: readonly string[]): Fits {
  const tests = patterns.map(compileFieldPattern);
  return (path) => tests.some((fits) => fits(path));
}

class PartTaker {
  readonly #isAsked: Fits;
  readonly #isExcluded: Fits;

  constructor(isAsked: Fits, isExcluded: Fits) {
    this.#isAsked = isAsked;
    this.#isExcluded = isExcluded;
  }

  /** @param isWhole true below a path that was asked for */
  takeObject(object: JsonObject, path: string, isWhole: boolean): JsonObject | undefined {
    const entries: [string, JsonValue][] = [];
    for (const [key, value] of Object.entries(object)) {
      const below = path === '' ? key : `${path}.${key}`;
      if (this.#isExcluded(below)) continue;
      const part = key === LABELS ? value : this.#take(value as JsonValue, below, isWhole || this.#isAsked(below));
      if (part !== undefined) entries.push([key, part as JsonValue]);
    }
    return entries.some(([key]) => key !== LABELS) ? Object.fromEntries(entries) : undefined;
  }

  #take(value: JsonValue, path: string, isWhole: boolean): JsonValue | undefined {
    if (Array.isArray(value)) {
      const items = (value as readonly JsonValue[]).map((item) => this.#take(item, path, isWhole));
      const taken = items.filter((item) => item !== undefined);
      return taken.length > 0 ? taken : undefined;
    }
    if (isObject(value)) return this.takeObject(value, path, isWhole);
    return isWhole ? value : undefined;
  }
}
