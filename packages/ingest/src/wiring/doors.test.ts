import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createHeaders } from '@cairn/events';
import { afterAll, describe, expect, it } from 'vitest';
import { countDeadLetters, listDeadLetters, retryDeadLetter, showDeadLetter } from '../dead-letters/dead-letters.ts';
import { createProjector } from '../projector/runner.ts';
import { parseEventFile } from '../replay/file-event.ts';
import { parseRoute, parseRoutes } from '../routes/parser.ts';
import { createSystemClock } from '../testing/clock.ts';
import { readAll } from '../testing/drain.ts';
import { openHouse, SECRET } from '../testing/house.ts';
import { toParts } from '../testing/parts.ts';
import { createTextExtractor } from '../testing/text-extractor.ts';
import { createIngest } from './create-ingest.ts';

const { ingest, log, blobs, search, knowledge } = await openHouse();
afterAll(() => ingest.stop());

const headers = createHeaders({ 'Security-Label': '*' });
const BYTES = new Uint8Array(1);
const ROUTE = { name: 'a', topic: 'a', namespace: 'https://example.org/' };
const options: AnyArgument = {
  ...{ log, blobs, search, datasets: [{ dataset: knowledge }], routes: [] },
  extractor: createTextExtractor(),
  clock: createSystemClock(),
  nextId: () => 'id',
};
const PROJECTOR: AnyArgument = {
  ...{ log, topic: 'topic', group: 'group', clock: createSystemClock() },
  target: { start: async () => undefined, apply: async () => undefined },
};
async function* only(item: AnyArgument): AsyncGenerator<AnyArgument> {
  yield item;
}
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
  ['upload, route', (route) => upload({ route: route === 'text' ? 'local' : route }), ['text']],
  ['upload, sender', (sender) => upload({ sender }), ['text', 'undefined']],
  ['upload, signal', (signal) => upload({ signal }), ['undefined']],
  ['upload, a part', (wrong) => upload({ parts: only(wrong) }), []],
  ['upload, content of a part', (content) => upload({ parts: only({ filename: 'a.txt', content }) }), []],
  ['upload, a chunk', (chunk) => upload({ parts: only({ filename: 'a.txt', content: only(chunk) }) }), []],
  [
    'upload, a chunk of what is refused',
    (chunk) => upload({ parts: only({ filename: '..', content: only(chunk) }) }),
    [],
  ],
  ['upload, name of a part', (filename) => upload({ parts: only({ filename, content: only(BYTES) }) }), ['text']],
  [
    'upload, type of a part',
    (declaredType) => upload({ parts: only({ filename: 'a.txt', declaredType, content: only(BYTES) }) }),
    ['text', 'undefined'],
  ],
  ['createIngest, a dataset', (wrong) => createIngest({ ...options, datasets: [wrong] }), []],
  ['createIngest, the graph of a dataset', (dataset) => createIngest({ ...options, datasets: [{ dataset }] }), []],
  ['createIngest, a route', (wrong) => createIngest({ ...options, routes: [wrong] }), []],
  ['createIngest, extractions', (extractions) => createIngest({ ...options, extractions }), ['undefined', 'number']],
  ['createIngest, gatherMs', (gatherMs) => createIngest({ ...options, gatherMs }), ['undefined', 'number']],
  ['createIngest, clock', (clock) => createIngest({ ...options, clock }), []],
  [
    'createIngest, maxPendingBytes',
    (maxPendingBytes) => createIngest({ ...options, queue: { maxPendingBytes } }),
    ['undefined', 'number'],
  ],
  [
    'createIngest, the defaultLabel of a dataset',
    (defaultLabel) => createIngest({ ...options, datasets: [{ dataset: knowledge, defaultLabel }] }),
    ['text', 'undefined'],
  ],
  ['createProjector', (wrong) => createProjector(wrong), []],
  ...(['log', 'topic', 'group', 'target', 'clock'] as const).map(
    (name): Door => [
      `createProjector, ${name}`,
      (wrong) => createProjector({ ...PROJECTOR, [name]: wrong }),
      ['topic', 'group'].includes(name) ? ['text'] : [],
    ],
  ),
  ['createProjector, blobs', (wrong) => createProjector({ ...PROJECTOR, blobs: wrong }), ['undefined']],
  ['createProjector, lettersOf', (wrong) => createProjector({ ...PROJECTOR, lettersOf: wrong }), ['text', 'undefined']],
  ...['maxBatchEvents', 'gatherMs', 'maxTimeoutTries'].map(
    (name): Door => [
      `createProjector, ${name}`,
      (wrong) => createProjector({ ...PROJECTOR, [name]: wrong }),
      ['number', 'undefined'],
    ],
  ),
  ...['backOff', 'flushPolicy'].map(
    (name): Door => [
      `createProjector, ${name}`,
      (wrong) => createProjector({ ...PROJECTOR, [name]: wrong }),
      ['object', 'undefined'],
    ],
  ),
  [
    'createProjector, backOff, maxMs',
    (maxMs) => createProjector({ ...PROJECTOR, backOff: { maxMs } }),
    ['number', 'undefined'],
  ],
  [
    'createProjector, flushPolicy, bytes',
    (bytes) => createProjector({ ...PROJECTOR, flushPolicy: { bytes } }),
    ['number', 'undefined'],
  ],
  ...['onNotice', 'onDamage'].map(
    (name): Door => [
      `createProjector, ${name}`,
      (wrong) => createProjector({ ...PROJECTOR, [name]: wrong }),
      ['function', 'undefined'],
    ],
  ),
  ['listDeadLetters', (wrong) => listDeadLetters(wrong), []],
  ['listDeadLetters, topic', (wrong) => listDeadLetters(log, wrong), ['text', 'undefined']],
  ['countDeadLetters', (wrong) => countDeadLetters(wrong), []],
  ['showDeadLetter', (wrong) => showDeadLetter(wrong, blobs, 'a.dlq', '0'), []],
  ['retryDeadLetter', (wrong) => retryDeadLetter(wrong, 'a.dlq', '0'), []],
  ['parseRoute, source', (wrong) => parseRoute(ROUTE, wrong), []],
  ['parseRoute, file', (file) => parseRoute(ROUTE, { file }), ['text']],
  ['parseRoutes', (wrong) => parseRoutes(wrong), ['list']],
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

  it('refuses the default label of a dataset that is malformed', () => {
    const datasets = [{ dataset: knowledge, defaultLabel: 'bad(' }];
    const refused = expect.objectContaining({ code: 'ERR_LABEL_SYNTAX', kind: 'invalid' });
    expect(() => createIngest({ ...options, datasets })).toThrow(refused);
  });

  it('appends nothing of what it refuses', async () => {
    const names = (await readAll(log, 'document.extractrequest')).map((event) => event.headers.get('Ingest-Filename'));
    expect(new Set(names)).toEqual(new Set(['a.txt', 'text']));
    expect(await log.end('document.corrections')).toBeUndefined();
  });
});
