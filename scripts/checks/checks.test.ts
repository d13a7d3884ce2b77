import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error the checks are plain modules without declarations
import { findNeedlessAssertions } from './assertions.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findCycles } from './cycles.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findDocFaults } from './docs.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findDoorFaults } from './doors.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findLayerFaults } from './layers.mjs';

let base: string;

function write(file: string, content: string | object): void {
  const full = path.join(base, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

function manifest(name: string, dependencies: Record<string, string>, door = 'index'): object {
  const published = { types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` };
  return {
    name: `@cairn/${name}`,
    dependencies,
    exports: { '.': { '@cairn/source': `./src/${door}.ts`, ...published } },
    publishConfig: { exports: { '.': published } },
  };
}

beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'cairn-checks-'));
  write('packages/errors/package.json', manifest('errors', {}));
  write('packages/errors/src/index.ts', 'export const one = 1;\n');
  write('packages/errors/README.md', '# errors\n');
  write('packages/search/package.json', manifest('search', { '@cairn/errors': '*', '@cairn/server': '*' }));
  write('packages/search/src/index.ts', "export { a } from './room/a.ts';\nexport { one } from '@cairn/errors';\n");
  write('packages/search/src/side-door.ts', 'export {};\n');
  write('packages/search/src/room/index.ts', "export { a } from './a.ts';\n");
  write('packages/search/src/room/a.ts', "import { b } from './b.ts';\nimport 'node:fs';\nexport const a = () => b;\n");
  write('packages/search/src/room/b.ts', "import { a } from './a.ts';\nexport const b = [a, Date.now()];\n");
  write(
    'packages/search/src/room/c.ts',
    "import chalk from 'chalk';\n// Date.now() in a comment\nexport const c = chalk;\n",
  );
  write('README.md', '# Top\n[good](packages/errors/README.md#errors) [bad](missing.md) [no heading](#nowhere)\n');
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the check of assertions', () => {
  it('refuses those that the compiler does not ask for', () => {
    write('tsconfig.json', { compilerOptions: { strict: true, types: [], lib: ['ES2022'] }, include: ['asserted'] });
    write(
      'asserted/a.ts',
      'export const first = (list: string[], map: Map<string, string>) => [list[0]!, map.get("a")!];\n',
    );
    expect(findNeedlessAssertions(base)).toEqual(['asserted/a.ts:1: list[0]! needs no !']);
  });
});

describe('the layer check', () => {
  it('refuses arrows that point up, platform imports, clocks, and dependencies that are not declared or not used', () => {
    expect(findLayerFaults(base)).toEqual([
      'packages/search/package.json: search must not depend on server',
      'packages/search/src/room/a.ts: an engine must not import node:fs',
      'packages/search/src/room/b.ts: an engine must be handed what Date.now gives',
      'packages/search/src/room/c.ts: imports chalk, which package.json does not declare',
      'packages/search/package.json: nothing imports @cairn/server',
    ]);
  });
});

describe('the door check', () => {
  it('refuses files of src that are no export, and barrels', () => {
    expect(findDoorFaults(base)).toEqual([
      'packages/search/src/side-door.ts: no door of package.json',
      'packages/search/src/room/index.ts: a barrel inside a package',
    ]);
  });
});

describe('the cycle check', () => {
  it('names the whole way round', () => {
    expect(findCycles(base)).toEqual([
      'packages/search/src/room/a.ts -> packages/search/src/room/b.ts -> packages/search/src/room/a.ts',
    ]);
  });
});

describe('the document check', () => {
  it('refuses links to missing files and headings, and packages without a README', () => {
    expect(findDocFaults(base)).toEqual([
      'README.md: link to missing.md, which does not exist',
      'README.md: link to #nowhere, which has no such heading',
      'packages/search: no README.md',
    ]);
  });
});
