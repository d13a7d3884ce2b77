import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createHeaders } from '@cairn/events';
import { afterAll, describe, expect, it } from 'vitest';
import { parseEventFile } from '../replay/file-event.ts';
import { parseRoute, parseRoutes } from '../routes/parser.ts';
import { openHouse, SECRET } from '../testing/house.ts';
import { toParts } from '../testing/parts.ts';
import { createIngest } from './create-ingest.ts';

const { ingest, log } = await openHouse();
afterAll(() => ingest.stop());

const headers = createHeaders({ 'Security-Label': '*' });
const upload = (more: AnyArgument) =>
  ingest.upload({ route: 'local', headers, parts: toParts({ 'a.txt': 'a' }), viewer: SECRET, ...more });
const load = (more: AnyArgument) =>
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
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('appends nothing of what it refuses', async () => {
    expect(await log.end('document.extractrequest')).toBeUndefined();
    expect(await log.end('document.corrections')).toBeUndefined();
  });
});
