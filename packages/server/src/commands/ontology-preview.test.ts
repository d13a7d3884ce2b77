import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from './main.ts';

const NAMES = [process.env['CHROMIUM'] ?? '', 'chromium', 'chromium-browser', 'google-chrome'];
const chromium = NAMES.find((name) => name !== '' && spawnSync(name, ['--version']).status === 0);
if (chromium === undefined)
  console.warn('ontology preview in Chromium: SKIPPED, no Chromium found; name one in CHROMIUM');

let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'cairn-preview-'));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Returns the document that a browser makes of a page, with network access off. */
function domOf(page: string): string {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
  const profile = `--user-data-dir=${path.join(home, 'profile')}`;
  const args = [...flags, profile, '--disable-component-update', '--dump-dom', `file://${page}`];
  return execFileSync(chromium ?? '', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
}

describe('the preview page in Chromium', () => {
  it.skipIf(chromium === undefined)('shows every class in both themes and all sizes', async () => {
    const ontology = path.join(import.meta.dirname, '../../../../test-fixtures/apollo/ontology/apollo.ttl');
    const page = path.join(home, 'apollo.html');
    const console = { out: () => undefined, err: () => undefined };
    const args = ['ontology', 'preview', ontology, '--output', page];
    expect(await runCommandLine(args, { environment: {}, console })).toBe(0);
    const dom = domOf(page);
    expect(dom.match(/<figure /g)).toHaveLength(60);
    expect(dom.match(/class="node"/g)).toHaveLength(180);
    expect(dom).toContain('Command and service module');
  });
});
