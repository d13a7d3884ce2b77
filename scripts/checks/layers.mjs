// Arrows point one way, and engines touch no platform: node scripts/checks/layers.mjs [ROOT]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf, LAYERS, PURE_LAYERS, ROOMS, readPackages, root, STRANGERS, sourceFiles } from '../workspace.mjs';
import { report } from './report.mjs';

const order = LAYERS.flatMap(({ packages }) => packages);
const pure = new Set(LAYERS.filter(({ layer }) => PURE_LAYERS.includes(layer)).flatMap(({ packages }) => packages));

/** Globals that an engine may not use: it is handed its clock, randomness and environment. */
const IMPURE = [
  ['Date.now', /\bDate\.now\s*\(/],
  ['new Date()', /\bnew Date\(\s*\)/],
  ['performance.now', /\bperformance\.now\s*\(/],
  ['Math.random', /\bMath\.random\s*\(/],
  ['crypto.randomUUID', /\brandomUUID\s*\(/],
  ['process', /\bprocess\.(env|argv|cwd|hrtime|memoryUsage|nextTick)\b/],
];

function mayPoint(from, to) {
  const strangers = STRANGERS.some((pair) => pair.includes(from) && pair.includes(to));
  return !strangers && order.indexOf(to) >= 0 && order.indexOf(to) < order.indexOf(from);
}

function packageOf(module) {
  return /^@cairn\/([^/]+)/.exec(module)?.[1];
}

/** Every broken rule of the layers below a workspace root, one line each. */
export function findLayerFaults(base = root) {
  const faults = [];
  const packages = readPackages(base);
  for (const { name, directory, manifest } of packages) {
    if (!order.includes(name)) {
      faults.push(`packages/${name}: not in a layer; add it to LAYERS in scripts/workspace.mjs`);
      continue;
    }
    for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
      const to = packageOf(dependency);
      if (to !== undefined && !mayPoint(name, to))
        faults.push(`packages/${name}/package.json: ${name} must not depend on ${to}`);
    }
    for (const file of sourceFiles(directory)) {
      faults.push(...findFileFaults(name, path.relative(base, file), readFileSync(file, 'utf8'), manifest));
    }
    faults.push(...findRoomFaults(name, directory).map((fault) => `packages/${name}/src/${fault}`));
    const unused = unusedOf(directory, manifest, packages);
    faults.push(...unused.map((dependency) => `packages/${name}/package.json: nothing imports ${dependency}`));
  }
  return faults;
}

/** The imports from room to room that {@link ROOMS} does not allow. */
function findRoomFaults(name, directory) {
  const rooms = ROOMS[name];
  if (rooms === undefined) return [];
  const source = path.join(directory, 'src');
  const faults = [];
  for (const full of sourceFiles(directory)) {
    const file = path.relative(source, full).replaceAll(path.sep, '/');
    const room = roomOf(file);
    if (room === undefined) continue;
    if (!(room in rooms)) {
      faults.push(`${file}: in no room of ROOMS in scripts/workspace.mjs`);
      continue;
    }
    for (const { module } of importsOf(readFileSync(full, 'utf8'))) {
      if (!module.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(file), module);
      if (mayEnter(rooms[room], room, target)) continue;
      faults.push(`${file}: ${room} must not import ${target}`);
    }
  }
  return faults;
}

/** The folder of a file; `undefined` of a door. */
function roomOf(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
}

function mayEnter(allowed, room, target) {
  return [room, ...allowed].some((part) => target.startsWith(`${part}/`));
}

/** The dependencies that neither the product's files import nor another dependency wants beside it. */
function unusedOf(directory, { dependencies = {} }, packages) {
  const files = sourceFiles(directory);
  if (files.length === 0) return [];
  const imported = files.flatMap((file) =>
    importsOf(readFileSync(file, 'utf8')).map(({ module }) => externalOf(module)),
  );
  const besides = packages
    .filter(({ manifest }) => manifest.name in dependencies)
    .flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const used = new Set([...imported, ...besides]);
  return Object.keys(dependencies).filter((dependency) => !used.has(dependency));
}

/** The package of a module; `undefined` of a file. */
function externalOf(module) {
  return /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(module)?.[1];
}

function findFileFaults(name, file, source, manifest) {
  const faults = [];
  for (const { module } of importsOf(source)) {
    const to = packageOf(module);
    if (to !== undefined && to !== name && !mayPoint(name, to)) faults.push(`${file}: ${name} must not import ${to}`);
    if (pure.has(name) && module.startsWith('node:')) faults.push(`${file}: an engine must not import ${module}`);
    const external = externalOf(module);
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' };
    if (external !== undefined && !module.startsWith('node:') && !(external in declared)) {
      faults.push(`${file}: imports ${external}, which package.json does not declare`);
    }
  }
  if (pure.has(name)) {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
    for (const [what, pattern] of IMPURE) {
      if (pattern.test(code)) faults.push(`${file}: an engine must be handed what ${what} gives`);
    }
  }
  return faults;
}

if (process.argv[1] === import.meta.filename) report('layers', findLayerFaults(process.argv[2]));
