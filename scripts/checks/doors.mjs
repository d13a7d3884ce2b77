// Files directly in src/ are the doors of a package and equal its exports: node scripts/checks/doors.mjs [ROOT]
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readPackages, root } from '../workspace.mjs';
import { report } from './report.mjs';

const isDoor = (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.bench.ts');

/** Every difference between doors, exports and published exports, one line each. */
export function findDoorFaults(base = root) {
  const faults = [];
  for (const { name, directory, manifest } of readPackages(base)) {
    if (manifest.private === true) continue;
    const doors = readdirSync(path.join(directory, 'src'))
      .filter(isDoor)
      .map((file) => file.slice(0, -3));
    const exported = Object.entries(manifest.exports ?? {}).map(([key, value]) => [doorOf(key), value]);
    const bins = Object.values(manifest.bin ?? {}).map((file) => path.basename(file, '.js'));
    const named = new Set([...exported.map(([door]) => door), ...bins]);
    for (const door of doors)
      if (!named.has(door)) faults.push(`packages/${name}/src/${door}.ts: no door of package.json`);
    for (const door of named)
      if (!doors.includes(door)) faults.push(`packages/${name}: door ${door} has no file src/${door}.ts`);
    for (const [door, conditions] of exported) faults.push(...findConditionFaults(name, door, conditions, manifest));
    faults.push(...findBarrels(base, path.join(directory, 'src')));
  }
  return faults;
}

function doorOf(key) {
  return key === '.' ? 'index' : key.slice(2);
}

function findConditionFaults(name, door, conditions, manifest) {
  const key = door === 'index' ? '.' : `./${door}`;
  const published = { types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` };
  const wanted = { '@cairn/source': `./src/${door}.ts`, ...published };
  const faults = [];
  if (JSON.stringify(conditions) !== JSON.stringify(wanted)) {
    faults.push(`packages/${name}: exports["${key}"] must be ${JSON.stringify(wanted)}`);
  }
  if (JSON.stringify(manifest.publishConfig?.exports?.[key]) !== JSON.stringify(published)) {
    faults.push(`packages/${name}: publishConfig.exports["${key}"] must be ${JSON.stringify(published)}`);
  }
  return faults;
}

/** An index.ts in a room is a barrel: rooms are entered by the file that is wanted. */
function findBarrels(base, source) {
  const rooms = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  return rooms
    .map((room) => path.join(room.parentPath ?? room.path, room.name, 'index.ts'))
    .filter((file) => existsSync(file))
    .map((file) => `${path.relative(base, file)}: a barrel inside a package`);
}

if (process.argv[1] === import.meta.filename) report('doors', findDoorFaults(process.argv[2]));
