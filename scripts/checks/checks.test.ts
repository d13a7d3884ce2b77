import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error the checks are plain modules without declarations
import { findApiFaults, writeReports } from './api.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findNeedlessAssertions } from './assertions.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findCommentFaults } from './comments.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findCycles } from './cycles.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findDocFaults } from './docs.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findDoorFaults } from './doors.mjs';
// @ts-expect-error the checks are plain modules without declarations
import { findErrorFaults } from './errors.mjs';
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
  write('packages/search/src/room/d.ts', "import type { E } from './e.ts';\nexport type D = E[];\n");
  write('packages/search/src/room/e.ts', "import type { D } from './d.ts';\nexport type E = D | 1;\n");
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

describe('the check of reports of doors', () => {
  const report = 'packages/events/api/index.api.md';
  const again = 'run node scripts/checks/api.mjs --write and commit what changes';
  let root: string;

  beforeAll(() => {
    root = path.join(base, 'api');
    write('api/packages/events/package.json', manifest('events', {}));
    write('api/packages/events/src/index.ts', "export { open } from './room/log.ts';\nexport const LIMIT = 1;\n");
    write('api/packages/events/src/room/log.ts', LOG);
    writeReports(root);
  });

  const LOG = `
    import { isCodedError } from '@cairn/errors';
    /** Not exported by the door, and named by what is. */
    interface Options { readonly name: string }
    class Log { #events: string[] = []; append(event: string): void { this.#events.push(event); } }
    /** Opens. */
    export function open(options: Options): Log { return isCodedError(options) ? new Log() : new Log(); }`;

  it('writes what a door exports, and what that names', () => {
    expect(readFileSync(path.join(root, report), 'utf8')).toBe(
      [
        '# @cairn/events\n\n```ts\nconst LIMIT = 1;\nfunction open(options: Options): Log;\n```\n',
        '## Named by these and not exported\n\n```ts\nclass Log {\n    #private;\n    append(event: string): void;\n}',
        'interface Options {\n    readonly name: string;\n}\n```\n',
      ].join('\n'),
    );
    expect(findApiFaults(root)).toEqual([]);
  });

  it('refuses a door that changed, in what it names as well, and reports that are missing or of no door', () => {
    write('api/packages/events/src/room/log.ts', LOG.replace('name: string', 'name?: string'));
    expect(findApiFaults(root)).toEqual([`${report} is outdated: readonly name?: string; ${again}`]);
    write('api/packages/events/src/room/log.ts', LOG);
    write('api/packages/events/src/index.ts', "export { open } from './room/log.ts';\n");
    expect(findApiFaults(root)).toEqual([`${report} is outdated: const LIMIT = 1; ${again}`]);
    write('api/packages/events/api/gone.api.md', '');
    rmSync(path.join(root, report));
    expect(findApiFaults(root)).toEqual([
      `${report} is missing; ${again}`,
      `packages/events/api/gone.api.md is of no door; ${again}`,
    ]);
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

describe('the layer check of rooms', () => {
  it('refuses imports past the port, types included, from room to room, and rooms without a rule', () => {
    const source = 'rooms/packages/rdf-graph/src';
    write('rooms/packages/rdf-graph/package.json', manifest('rdf-graph', {}));
    write(`${source}/index.ts`, "export { a } from './shacl/a.ts';\n");
    write(`${source}/graph/port/graph-reader.ts`, 'export interface GraphReader {}\n');
    write(`${source}/graph/store/snapshot.ts`, "import '../../rdf/terms.ts';\nimport '../../sparql/query.ts';\n");
    write(`${source}/sparql/query.ts`, "import '../graph/store/snapshot.ts';\n");
    write(
      `${source}/shacl/a.ts`,
      [
        "import type { GraphReader } from '../graph/port/graph-reader.ts';",
        "import type { Snapshot } from '../graph/store/snapshot.ts';",
        "import { query } from '../sparql/query.ts';",
        "export { b } from './b.ts';\n",
      ].join('\n'),
    );
    write(`${source}/attic/a.ts`, 'export {};\n');
    expect(findLayerFaults(path.join(base, 'rooms'))).toEqual([
      'packages/rdf-graph/src/attic/a.ts: in no room of ROOMS in scripts/workspace.mjs',
      'packages/rdf-graph/src/graph/store/snapshot.ts: graph must not import sparql/query.ts',
      'packages/rdf-graph/src/shacl/a.ts: shacl must not import graph/store/snapshot.ts',
      'packages/rdf-graph/src/shacl/a.ts: shacl must not import sparql/query.ts',
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
  it('names the whole way round, where only types go round too', () => {
    expect(findCycles(base)).toEqual([
      'packages/search/src/room/a.ts -> packages/search/src/room/b.ts -> packages/search/src/room/a.ts',
      'packages/search/src/room/d.ts -> packages/search/src/room/e.ts -> packages/search/src/room/d.ts',
    ]);
  });
});

describe('the error check', () => {
  it('refuses codes without a row, of another kind than their row, and rows that nobody throws', () => {
    write(
      'packages/errors/src/table.ts',
      [
        "const invalid = rowOf('invalid');",
        "const late = rowOf('timeout', 'corrupt');",
        "export const ERROR_TABLE = { ERR_A: invalid('', ''), ERR_B: late('', ''), ERR_C: invalid('', '') };",
      ].join('\n'),
    );
    write(
      'packages/search/src/room/errors.ts',
      [
        "export const a = { code: 'ERR_A', kind: 'conflict' };",
        "export const b = { code: 'ERR_B', kind: 'corrupt' };",
        "export const d = [{ code: 'ERR_D' }, { code: 'ERR_BUFFER_TOO_LARGE' }];",
      ].join('\n'),
    );
    write('packages/search/src/room/errors.test.ts', "export const e = 'ERR_E';\n");
    expect(findErrorFaults(base)).toEqual([
      'packages/search/src/room/errors.ts:1: ERR_A is invalid in packages/errors/src/table.ts; here it is conflict',
      'packages/search/src/room/errors.ts:3: ERR_D is not in packages/errors/src/table.ts',
      'packages/errors/src/table.ts: ERR_C is thrown nowhere',
    ]);
  });
});

describe('the check of comments', () => {
  it.each(['What', 'Whatever', 'Whether', 'Whoever'])('refuses doc comments that begin with %s', (word) => {
    write('opening.ts', `/** Opens. */\n/** ${word} is open. */\n/**\n * ${word} is open.\n */\n// ${word} else\n`);
    const fault = `a doc comment begins with "${word}": say what the thing is or does`;
    expect(findCommentFaults(base)).toEqual([`opening.ts:2: ${fault}`, `opening.ts:3: ${fault}`]);
    write('opening.ts', '/** True when it is open. */\n');
    expect(findCommentFaults(base)).toEqual([]);
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
