import { createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { readAll } from '../testing/drain.ts';
import { orderEventFiles, parseEventFile } from './file-event.ts';
import { replayFiles } from './replay.ts';

/** JSON is YAML: enough for what these tests hand over. */
const parseYaml = (text: string): unknown => JSON.parse(text);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (name: string, text: string) => ({ name, bytes: bytes(text) });

describe('an event file', () => {
  it('of YAML may have nothing behind its keys', () => {
    const document = { headers: [{ key: 'Event-Type', value: 'delete' }], key: null, value: null };
    const event = parseEventFile({ name: '1.yaml', bytes: new TextEncoder().encode('x') }, () => document);
    expect([event.value.length, event.key]).toEqual([0, undefined]);
    const empty = parseEventFile({ name: '2.yaml', bytes: new TextEncoder().encode('x') }, () => ({ headers: null }));
    expect(empty.value.length).toBe(0);
  });

  it('of YAML has headers, and key and value in base64', () => {
    const headers = [{ key: 'Security-Label', value: '*' }];
    const yaml = JSON.stringify({ headers, key: btoa('k'), value: btoa('hello') });
    const event = parseEventFile(file('1.yaml', yaml), parseYaml);
    expect(event.key).toBe('k');
    expect(new TextDecoder().decode(event.value)).toBe('hello');
    expect(event.headers.get('security-label')).toBe('*');
    expect(event.headers.get('Event-Type')).toBe('document.uploaded');
  });

  it('of text has header lines, an empty line and the body', () => {
    const event = parseEventFile(file('1.txt', 'Content-Type: text/turtle\r\nOwner: me\n\nbody\n\nmore'), parseYaml);
    expect(event.headers.get('Owner')).toBe('me');
    expect(event.headers.get('Event-Type')).toBe('rdf.data');
    expect(new TextDecoder().decode(event.value)).toBe('body\n\nmore');
  });

  it('of RDF has its type by the extension', () => {
    expect(parseEventFile(file('1.ttl', ''), parseYaml).headers.get('Content-Type')).toBe('text/turtle');
    expect(parseEventFile(file('1.rdfp', ''), parseYaml).headers.get('Content-Type')).toBe('application/rdf-patch');
  });

  it('has the same id each time, and another for other content', () => {
    const idOf = (name: string, text: string): string | undefined =>
      parseEventFile(file(name, text), parseYaml).headers.get('Event-Id');
    expect(idOf('1.ttl', 'a')).toBe(idOf('1.ttl', 'a'));
    expect(idOf('1.ttl', 'a')).not.toBe(idOf('1.ttl', 'b'));
    expect(idOf('2.ttl', 'a')).not.toBe(idOf('1.ttl', 'a'));
    expect(idOf('1.txt', 'Event-Id: mine\n\n')).toBe('mine');
  });

  it.each([
    ['1.yaml', 'not yaml', '"1.yaml" must be YAML ('],
    ['1.yaml', '[]', '"1.yaml" must be an object with headers, key and value'],
    ['1.yaml', '{"headers": {}}', 'headers as a list of {key, value}'],
    ['1.yaml', '{"value": "%%"}', 'value in base64'],
    ['1.txt', 'no header', 'header lines, an empty line and the body'],
    ['1.txt', 'a b: c\n\n', 'valid headers ('],
    ['1.doc', '', 'a file of .yaml, .txt, .nq'],
  ])('%s with %j is refused with its name', (name, text, expected) => {
    expect(() => parseEventFile(file(name, text), parseYaml)).toThrow(expected);
  });
});

describe('a replay', () => {
  const toFile = (name: string, text: string) => ({ name, read: async () => bytes(text) });

  it('appends in the order of the numbers in the names', async () => {
    const names = ['event-10.ttl', 'event-9.ttl', 'b.ttl', 'event-1.ttl', 'a.ttl'];
    expect(orderEventFiles(names.map((name) => ({ name }))).map(({ name }) => name)).toEqual([
      'event-1.ttl',
      'event-9.ttl',
      'event-10.ttl',
      'a.ttl',
      'b.ttl',
    ]);
    const log = createMemoryEventLog();
    const files = names.map((name) => toFile(name, name));
    await replayFiles({ log, blobs: createMemoryBlobStore(), topic: 'knowledge', files, parseYaml });
    const texts = (await readAll(log, 'knowledge')).map(({ value }) => new TextDecoder().decode(value));
    expect(texts).toEqual(['event-1.ttl', 'event-9.ttl', 'event-10.ttl', 'a.ttl', 'b.ttl']);
  });

  const SECURITY = 'http://telicent.io/security#';
  const rule = (label: string) =>
    `Content-Type: application/trig\n\n<urn:s> <urn:p> "o" . <${SECURITY}labels> { [] <${SECURITY}pattern> '<urn:s> <urn:p> "o"' ; <${SECURITY}label> "${label}" }`;

  it.each([
    ['a header', 'Security-Label: clearance=(\n\nbody'],
    ['one of several headers', 'Security-Label: a=1\nSecurity-Label: )\n\nbody'],
    ['the label graph of RDF', rule('clearance=(')],
    ['a rule of the label graph that matches nothing', rule('a=1').replace("'<urn:s>", "'<urn:other>")],
  ])('appends nothing when a label that cannot be read stands in %s', async (_where, text) => {
    const log = createMemoryEventLog();
    const files = [
      { name: '1.txt', read: async () => bytes('Security-Label: a=1\n\nbody') },
      { name: '2.txt', read: async () => bytes(text) },
    ];
    const replayed = replayFiles({ log, blobs: createMemoryBlobStore(), topic: 't', files, parseYaml });
    await expect(replayed).rejects.toMatchObject({
      code: 'ERR_EVENT_FILE',
      message: expect.stringMatching(/^"2\.txt" must be an event whose labels can be read: /),
    });
    expect(await log.topics()).toEqual([]);
  });

  it('appends events with labels that can be read, with none, and with a blank one', async () => {
    const log = createMemoryEventLog();
    const texts = ['Security-Label: a=1\n\nbody', 'Security-Label:\n\nbody', 'Owner: me\n\nbody', rule('a=1')];
    const files = texts.map((text, index) => ({ name: `${index}.txt`, read: async () => bytes(text) }));
    await replayFiles({ log, blobs: createMemoryBlobStore(), topic: 't', files, parseYaml });
    expect(await log.lag('t', undefined)).toBe(4);
  });

  it('appends nothing when one file is malformed', async () => {
    const log = createMemoryEventLog();
    const files = [toFile('1.ttl', ''), toFile('2.doc', '')];
    const replay = replayFiles({ log, blobs: createMemoryBlobStore(), topic: 'knowledge', files, parseYaml });
    await expect(replay).rejects.toMatchObject({ code: 'ERR_EVENT_FILE' });
    expect(await log.topics()).toEqual([]);
  });
});
