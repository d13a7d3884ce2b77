// What the scripts know about the workspace: its packages, their layers, and their source files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Packages from the bottom up. An arrow may only point to an earlier row, or to an earlier name within a row. */
export const LAYERS = [
  { layer: 'contracts', packages: ['errors', 'security', 'events'] },
  { layer: 'engines', packages: ['search', 'rdf-graph', 'ontology', 'ingest'] },
  { layer: 'adapters', packages: ['storage-fs', 'node-runtime'] },
  { layer: 'server', packages: ['server'] },
  { layer: 'tools', packages: ['benchmarks'] },
];

/** Arrows that the order would allow and the house does not: these know nothing of each other. */
export const STRANGERS = [
  ['security', 'events'],
  ['search', 'rdf-graph'],
  ['storage-fs', 'node-runtime'],
];

/**
 * The rooms of packages that are as large as several: which rooms, or parts of rooms, each may import. Doors see all.
 * GraphQL and SHACL read a dataset by the port alone; neither knows of SPARQL, nor SPARQL of them.
 */
export const ROOMS = {
  'rdf-graph': {
    rdf: [],
    xpath: [],
    graph: ['rdf'],
    sparql: ['rdf', 'xpath', 'graph'],
    graphql: ['rdf', 'graph/port'],
    shacl: ['rdf', 'xpath', 'graph/port'],
    dataset: ['rdf', 'graph', 'sparql'],
    comunica: ['rdf', 'graph/port', 'sparql'],
    conformance: ['rdf', 'graph/port'],
  },
};

/** Layers whose packages run anywhere: no `node:` import, no clock, no randomness, no environment. */
export const PURE_LAYERS = ['contracts', 'engines'];

/** Every file below a directory, depth first, without node_modules and dist. */
export function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === '.git') continue;
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(full);
    else yield full;
  }
}

/** The packages of a workspace root: name without scope, directory and manifest. */
export function readPackages(base = root) {
  const directory = path.join(base, 'packages');
  return readdirSync(directory)
    .filter((name) => statSync(path.join(directory, name)).isDirectory())
    .map((name) => ({
      name,
      directory: path.join(directory, name),
      manifest: JSON.parse(readFileSync(path.join(directory, name, 'package.json'), 'utf8')),
    }));
}

/** The product's TypeScript files of a package; none for a package without a `src`. */
export function sourceFiles(directory) {
  const source = path.join(directory, 'src');
  return existsSync(source) ? [...filesBelow(source)].filter(isProductFile) : [];
}

const TEST_FILE = /(\.test\.ts|\.bench\.ts)$|\/testing\//;

/** Returns true if a file is part of the product rather than of its tests. */
export function isProductFile(file) {
  return file.endsWith('.ts') && !TEST_FILE.test(file);
}

/** The modules that a TypeScript file imports. */
export function importsOf(source) {
  const statement = /^\s*(?:import|export)\s+(?:type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
  const call = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [statement, call].flatMap((form) => [...source.matchAll(form)].map(([, module]) => ({ module })));
}
