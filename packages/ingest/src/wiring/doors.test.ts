import { isCodedError } from '@cairn/errors';
import { createHeaders } from '@cairn/events';
import { afterAll, describe, expect, it } from 'vitest';
import { parseEventFile } from '../replay/file-event.ts';
import { parseRoute, parseRoutes } from '../routes/parser.ts';
import { openHouse, SECRET } from '../testing/house.ts';
import { toParts } from '../testing/parts.ts';
import { createIngest } from './create-ingest.ts';

/** What callers without types pass. */
const WRONG: readonly unknown[] = [undefined, null, 7, Number.NaN, true, 'text', [], {}, new Date(0), () => 'x'];

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door with one wrong argument, and the kinds of values that are right there. */
type Door = readonly [name: string, call: (wrong: Wrong) => unknown, right: readonly string[]];

const { ingest, log } = await openHouse();
afterAll(() => ingest.stop());

const headers = createHeaders({ 'Security-Label': '*' });
const upload = (more: Wrong) =>
  ingest.upload({ route: 'local', headers, parts: toParts({ 'a.txt': 'a' }), viewer: SECRET, ...more });
const load = (more: Wrong) =>
  ingest.load({ dataset: 'knowledge', contentType: 'text/turtle', value: new Uint8Array(0), ...more });
const correction = {
  documentUri: 'urn:d',
  entityText: 'x',
  entityCategory: 'urn:c',
  resolvedEntityUri: 'urn:e',
  resolvedCategory: 'urn:c',
};

const DOORS: readonly Door[] = [
  ['createIngest', (wrong) => createIngest(wrong), []],
  ['upload', (wrong) => ingest.upload(wrong), []],
  ['upload, headers', (wrong) => upload({ headers: wrong }), []],
  ['upload, parts', (parts) => upload({ parts }), []],
  ['upload, viewer', (viewer) => upload({ viewer }), []],
  ['update', (wrong) => ingest.update(wrong), []],
  ['update, evaluate', (evaluate) => ingest.update({ dataset: 'knowledge', evaluate }), []],
  ['update, what it changes', (wrong) => ingest.update({ dataset: 'knowledge', evaluate: async () => wrong }), []],
  ['load', (wrong) => ingest.load(wrong), []],
  ['load, value', (value) => load({ value }), []],
  ['load, label', (label) => load({ label }), ['text', 'undefined']],
  ['load, writer', (writer) => load({ writer }), ['undefined']],
  ['correctEntity', (wrong) => ingest.correctEntity(SECRET, wrong), []],
  ['correctEntity, viewer', (wrong) => ingest.correctEntity(wrong, correction), []],
  ['correctEntity, a text', (entityText) => ingest.correctEntity(SECRET, { ...correction, entityText }), []],
  ['deleteDocument, viewer', (wrong) => ingest.deleteDocument(wrong, 'urn:d'), []],
  ['parseRoute', (wrong) => parseRoute(wrong, { file: 'test' }), []],
  ['parseRoutes, a route', (value) => parseRoutes([{ value, source: { file: 'test' } }]), []],
  ['parseEventFile, name', (name) => parseEventFile({ name, bytes: new Uint8Array(0) }, () => ({})), []],
  ['parseEventFile, bytes', (bytes) => parseEventFile({ name: 'a.yaml', bytes }, () => ({})), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    for (const wrong of WRONG) {
      const kind = kindOf(wrong);
      expect([kind, await attempt(() => call(wrong))]).toEqual([kind, right.includes(kind) ? 'done' : 'invalid']);
    }
  });

  it('appends nothing of what it refuses', async () => {
    expect(await log.end('document.extractrequest')).toBeUndefined();
    expect(await log.end('document.corrections')).toBeUndefined();
  });
});

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'date';
  return typeof value === 'string' ? 'text' : Number.isNaN(value) ? 'nan' : typeof value;
}

/** `done`, the kind of a coded error, or the message of another. */
async function attempt(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'done';
  } catch (error) {
    return isCodedError(error) ? error.kind : String(error);
  }
}
