import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, root, startDemoServer } from './testing/demo-server.ts';

/**
 * The guides as a reader follows them: the built server with the demo, and the `sh` fences of each guide in order. Where
 * another fence comes right after one, it is the answer: JSON may leave out members, other text must be equal.
 */
const docs = path.join(root, 'docs');
const guides = ['search.md', 'graph.md', 'ingest.md', 'ontology.md', 'security-labels.md'];

interface Step {
  readonly line: number;
  readonly code: string;
  readonly answer: { readonly language: string; readonly text: string } | undefined;
}

let server: DemoServer;

function stepsOf(guide: string): Step[] {
  const text = readFileSync(path.join(docs, guide), 'utf8');
  const fences = text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```(json|csv|text|turtle)\n([\s\S]*?)^```)?/gm);
  return [...fences].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    code: match[1] ?? '',
    answer: match[2] === undefined ? undefined : { language: match[2], text: match[3] ?? '' },
  }));
}

function check(printed: string, { language, text }: NonNullable<Step['answer']>): void {
  if (language === 'json') {
    const answer: unknown = JSON.parse(printed);
    expect(answer, printed.slice(0, 2000)).toMatchObject(JSON.parse(text));
  } else expect(printed.replaceAll('\r\n', '\n').trim()).toBe(text.trim());
}

beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.close());

describe('the guides', () => {
  const preparation = stepsOf('README.md')
    .map(({ code }) => code)
    .join('\n');
  for (const guide of guides) {
    it(`${guide} answers what it says`, () => {
      const separator = '=====';
      const steps = stepsOf(guide);
      const printed = server
        .run([preparation, ...steps.map(({ code }) => code)].join(`\necho '${separator}'\n`))
        .split(`${separator}\n`);
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
