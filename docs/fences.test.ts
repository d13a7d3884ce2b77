import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, it } from 'vitest';

/**
 * Documents run: every `ts` fence of the README, of docs/ and of the packages' READMEs, and every `@example` of a doc
 * comment is written to a module of its own and imported. A fence that throws fails.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const scratch = path.join(root, 'docs', '.fences');

interface Fence {
  readonly origin: string;
  readonly code: string;
}

function filesBelow(directory: string, pattern: RegExp): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/(^|\/)(node_modules|dist|\.fences|api)\//.test(file))
    .map((file) => path.join(directory, file));
}

function fencesOf(file: string, text: string): Fence[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return { origin: `${path.relative(root, file)}:${line}`, code: match[1] ?? '' };
  });
}

function examplesOf(file: string, text: string): Fence[] {
  const comments = [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].filter(([comment]) => comment.includes('@example'));
  return comments.flatMap((comment) => {
    const line = text.slice(0, comment.index).split('\n').length;
    const bare = comment[0].replace(/^\s*\* ?/gm, '');
    return fencesOf(file, bare).map(({ code }) => ({ origin: `${path.relative(root, file)}:${line}`, code }));
  });
}

const documents = [
  ...filesBelow(root, /^[A-Z]+\.md$/),
  ...filesBelow(path.join(root, 'docs'), /\.md$/),
  ...filesBelow(path.join(root, 'packages'), /^[^/]+\/README\.md$/),
];
const sources = filesBelow(path.join(root, 'packages'), /^[^/]+\/src\/.*\.ts$/).filter(
  (file) => !/\.test\.ts$/.test(file),
);
const fences = [
  ...documents.flatMap((file) => fencesOf(file, readFileSync(file, 'utf8'))),
  ...sources.flatMap((file) => examplesOf(file, readFileSync(file, 'utf8'))),
];

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

mkdirSync(scratch, { recursive: true });
const written = fences.map(({ origin, code }, index) => {
  const file = path.join(scratch, `fence-${index}.ts`);
  writeFileSync(file, code);
  return { origin, file };
});

describe('code in the documents runs', () => {
  for (const { origin, file } of written) {
    it(origin, async () => {
      await import(/* @vite-ignore */ file);
    });
  }
  it('finds fences to run', ({ expect }) => expect(fences.length).toBeGreaterThan(0));
});

/** Context of a reader who copies it into a program in strict TypeScript. */
const STRICT: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: ['node'] },
  ...{ target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], module: ts.ModuleKind.ESNext },
  ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, customConditions: ['@cairn/source'] },
  ...{ moduleDetection: ts.ModuleDetectionKind.Force, resolveJsonModule: true },
};

it('code in the documents is strict TypeScript', ({ expect }) => {
  const files = written.map(({ file }) => file);
  const program = ts.createProgram(files, STRICT);
  const faults = written.flatMap(({ origin, file }) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${origin}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
  expect(faults).toEqual([]);
}, 240_000);
