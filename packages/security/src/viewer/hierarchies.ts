import { CodedError } from '@cairn/errors';
import { invalidJson, isJsonObject } from './json.ts';
import type { Hierarchies } from './viewer.ts';

/**
 * Hierarchies from JSON: `{name: [tiers]}` or `[{name, tiers}]`, tiers from least to most restrictive.
 *
 * Throws `ERR_HIERARCHIES` (invalid) that names the place.
 */
export function toHierarchies(json: unknown): Hierarchies {
  const hierarchies: Record<string, readonly string[]> = Object.create(null);
  for (const [name, tiers] of entries(json)) {
    if (name === '') throw invalid('a hierarchy must be named after its attribute; got an empty name');
    if (name in hierarchies) throw invalid(`hierarchy ${name} is given twice`);
    hierarchies[name] = checkedTiers(name, tiers);
  }
  return hierarchies;
}

function entries(json: unknown): (readonly [string, unknown])[] {
  if (Array.isArray(json)) return json.map(namedEntry);
  if (isJsonObject(json)) return Object.entries(json);
  throw invalidJson('ERR_HIERARCHIES', 'hierarchies', 'an object of lists, or a list of {name, tiers}', json);
}

function namedEntry(item: unknown, index: number): readonly [string, unknown] {
  if (!isJsonObject(item)) throw invalidJson('ERR_HIERARCHIES', `hierarchies[${index}]`, '{name, tiers}', item);
  const { name, tiers } = item;
  if (typeof name !== 'string') throw invalidJson('ERR_HIERARCHIES', `hierarchies[${index}].name`, 'a string', name);
  return [name, tiers];
}

function checkedTiers(name: string, tiers: unknown): readonly string[] {
  if (!Array.isArray(tiers) || tiers.length === 0) {
    throw invalidJson('ERR_HIERARCHIES', `hierarchy ${name}`, 'a list of one or more tiers', tiers);
  }
  tiers.forEach((tier: unknown, index) => {
    const place = `hierarchy ${name}[${index}]`;
    if (typeof tier !== 'string' || tier === '')
      throw invalidJson('ERR_HIERARCHIES', place, 'a non-empty string', tier);
    if (tiers.indexOf(tier) !== index) throw invalid(`${place} repeats the tier ${JSON.stringify(tier)}`);
  });
  return [...tiers];
}

function invalid(message: string): CodedError {
  return new CodedError({ code: 'ERR_HIERARCHIES', kind: 'invalid', message });
}
