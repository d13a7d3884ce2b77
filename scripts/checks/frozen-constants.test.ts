import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const PACKAGES = path.resolve(import.meta.dirname, '../../packages');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly '@cairn/source'?: string }>>;
}

/** The modules behind the doors of every package, but for the command line, which runs when it is imported. */
const DOORS = readdirSync(PACKAGES).flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(path.join(PACKAGES, folder, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(manifest.exports ?? {}).flatMap(([door, { '@cairn/source': source }]) =>
    source === undefined || source.endsWith('/cli.ts')
      ? []
      : [[path.posix.join(manifest.name, door), path.join(PACKAGES, folder, source)] as const],
  );
});

/** The paths of objects and lists in a value that can be changed by whoever holds it. */
function changeable(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return [];
  const parts = Object.entries(value).flatMap(([key, part]) => changeable(part, `${at}.${key}`));
  return Object.isFrozen(value) ? parts : [at, ...parts];
}

describe('what a door exports as a constant', () => {
  it.each(DOORS)('can be changed by no caller: %s', async (_name, file) => {
    const door: Readonly<Record<string, unknown>> = await import(file);
    expect(Object.keys(door)).not.toEqual([]);
    expect(Object.entries(door).flatMap(([name, value]) => changeable(value, name))).toEqual([]);
  });

  it('is looked at in every package', () => {
    expect(DOORS.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        '@cairn/errors/table',
        '@cairn/rdf-graph/shacl',
        '@cairn/server',
        '@cairn/storage-fs/experimental',
      ]),
    );
  });
});
