import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * The guides as a reader follows them: the built server with the demo, and the `sh` fences of each guide in order. Where
 * another fence comes right after one, it is the answer: JSON may leave out members, other text must be equal.
 */
const docs = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(docs);
const cli = path.join(root, 'packages/server/dist/cli.js');
const guides = ['search.md', 'graph.md', 'ingest.md', 'ontology.md', 'security-labels.md'];

interface Step {
  readonly line: number;
  readonly code: string;
  readonly answer: { readonly language: string; readonly text: string } | undefined;
}

let server: ChildProcess;
let directory: string;
let address: string;

function stepsOf(guide: string): Step[] {
  const text = readFileSync(path.join(docs, guide), 'utf8');
  const fences = text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```(json|csv|text|turtle)\n([\s\S]*?)^```)?/gm);
  return [...fences].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    code: match[1] ?? '',
    answer: match[2] === undefined ? undefined : { language: match[2], text: match[3] ?? '' },
  }));
}

/** Runs a fence from the root of the project, with nothing changed but the address and the data directory. */
function run(code: string): string {
  const script = code.replaceAll('http://127.0.0.1:8080', address).replaceAll('.cairn-data', directory);
  const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', script], { cwd: root, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

function check(printed: string, { language, text }: NonNullable<Step['answer']>): void {
  if (language === 'json') {
    const answer: unknown = JSON.parse(printed);
    expect(answer, printed.slice(0, 2000)).toMatchObject(JSON.parse(text));
  } else expect(printed.replaceAll('\r\n', '\n').trim()).toBe(text.trim());
}

beforeAll(async () => {
  if (!existsSync(cli)) throw new Error('packages/server/dist/cli.js is missing; run npm run build:fast');
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-guides-'));
  server = spawn(process.execPath, [cli, 'serve', '--demo', '--data', directory, '--port', '0'], { cwd: root });
  address = await new Promise((resolve, reject) => {
    let printed = '';
    server.stdout?.on('data', (chunk) => {
      printed += chunk;
      const ready = /listening on (http:\S+)/.exec(printed);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
});

afterAll(async () => {
  server.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
});

describe('the guides', () => {
  const preparation = stepsOf('README.md')
    .map(({ code }) => code)
    .join('\n');
  for (const guide of guides) {
    it(`${guide} answers what it says`, () => {
      const separator = '=====';
      const steps = stepsOf(guide);
      const printed = run([preparation, ...steps.map(({ code }) => code)].join(`\necho '${separator}'\n`)).split(
        `${separator}\n`,
      );
      for (const [at, { line, answer }] of steps.entries()) {
        if (answer === undefined) continue;
        try {
          check(printed[at + 1] ?? '', answer);
        } catch (error) {
          throw new Error(`docs/${guide}:${line}: ${(error as Error).message}`, { cause: error });
        }
      }
    });
  }
});
