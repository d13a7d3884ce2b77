import type { Attributes, Hierarchies } from './viewer.ts';

/**
 * Returns a text that is equal for two users exactly when every label decides alike for both.
 *
 * All that a label can tell about an attribute is which values pass `=` (the user's own and those below them in the
 * hierarchy) and which value fails `!=` (the only one, when there is only one).
 */
export function viewerKey(attributes: Attributes, hierarchies: Hierarchies): string {
  const parts = Object.keys(attributes)
    .filter((name) => attributes[name].length > 0)
    .sort()
    .map((name) => [name, passing(attributes[name], tiersOf(hierarchies, name)), onlyValue(attributes[name])]);
  return JSON.stringify(parts);
}

function tiersOf(hierarchies: Hierarchies, name: string): readonly string[] {
  return Object.hasOwn(hierarchies, name) ? hierarchies[name] : [];
}

function passing(values: readonly string[], tiers: readonly string[]): string[] {
  const highest = Math.max(-1, ...values.map((value) => tiers.indexOf(value)));
  return [...new Set([...values, ...tiers.slice(0, highest + 1)])].sort();
}

function onlyValue(values: readonly string[]): string | null {
  return values.every((value) => value === values[0]) ? values[0] : null;
}
