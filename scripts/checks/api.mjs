// Each door has a committed report of what it exports, which changes with it: node scripts/checks/api.mjs [--write] [ROOT]
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { readPackages, root } from '../workspace.mjs';
import { report } from './report.mjs';

const OPTIONS = { target: ts.ScriptTarget.ES2023, isolatedDeclarations: true, removeComments: true };
const AGAIN = 'run node scripts/checks/api.mjs --write and commit what changes';
const printer = ts.createPrinter({ removeComments: true });

/** Every report that is missing, outdated, or of a door that is gone, one line each. */
export function findApiFaults(base = root) {
  const faults = [];
  for (const { directory, reports } of reportsOf(base)) {
    const folder = path.relative(base, path.join(directory, 'api'));
    for (const [name, text] of reports) {
      const file = path.join(directory, 'api', name);
      const fault = !existsSync(file) ? 'is missing' : changeOf(readFileSync(file, 'utf8'), text);
      if (fault !== undefined) faults.push(`${folder}/${name} ${fault}; ${AGAIN}`);
    }
    for (const name of committed(directory))
      if (!reports.has(name)) faults.push(`${folder}/${name} is of no door; ${AGAIN}`);
  }
  return faults;
}

/** Writes all reports anew, and removes those of doors that are gone. */
export function writeReports(base = root) {
  for (const { directory, reports } of reportsOf(base)) {
    for (const name of committed(directory)) if (!reports.has(name)) rmSync(path.join(directory, 'api', name));
    mkdirSync(path.join(directory, 'api'), { recursive: true });
    for (const [name, text] of reports) writeFileSync(path.join(directory, 'api', name), text);
  }
}

/** The names that a door exports, with their declarations: `{name, file, nodes}`, or `{name, module}` of another package. */
export function exportsOfDoor(file) {
  const { exported } = readModule(file);
  return [...exported.keys()].sort().map((name) => ({ name, ...resolveExport(file, name) }));
}

/** The file of each door of a package, by its key in `exports`. */
export function doorsOf({ directory, manifest }) {
  return Object.keys(manifest.exports ?? {}).map((key) => {
    const door = key === '.' ? 'index' : key.slice(2);
    return { key, door, file: path.join(directory, 'src', `${door}.ts`) };
  });
}

function committed(directory) {
  const folder = path.join(directory, 'api');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function changeOf(before, after) {
  if (before === after) return undefined;
  const [was, is] = [before, after].map((text) => text.split('\n'));
  const line = is.find((each) => !was.includes(each)) ?? was.find((each) => !is.includes(each)) ?? 'the order of lines';
  return `is outdated: ${line.trim().replace(/;$/, '')}`;
}

function reportsOf(base) {
  modules.clear();
  return readPackages(base)
    .filter(({ manifest }) => manifest.private !== true)
    .map((each) => ({
      directory: each.directory,
      reports: new Map(
        doorsOf(each).map(({ key, door, file }) => [
          `${door}.api.md`,
          reportOf(path.posix.join(each.manifest.name, key), file),
        ]),
      ),
    }));
}

function reportOf(title, file) {
  const entries = exportsOfDoor(file);
  const reached = reachedFrom(entries);
  const sections = [`# ${title}`, fence(entries)];
  if (reached.length > 0) sections.push('## Named by these and not exported', fence(reached));
  return `${sections.join('\n\n')}\n`;
}

function fence(entries) {
  return ['```ts', entries.map(print).join('\n'), '```'].join('\n');
}

function print({ name, file, nodes, module }) {
  if (module !== undefined) return `export { ${name} } from '${module}';`;
  const { source } = readModule(file);
  return nodes
    .map((node) => printer.printNode(ts.EmitHint.Unspecified, node, source))
    .map((text) => text.replace(/^(export )?(declare )?/, ''))
    .join('\n');
}

/** Returns the names that declarations of a package use and its door does not export, and those they use in turn. */
function reachedFrom(entries) {
  const seen = new Set(entries.map(keyOf));
  const queue = entries.filter(({ nodes }) => nodes !== undefined);
  const found = [];
  for (const { file, nodes } of queue) {
    for (const name of typesNamedBy(nodes)) {
      const target = resolveLocal(file, name);
      if (target?.nodes === undefined || seen.has(keyOf(target))) continue;
      seen.add(keyOf(target));
      found.push(target);
      queue.push(target);
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function keyOf({ file, name, nodes }) {
  return nodes === undefined ? name : `${file}:${nodes[0].pos}`;
}

function typesNamedBy(nodes) {
  const names = new Set();
  const visit = (node) => {
    const named = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isTypeQueryNode(node)
        ? node.exprName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : undefined;
    if (named !== undefined && ts.isIdentifier(named)) names.add(named.text);
    ts.forEachChild(node, visit);
  };
  nodes.forEach(visit);
  return names;
}

function resolveExport(file, name) {
  const { local, from } = readModule(file).exported.get(name) ?? {};
  if (local === undefined) throw new Error(`${file} does not export ${name}`);
  return from === undefined ? resolveLocal(file, local) : resolveIn(file, from, local);
}

/** Resolves a name inside a module: its own declaration or an import; `undefined` for a name of the language. */
function resolveLocal(file, name) {
  const { declared, imported } = readModule(file);
  const nodes = declared.get(name);
  if (nodes !== undefined) return { name, file, nodes };
  const target = imported.get(name);
  return target === undefined ? undefined : resolveIn(file, target.from, target.name);
}

function resolveIn(file, from, name) {
  return from.startsWith('.') ? resolveExport(path.resolve(path.dirname(file), from), name) : { name, module: from };
}

const modules = new Map();

/** The declarations of a module, made from its text alone, which `isolatedDeclarations` allows. */
function readModule(file) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    compilerOptions: OPTIONS,
  });
  const source = ts.createSourceFile(file, outputText, ts.ScriptTarget.Latest, true);
  const module = { source, declared: new Map(), imported: new Map(), exported: new Map() };
  for (const statement of source.statements) readStatement(module, statement);
  modules.set(file, module);
  return module;
}

function readStatement({ declared, imported, exported }, statement) {
  const declare = (name, node) => {
    declared.set(name, [...(declared.get(name) ?? []), node]);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      exported.set(name, { local: name });
  };
  if (ts.isImportDeclaration(statement)) {
    const from = statement.moduleSpecifier.text;
    const { elements = [] } = statement.importClause?.namedBindings ?? {};
    for (const { name, propertyName } of elements) imported.set(name.text, { from, name: (propertyName ?? name).text });
  } else if (ts.isExportDeclaration(statement)) {
    const from = statement.moduleSpecifier?.text;
    for (const { name, propertyName } of statement.exportClause?.elements ?? [])
      exported.set(name.text, { from, local: (propertyName ?? name).text });
  } else if (ts.isVariableStatement(statement)) {
    for (const { name } of statement.declarationList.declarations) declare(name.text, statement);
  } else if (statement.name !== undefined) {
    declare(statement.name.text, statement);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [base] = process.argv.slice(2).filter((argument) => argument !== '--write');
  if (process.argv.includes('--write')) writeReports(base);
  report('api', findApiFaults(base));
}
