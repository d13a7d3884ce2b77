// No module of a package imports itself by a detour: node scripts/checks/cycles.mjs [ROOT]
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf, readPackages, root, sourceFiles } from '../workspace.mjs';
import { report } from './report.mjs';

/** Every import cycle inside a package, one line each. Imports of types count as well. */
export function findCycles(base = root) {
  const cycles = [];
  for (const { directory } of readPackages(base)) {
    const graph = new Map(sourceFiles(directory).map((file) => [file, localImports(file)]));
    cycles.push(...cyclesOf(graph).map((cycle) => cycle.map((file) => path.relative(base, file)).join(' -> ')));
  }
  return cycles;
}

function localImports(file) {
  return importsOf(readFileSync(file, 'utf8'))
    .filter(({ module }) => module.startsWith('.'))
    .map(({ module }) => path.resolve(path.dirname(file), module))
    .filter((target) => existsSync(target));
}

/** Depth-first search: an edge to a file on the path closes a cycle. */
function cyclesOf(graph) {
  const cycles = [];
  const done = new Set();
  const walk = (file, trail) => {
    const at = trail.indexOf(file);
    if (at >= 0) {
      cycles.push([...trail.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}

if (process.argv[1] === import.meta.filename) report('cycles', findCycles(process.argv[2]));
