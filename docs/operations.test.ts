import { readFileSync } from 'node:fs';
import path from 'node:path';
import { completeConfiguration } from '@cairn/server';
import { describe, expect, it } from 'vitest';

const text = readFileSync(path.join(import.meta.dirname, 'operations.md'), 'utf8');

/** Keys whose members are named by the operator. */
const NAMED = new Set(['auth.users', 'auth.hierarchies', 'auth.roles', 'datasets']);

function keysOf(value: unknown, prefix = ''): string[] {
  const isTree = typeof value === 'object' && value !== null && !Array.isArray(value) && !NAMED.has(prefix);
  if (!isTree || Object.keys(value).length === 0) return [prefix];
  return Object.entries(value).flatMap(([key, below]) => keysOf(below, prefix === '' ? key : `${prefix}.${key}`));
}

describe('docs/operations.md', () => {
  for (const key of keysOf(completeConfiguration({}))) {
    it(`names ${key}`, () => {
      // Of a group whose members have no default the members stand there.
      expect(text.includes(`\`${key}\``) || text.includes(`\`${key}.`)).toBe(true);
    });
  }
});
