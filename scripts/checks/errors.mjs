// Each code that is thrown has a row in the error table, of its kind, and each row is of a code that is thrown:
// node scripts/checks/errors.mjs [ROOT]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { filesBelow, root } from '../workspace.mjs';
import { report } from './report.mjs';

const TABLE = 'packages/errors/src/table.ts';
const CODE = /^ERR_[A-Z_]+$/;
/** Those of Node itself, which are caught and not thrown. */
const OF_NODE = new Set(['ERR_BUFFER_TOO_LARGE', 'ERR_WORKER_OUT_OF_MEMORY']);
const IS_SOURCE = /^packages\/[^/]+\/src\/.*\.ts$/;
const IS_TEST = /\.test\.ts$|\/(testing|proofs)\//;

/** Returns the faults, a line each. */
export function findErrorFaults(base = root) {
  const rows = readTable(base);
  const used = new Map();
  const faults = [];
  for (const name of sourcesOf(base)) {
    const file = parse(base, name);
    visit(file, (node) => {
      if (!ts.isStringLiteral(node) || !CODE.test(node.text) || OF_NODE.has(node.text)) return;
      const place = `${name}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
      used.set(node.text, place);
      const kind = kindBeside(node);
      if (!rows.has(node.text)) faults.push(`${place}: ${node.text} is not in ${TABLE}`);
      else if (kind !== undefined && !rows.get(node.text).includes(kind))
        faults.push(`${place}: ${node.text} is ${rows.get(node.text).join(' or ')} in ${TABLE}; here it is ${kind}`);
    });
  }
  for (const code of rows.keys()) if (!used.has(code)) faults.push(`${TABLE}: ${code} is thrown nowhere`);
  return faults;
}

function sourcesOf(base) {
  const names = [...filesBelow(path.join(base, 'packages'))].map((file) =>
    path.relative(base, file).replaceAll(path.sep, '/'),
  );
  return names.filter((name) => IS_SOURCE.test(name) && name !== TABLE && !IS_TEST.test(name));
}

/** The kinds of each code: `const invalid = rowOf('invalid');` makes the rows `ERR_X: invalid(...)`. */
function readTable(base) {
  const kinds = new Map();
  const rows = new Map();
  visit(parse(base, TABLE), (node) => {
    const called = node.initializer?.expression?.text;
    if (ts.isVariableDeclaration(node) && called === 'rowOf') {
      const given = node.initializer.arguments.map(({ text }) => text);
      kinds.set(node.name.text, given);
    } else if (ts.isPropertyAssignment(node) && CODE.test(node.name.text ?? '')) {
      rows.set(node.name.text, kinds.get(called));
    }
  });
  return rows;
}

/** The kind that an object gives beside a code, where it is written out. */
function kindBeside(node) {
  const object = node.parent?.parent;
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find(({ name }) => name?.text === 'kind');
  return property?.initializer !== undefined && ts.isStringLiteral(property.initializer)
    ? property.initializer.text
    : undefined;
}

function parse(base, name) {
  return ts.createSourceFile(name, readFileSync(path.join(base, name), 'utf8'), ts.ScriptTarget.Latest, true);
}

function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

if (process.argv[1] === import.meta.filename) report('errors', findErrorFaults(process.argv[2]));
