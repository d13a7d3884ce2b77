import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMemoryEventLog, type EventLog, HEADER } from '@cairn/events';
import { changeSetFromEvent } from '@cairn/rdf-graph';
import { createViewer } from '@cairn/security';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../composition/service.ts';
import { load } from '../control/load.ts';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const SEC = 'http://telicent.io/security#';
const GRAPH = `${SEC}labels`;
const TOPICS = ['knowledge', 'catalog', 'ontology', 'document.extractrequest'];

/** A body that labels its one quad itself, by syntax. */
type Write = (rule: string, label: string, name: string) => string;

const literal = (text: string): string => JSON.stringify(text);
const nQuads: Write = (pattern, label, name) => `<urn:s> <urn:p> "${name}" .
_:r <${SEC}pattern> ${literal(pattern)} <${GRAPH}> .
_:r <${SEC}label> ${literal(label)} <${GRAPH}> .\n`;
const triG: Write = (pattern, label, name) => `<urn:s> <urn:p> "${name}" .
<${GRAPH}> { [] <${SEC}pattern> ${literal(pattern)} ; <${SEC}label> ${literal(label)} }`;
const jsonLd: Write = (pattern, label, name) =>
  JSON.stringify([
    { '@id': 'urn:s', 'urn:p': name },
    { '@id': GRAPH, '@graph': [{ [`${SEC}pattern`]: pattern, [`${SEC}label`]: label }] },
  ]);
const patch: Write = (...args) => nQuads(...args).replace(/^(?=[<_])/gm, 'A ');
const insert: Write = (pattern, label, name) => `INSERT DATA { <urn:s> <urn:p> "${name}" .
  GRAPH <${GRAPH}> { [] <${SEC}pattern> ${literal(pattern)} ; <${SEC}label> ${literal(label)} } }`;
/** A label graph that comes from another graph by COPY. */
const copy: Write = (pattern, label, name) => `${insert(pattern, label, name).replace(GRAPH, `urn:g:${name}`)} ;
  COPY <urn:g:${name}> TO <${GRAPH}>`;

let log: EventLog;
let server: TestServer;
let service: Service;
let directory: string;
beforeAll(async () => {
  log = createMemoryEventLog({ nowMs: Date.now });
  server = await startTestServer(TEST_CONFIGURATION, undefined, { log }, async (opened) => {
    service = opened;
  });
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-labels-'));
});
afterAll(async () => {
  await server.server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Sends a write as dieter, cleared to O, and gives its answer. */
type Door = (label: string | undefined, body: string) => Promise<Response>;

const post =
  (at: string, type: string): Door =>
  (label, body) =>
    server.send('dieter', at, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type, ...(label === undefined ? {} : { 'Security-Label': label }) },
    });
const file =
  (name: string): Door =>
  (label, body) =>
    server.upload('dieter', label ?? '', { [`${name.length}${name}`]: body });
const form: Door = (label, body) =>
  post('/api/graph/knowledge/update', 'application/x-www-form-urlencoded')(label, `update=${encodeURIComponent(body)}`);

const DOORS: readonly (readonly [name: string, write: Write, door: Door])[] = [
  ['TriG', triG, post('/api/graph/knowledge/upload', 'application/trig')],
  ['N-Quads', nQuads, post('/api/graph/catalog/upload', 'application/n-quads')],
  ['JSON-LD', jsonLd, post('/api/graph/ontology/upload', 'application/ld+json')],
  ['an update', insert, post('/api/graph/knowledge/update', 'application/sparql-update')],
  ['an update in a form', insert, form],
  ['an update that copies', copy, post('/api/graph/catalog/update', 'application/sparql-update')],
  ['a TriG file', triG, file('.trig')],
  ['an N-Quads file', nQuads, file('.nq')],
  ['a JSON-LD file', jsonLd, file('.jsonld')],
  ['an RDF patch file', patch, file('.rdfp')],
];

async function ends(): Promise<string> {
  return JSON.stringify(await Promise.all(TOPICS.map((topic) => log.end(topic))));
}

async function detailOf(response: Response): Promise<string> {
  const body = (await response.json()) as Loose;
  return `${body.code ?? ''} ${body.detail ?? body.documents?.[0]?.status}`;
}

let names = 0;

describe.each(DOORS)('labels in %s', (_name, write, door) => {
  it.each([
    ['<urn:s> * *', 'clearance=TS', 'must be one that the sender may read'],
    ['<urn:s> * *', 'clearance=', 'is malformed'],
    ['<urn:s> * *', '!', 'must be one that the sender may read'],
    ['<urn:s> <urn:p>', 'clearance=O', 'cannot be read'],
    ['<urn:s> <urn:p> "', 'clearance=O', 'has a literal without its end'],
    ['<urn:other> * *', 'clearance=O', 'matches none of the quads'],
  ])('are refused with the rule %s to %s, before anything is durable', async (pattern, label, message) => {
    const before = await ends();
    const response = await door('*', write(pattern, label, `n${names++}`));
    expect(response.status).toBe(400);
    const detail = await detailOf(response);
    expect(detail).toContain(message);
    expect(detail).toContain(literal(pattern));
    expect(await ends()).toBe(before);
  });

  it('hold where their writer may read them', async () => {
    const name = `n${names++}`;
    const response = await door('*', write(`<urn:s> <urn:p> "${name}"`, 'clearance=O', name));
    expect([200, 202]).toContain(response.status);
    await service.ingest.settle();
    const found: (string | undefined)[] = [];
    for (const dataset of service.datasets.values()) {
      for await (const { quad, label } of dataset.matchLabelled()) if (quad.object.value === name) found.push(label);
    }
    expect(found).toEqual(['clearance=O']);
  });
});

it('shows the prefixes of a body to nobody who may not read its label', async () => {
  const asked = async (): Promise<string[]> => {
    const csv = encodeURIComponent('CONSTRUCT { } WHERE { }');
    const query = encodeURIComponent('{ node(uri: "https://hidden.example/x") { shortUri } }');
    const targets = [`query?query=${csv}`, `platform/graphql?query=${query}`];
    const headers = { Accept: 'text/turtle, application/json' };
    return Promise.all(
      targets.map(async (target) =>
        (await server.send('dieter', `/api/graph/knowledge/${target}`, { headers })).text(),
      ),
    );
  };
  const upload = (label: string, body: string) =>
    server.send('alice', '/api/graph/knowledge/upload', {
      method: 'POST',
      body,
      headers: { 'Security-Label': label, 'Content-Type': 'text/turtle' },
    });
  expect((await upload('*', '<https://hidden.example/x> <urn:p> 1 .')).status).toBe(200);
  const before = await asked();
  const hidden = '@prefix operation-skerry: <https://hidden.example/> . operation-skerry:y <urn:p> 1 .';
  expect((await upload('clearance=TS', hidden)).status).toBe(200);
  expect(await asked()).toEqual(before);
  expect((await upload('*', hidden)).status).toBe(200);
  for (const answer of await asked()) expect(answer).toContain('operation-skerry:');
});

describe('a writer', () => {
  it('never stores anything under a label that they may not read, by any door', async () => {
    const dieter = createViewer({
      attributes: { clearance: ['O'], nationality: ['DEU'] },
      hierarchies: { clearance: ['O', 'OS', 'S', 'TS'] },
    });
    const stated = fc.constantFrom(
      '*',
      '!',
      'clearance=O',
      'clearance=TS',
      'nationality=GBR',
      'clearance=',
      'clearance=TS|*',
      '',
    );
    const label = fc.oneof(
      stated,
      fc.tuple(stated, stated).map(([a, b]) => `(${a})|(${b})`),
    );
    const pattern = fc.constantFrom('<urn:s> * *', '* * *', '<urn:s> <urn:p>', '<urn:t> * *');
    const from = new Map(await Promise.all(TOPICS.map(async (topic) => [topic, await log.end(topic)] as const)));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DOORS), label, label, pattern, async ([, write, door], own, inner, rule) => {
        const response = await door(own, write(rule, inner, `n${names++}`));
        // 404: a graph that an update copies is not there for a writer who may not read what was written to it.
        expect([200, 202, 400, 404]).toContain(response.status);
      }),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 60 : 1000 },
    );
    await service.ingest.settle();
    for (const topic of TOPICS) {
      for await (const events of log.read(topic, { after: from.get(topic) })) {
        for (const event of events) {
          const stored = [event.headers.get(HEADER.securityLabel)];
          if (topic !== 'document.extractrequest') {
            const changes = await changeSetFromEvent(event, { defaultLabel: '*' });
            stored.push(...changes.additions.map((addition) => addition.label));
          }
          // What comes without a label takes the default, which is the operator's.
          for (const one of stored)
            expect([topic, one, one === undefined || one === '!' || dieter.permits(one)]).toEqual([topic, one, true]);
        }
      }
    }
  });
});

describe('a write that its writer cannot read back', () => {
  const WARNING = 'what was added carries a label that its sender may not read';

  it('says so where the default label of the dataset hides it', async () => {
    const warn = async (door: Door, label: string | undefined, body: string): Promise<unknown[]> => {
      const response = await door(label, body);
      return [response.status, response.headers.get('cairn-warning')];
    };
    const update = post('/api/graph/knowledge/update', 'application/sparql-update');
    const upload = post('/api/graph/knowledge/upload', 'application/trig');
    expect(await warn(update, undefined, 'INSERT DATA { <urn:s> <urn:p> "w1" }')).toEqual([200, WARNING]);
    expect(await warn(update, '*', 'INSERT DATA { <urn:s> <urn:p> "w2" }')).toEqual([200, null]);
    expect(await warn(update, undefined, 'DELETE DATA { <urn:s> <urn:p> "w2" }')).toEqual([200, null]);
    expect(await warn(upload, undefined, '<urn:s> <urn:p> "w3" .')).toEqual([200, WARNING]);
    expect(await warn(upload, 'clearance=O', '<urn:s> <urn:p> "w4" .')).toEqual([200, null]);
    // A rule labels all of it, so that nothing takes the default.
    expect(await warn(upload, undefined, triG('* * *', 'clearance=O', 'w5'))).toEqual([200, null]);
    expect(await warn(post('/api/graph/ontology/upload', 'application/trig'), undefined, '')).toEqual([200, null]);
  });

  it('says so where policy information narrows the label of an upload', async () => {
    const body = new FormData();
    body.append('file', new Blob(['an okapi']), 'a.txt');
    const headers = {
      'Security-Label': '*',
      'Policy-Information': '{"EDH": {"classification": "O", "permittedNats": [], "permittedOrgs": []}}',
    };
    const response = await server.send('dieter', '/api/ingest/documents/local/upload', {
      method: 'POST',
      body,
      headers,
    });
    expect([response.status, response.headers.get('cairn-warning')]).toEqual([202, WARNING]);
    const { documents } = (await response.json()) as Loose;
    expect(documents[0].status).toBe('Accepted by route local, under a label that its sender may not read');
  });
});

describe('an operator who loads', () => {
  it('may label what he cannot read, but not with a label that is malformed', async () => {
    const source = path.join(directory, 'data.nt');
    writeFileSync(source, '<urn:loaded> <urn:p> "x" .\n');
    const run = async (label: string): Promise<void> => {
      const args = { dataset: 'knowledge', files: [source], label };
      for await (const _ of load.run(service, args, AbortSignal.timeout(60_000)));
    };
    const before = await ends();
    await expect(run('clearance=')).rejects.toMatchObject({ code: 'ERR_SECURITY_LABEL', kind: 'invalid' });
    expect(await ends()).toBe(before);
    await run('clearance=TS');
    expect(await ends()).not.toBe(before);
  });
});
