// What npm users get: publint, are-the-types-wrong, and the packed tarballs installed in a blank project whose script
// imports each door. Needs a full build: node scripts/checks/packages.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { readPackages, root } from '../workspace.mjs';
import { report } from './report.mjs';

const PNPM = ['-y', 'pnpm@12.21.0'];
const faults = [];
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-packed-'));
const published = readPackages().filter(({ manifest }) => manifest.private !== true);

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

function attempt(what, action) {
  try {
    return action();
  } catch (error) {
    faults.push(`${what}: ${(error.stdout || '') + (error.stderr || error.message)}`.trim());
    return undefined;
  }
}

/** Packs one package and returns the tarball's path. */
function pack({ directory: source, name }) {
  return attempt(`pack ${name}`, () => {
    run('npx', [...PNPM, 'pack', '--pack-destination', directory], source);
    const file = readdirSync(directory).find((entry) => new RegExp(`^cairn-${name}-\\d`).test(entry));
    return path.join(directory, file);
  });
}

async function lint({ name, manifest }, tarball) {
  const { readFile } = await import('node:fs/promises');
  const buffer = await readFile(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) },
  });
  for (const message of messages) {
    if (message.type !== 'suggestion') faults.push(`publint ${name}: ${formatMessage(message, pkg ?? manifest)}`);
  }
}

/** A blank project with every tarball installed, and a script that imports each door. */
function installAndImport(tarballs) {
  const project = path.join(directory, 'blank');
  const local = Object.fromEntries([...tarballs].map(([name, file]) => [`@cairn/${name}`, `file:${file}`]));
  const doors = published.flatMap(({ manifest }) =>
    Object.keys(manifest.exports).map((key) => manifest.name + key.slice(1)),
  );
  const files = {
    'package.json': JSON.stringify({
      name: 'blank',
      private: true,
      type: 'module',
      dependencies: { ...local, graphql: '16.15.0' },
      overrides: local,
    }),
    'import-each-door.mjs': [
      `const doors = ${JSON.stringify(doors)};`,
      'for (const door of doors) {',
      '  const module = await import(door);',
      '  if (Object.keys(module).length === 0) throw new Error("a door that exports nothing: " + door);',
      '}',
      'console.log(doors.length + " doors open");',
    ].join('\n'),
  };
  run('mkdir', [project], directory);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text);
  attempt('install in a blank project', () =>
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project),
  );
  const printed = attempt('import each door', () => run(process.execPath, ['import-each-door.mjs'], project));
  if (printed !== undefined) console.log(`packages: ${printed.trim()}`);
  attempt('cairn --version', () => run(path.join(project, 'node_modules/.bin/cairn'), ['--version'], project));
}

const tarballs = new Map();
for (const entry of published) {
  const tarball = pack(entry);
  if (tarball === undefined) continue;
  tarballs.set(entry.name, tarball);
  await lint(entry, tarball);
  attempt(`are-the-types-wrong ${entry.name}`, () =>
    run('npx', ['attw', tarball, '--profile', 'esm-only', '--format', 'ascii'], root),
  );
}
installAndImport(tarballs);
rmSync(directory, { recursive: true, force: true });
report('packages', faults);
