import { translateGroup } from './translate-pattern.ts';
import { translateSelect } from './translate-select.ts';
import { createTranslation, type Translation } from './translation.ts';

/** A translation of a whole text, with every rule. */
export function beginTranslation(): Translation {
  return createTranslation({ group: translateGroup, subQuery: translateSelect });
}
