// No `!` that the compiler does not ask for: node scripts/checks/assertions.mjs [ROOT]
import path from 'node:path';
import ts from 'typescript';
import { root } from '../workspace.mjs';
import { report } from './report.mjs';

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;

/** Every non-null assertion on what cannot be null, as `file:line`. */
export function findNeedlessAssertions(base = root) {
  const { config } = ts.readConfigFile(path.join(base, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, base);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  return fileNames.flatMap((name) => {
    const file = program.getSourceFile(name);
    return needlessIn(file, checker).map((node) => {
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      return `${path.relative(base, name)}:${line + 1}: ${node.getText(file)} needs no !`;
    });
  });
}

function needlessIn(file, checker) {
  const found = [];
  const visit = (node) => {
    if (ts.isNonNullExpression(node) && !mayBeNothing(checker.getTypeAtLocation(node.expression))) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function mayBeNothing(type) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => (flags & NOTHING) !== 0);
}

if (process.argv[1] === import.meta.filename) report('assertions', findNeedlessAssertions(process.argv[2]));
