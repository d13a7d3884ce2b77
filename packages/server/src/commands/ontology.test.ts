import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from './main.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../../test-fixtures');
const file = (name: string) => path.join(FIXTURES, name);

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'cairn-ontology-'));
});
afterAll(() => rmSync(home, { recursive: true }));

async function cairn(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const console = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const status = await runCommandLine(['ontology', ...args], { environment: {}, console });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

const BASE = ['--base', file('ontologies/base.ttl')];

describe('cairn ontology check', () => {
  it('ends with 0 and a summary when nothing is wrong', async () => {
    const { status, out, err } = await cairn('check', file('ontologies/good/owl.ttl'), ...BASE);
    expect([status, out, err]).toEqual([0, '', 'cairn: 1 files, 0 errors, 0 warnings, 0 notes']);
  });

  it('ends with 1 on an error, and says file, line, rule, subject and correction', async () => {
    const { status, out } = await cairn('check', file('ontologies/bad/style-length.ttl'), ...BASE);
    expect(status).toBe(1);
    expect(out).toMatch(
      /style-length\.ttl:\d+: error: style-length: <http[^>]+>: defaultStyles\.borderWidth is "2".*write 2px$/,
    );
  });

  it('fails on a warning only when told to', async () => {
    const args = ['check', file('ontologies/bad/convention.ttl'), ...BASE];
    expect((await cairn(...args)).status).toBe(0);
    expect((await cairn(...args, '--fail-on', 'warning')).status).toBe(1);
  });

  it('prints JSON for programs', async () => {
    const files = [file('ontologies/good/owl.ttl'), file('ontologies/bad/name.ttl')];
    const { out } = await cairn('check', ...files, ...BASE, '--format', 'json');
    expect(JSON.parse(out)).toEqual([
      { file: files[0], findings: [] },
      { file: files[1], findings: [expect.objectContaining({ rule: 'name', severity: 'error' })] },
    ]);
  });

  it('ends with 2 when it is called wrongly, naming what', async () => {
    for (const [args, message] of [
      [['check', file('ontologies/README.md')], /not a file name of RDF/],
      [['check', file('ontologies/none.ttl')], /cannot be read/],
      [['check', file('ontologies/base.ttl'), '--fail-on', 'note'], /--fail-on must be warning or error; got note/],
      [
        ['check', file('ontologies/base.ttl'), '--base', file('ontologies/bad/rdf-syntax.ttl')],
        /rdf-syntax\.ttl: line/,
      ],
      [['check'], /missing required argument/],
    ] as const) {
      const { status, err } = await cairn(...args);
      expect([status, err]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

describe('cairn ontology preview', () => {
  it('writes a page with every styled class', async () => {
    const output = path.join(home, 'apollo.html');
    const { status, out } = await cairn('preview', file('apollo/ontology/apollo.ttl'), '--output', output);
    expect([status, out, existsSync(output)]).toEqual([0, output, true]);
    expect(readFileSync(output, 'utf8').match(/<figure /g)).toHaveLength(60);
  });
});
