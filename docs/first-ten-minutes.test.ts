import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, root, startDemoServer } from './testing/demo-server.ts';

/**
 * The first ten minutes of the README, as a reader would have them: the built server with the demo, and the `sh` fences
 * of the section in one shell, with nothing changed but the port, the data directory and where note.txt is written.
 */
let server: DemoServer;

function fencesOfSection(heading: string): string[] {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '');
}

/** Runs the fences in one shell and returns what each printed. */
function run(fences: readonly string[]): string[] {
  const separator = '=====';
  return server.run(fences.join(`\necho '${separator}'\n`)).split(`${separator}\n`);
}

const totals = (printed: string) => [...printed.matchAll(/"results":(\[\]|\[\{)/g)].map(([, start]) => start === '[{');

beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.close());

describe('the first ten minutes of the README', () => {
  it('give what the text says', async () => {
    const fences = fencesOfSection('The first ten minutes');
    const [tokens, search, upload, update, query] = run(fences);
    expect(tokens).toBe('');
    expect(totals(search ?? '')).toEqual([true, false]);
    expect(upload).toContain('"successful":true');
    expect(update).toMatch(/"primaryName":"Earthrise mission"/);
    expect(query?.trim().split(/\r?\n/)).toEqual([
      'name,missions',
      'David Scott,2',
      'Eugene Cernan,2',
      'James Lovell,2',
      'John Young,2',
    ]);

    const before = (search?.match(/"score"/g) ?? []).length;
    const again = () => run([fences[0] ?? '', fences[1] ?? ''])[1] ?? '';
    await expect.poll(() => (again().match(/"score"/g) ?? []).length, { timeout: 20_000 }).toBe(before + 1);
  });
});
