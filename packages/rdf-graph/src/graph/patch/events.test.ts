import {
  createEvent,
  createMemoryBlobStore,
  createMemoryEventLog,
  type Event,
  type EventLog,
  type TopicPositions,
} from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { writeQuad } from '../../rdf/term-writer.ts';
import { namedNode, quad, stringLiteral } from '../../rdf/terms.ts';
import type { ChangeSet, GraphDataset } from '../port/graph-dataset.ts';
import { changeSetFromEvent, type EventChangesOptions } from './event-changes.ts';
import { toPatchEvents } from './events.ts';
import { publishChangeSet } from './publish.ts';

const LABELS = 'http://telicent.io/security#';

function event(value: string, headers: Record<string, string> = {}, id = 'e1'): Event {
  return createEvent({ id, type: 'test', headers, value });
}

/** Changes as `+ LABEL quad` and `- LABEL quad`. */
function write(changes: ChangeSet): string[] {
  return [
    ...changes.deletions.map(({ quad: q, label }) => `- ${label ?? 'every'} ${writeQuad(q)}`),
    ...changes.additions.map(({ quad: q, label }) => `+ ${label} ${writeQuad(q)}`),
  ];
}

async function changesOf(
  value: string,
  headers: Record<string, string> = {},
  options: EventChangesOptions = {},
): Promise<string[]> {
  return write(await changeSetFromEvent(event(value, headers), { defaultLabel: 'default', ...options }));
}

const aQuad = (text: string): RDF.Quad => quad(namedNode('u:a'), namedNode('u:p'), stringLiteral(text));

describe('changeSetFromEvent', () => {
  const cases: [contentType: string, text: string][] = [
    ['application/n-quads', '<u:a> <u:p> "x" <u:g> .'],
    ['application/trig; charset=utf-8', '<u:g> { <u:a> <u:p> "x" }'],
    ['application/ld+json', '{"@id": "u:g", "@graph": [{"@id": "u:a", "u:p": "x"}]}'],
    ['Application/RDF-Patch', 'A <u:a> <u:p> "x" <u:g> .'],
  ];

  it.each(cases)('reads %s', async (contentType, text) => {
    expect(await changesOf(text, { 'content-type': contentType })).toEqual(['+ default <u:a> <u:p> "x" <u:g> .']);
  });

  it('reads triples of other syntaxes into the default graph, and N-Quads without a Content-Type', async () => {
    const turtle = '@prefix u: <u:> . u:a u:p "x" .';
    expect(await changesOf(turtle, { 'Content-Type': 'text/turtle' })).toEqual(['+ default <u:a> <u:p> "x" .']);
    expect(await changesOf('<u:a> <u:p> "x" .')).toEqual(['+ default <u:a> <u:p> "x" .']);
  });

  it.each([
    ['text/turtle', '<a> <u:p> "x" .', '+ default <http://e/a> <u:p> "x" <u:target> .'],
    ['application/n-triples', '<u:a> <u:p> "x" .', '+ default <u:a> <u:p> "x" <u:target> .'],
    ['application/trig', '<u:target> { <a> <u:p> "x" }', '+ default <http://e/a> <u:p> "x" <u:target> .'],
    ['application/ld+json', '{"@id": "a", "u:p": "x"}', '+ default <http://e/a> <u:p> "x" <u:target> .'],
    ['application/rdf-patch', 'A <u:a> <u:p> "x" .', '+ default <u:a> <u:p> "x" .'],
  ])('puts the triples of %s into the graph of the event, relative to its base', async (type, text, expected) => {
    const headers = { 'Content-Type': type, Graph: 'u:target', 'Base-IRI': 'http://e/doc' };
    expect(await changesOf(text, headers)).toEqual([expected]);
  });

  it('gives labels by the graph that triples go into', async () => {
    const headers = { 'Content-Type': 'application/trig', Graph: 'u:target' };
    const rules = `<${LABELS}labels> { [] <${LABELS}pattern> "_ _ _ <u:target>" ; <${LABELS}label> "secret" }`;
    expect(await changesOf(`<u:a> <u:p> "x" . ${rules}`, headers)).toEqual(['+ secret <u:a> <u:p> "x" <u:target> .']);
  });

  it('refuses RDF that names another graph than its event, and a graph or base that is no IRI', async () => {
    const quads = '<u:a> <u:p> "x" .\n<u:a> <u:p> "y" <u:other> .';
    await expect(changesOf(quads, { Graph: 'u:target' })).rejects.toMatchObject({ code: 'ERR_RDF_TARGET' });
    for (const name of ['Graph', 'Base-IRI']) {
      await expect(changesOf('', { [name]: 'no iri' })).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID' });
    }
  });

  it('takes the label of the event, all of several, and denies where none is known', async () => {
    expect(await changesOf('<u:a> <u:p> "x" .', { 'Security-Label': 'a&b' })).toEqual(['+ a&b <u:a> <u:p> "x" .']);
    const several = createEvent({
      id: 'e',
      type: 't',
      headers: [
        ['Security-Label', 'a'],
        ['security-label', 'b'],
      ],
      value: '<u:a> <u:p> "x" .',
    });
    expect(write(await changeSetFromEvent(several))).toEqual(['+ a,b <u:a> <u:p> "x" .']);
    expect(write(await changeSetFromEvent(event('<u:a> <u:p> "x" .')))).toEqual(['+ ! <u:a> <u:p> "x" .']);
  });

  it('scopes a patch by the label of its event', async () => {
    const patch = 'D <u:a> <u:p> "old" .\nA <u:a> <u:p> "new" .';
    const type = { 'Content-Type': 'application/rdf-patch' };
    expect(await changesOf(patch, { ...type, 'Security-Label': 'l' })).toEqual([
      '- l <u:a> <u:p> "old" .',
      '+ l <u:a> <u:p> "new" .',
    ]);
    expect(await changesOf(patch, type)).toEqual(['- every <u:a> <u:p> "old" .', '+ default <u:a> <u:p> "new" .']);
  });

  it('names blank nodes by event and label, so that delivering again gives the same', async () => {
    const turtle = '_:x <u:p> [ <u:q> _:x ] .';
    const headers = { 'Content-Type': 'text/turtle' };
    const first = await changesOf(turtle, headers);
    expect(await changesOf(turtle, headers)).toEqual(first);
    const other = write(await changeSetFromEvent(event(turtle, headers, 'e2'), { defaultLabel: 'default' }));
    expect(other).not.toEqual(first);
    const labels = new Set([...first, ...other].flatMap((line) => line.match(/_:\w+/g) ?? []));
    expect(labels.size).toBe(4);
  });

  it('keeps the labels of blank nodes in a patch', async () => {
    const patch = 'A _:k <u:p> <_:l> .';
    expect(await changesOf(patch, { 'Content-Type': 'application/rdf-patch' })).toEqual(['+ default _:k <u:p> _:l .']);
  });

  it('keeps the prefixes of a document and of a patch', async () => {
    const turtle = event('@prefix e: <http://e/> . e:a e:p e:b .', { 'Content-Type': 'text/turtle' });
    expect((await changeSetFromEvent(turtle)).prefixes).toEqual([{ prefix: 'e', iri: 'http://e/', label: '!' }]);
    const patch = event('PA "e" "http://e/" .\nPD "f" .', { 'Content-Type': 'application/rdf-patch' });
    expect((await changeSetFromEvent(patch)).prefixes).toEqual([
      { prefix: 'e', iri: 'http://e/', label: '!' },
      { prefix: 'f', iri: undefined, label: undefined },
    ]);
  });

  it('labels quads by the label graph, most specific pattern first, and keeps that graph out of the data', async () => {
    const trig = `
PREFIX e: <http://e/> PREFIX sec: <${LABELS}>
e:a e:p "x", 1 ; e:q "y" . e:b e:p "x" . e:g { e:a e:p "x" }
sec:labels {
  [] sec:pattern "e:a e:p 'x'" ; sec:label "one", "two" .
  [] sec:pattern "<http://e/a> _ ANY" ; sec:label "subject" .
  [] sec:pattern "* e:p ?o" ; sec:label "predicate" .
  [] sec:pattern "e:a e:p 'x' e:g" ; sec:label "in-g" .
}`;
    const lines = await changesOf(trig, { 'Content-Type': 'application/trig' });
    expect(lines.map((line) => line.replaceAll('http://e/', 'e:'))).toEqual([
      '+ one <e:a> <e:p> "x" .',
      '+ two <e:a> <e:p> "x" .',
      '+ subject <e:a> <e:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
      '+ subject <e:a> <e:q> "y" .',
      '+ predicate <e:b> <e:p> "x" .',
      '+ in-g <e:a> <e:p> "x" <e:g> .',
    ]);
  });

  it('labels the additions of a patch by the quads it adds to the label graph', async () => {
    const patch = `A _:l <${LABELS}pattern> "<u:a> <u:p> 'x'" <${LABELS}labels> .
A _:l <${LABELS}label> "secret" <${LABELS}labels> .
A <u:a> <u:p> "x" .
A <u:a> <u:p> "y" .`;
    expect(await changesOf(patch, { 'Content-Type': 'application/rdf-patch' })).toEqual([
      '+ secret <u:a> <u:p> "x" .',
      '+ default <u:a> <u:p> "y" .',
    ]);
  });

  it('refuses a label graph that it cannot follow, rather than loading data too openly', async () => {
    const load = (pattern: string): Promise<string[]> =>
      changesOf(`<u:a> <u:p> "x" .\n<${LABELS}labels> { ${pattern} }`, { 'Content-Type': 'application/trig' });
    const word = (name: string): string => `<${LABELS}${name}>`;
    await expect(load(`[] ${word('pattern')} "a b" ; ${word('label')} "l"`)).rejects.toMatchObject({
      code: 'ERR_RDF_SYNTAX',
    });
    await expect(load(`[] ${word('pattern')} "_ _ _"`)).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX' });
  });

  it('refuses media types that are no RDF and blobs without a store', async () => {
    await expect(changesOf('x', { 'Content-Type': 'text/html' })).rejects.toMatchObject({ code: 'ERR_RDF_MEDIA_TYPE' });
    await expect(changesOf('', { 'Value-Blob': 'values/x 5' })).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID' });
  });
});

describe('toPatchEvents', () => {
  it('gives one event for each label, deletions under every label first', async () => {
    const events = await toPatchEvents(
      {
        additions: [
          { quad: aQuad('1'), label: 'x' },
          { quad: aQuad('2'), label: 'y' },
        ],
        deletions: [
          { quad: aQuad('3'), label: 'y' },
          { quad: aQuad('1'), label: undefined },
        ],
      },
      { eventId: 'request', headers: { 'Request-ID': 'r' } },
    );
    const lines = await Promise.all(
      events.map(async (one) => [
        one.headers.get('Event-Id'),
        one.headers.get('Security-Label'),
        one.headers.get('Request-ID'),
        ...write(await changeSetFromEvent(one)),
      ]),
    );
    expect(lines).toEqual([
      ['request.0', undefined, 'r', '- every <u:a> <u:p> "1" .'],
      ['request.1', 'y', 'r', '- y <u:a> <u:p> "3" .', '+ y <u:a> <u:p> "2" .'],
      ['request.2', 'x', 'r', '+ x <u:a> <u:p> "1" .'],
    ]);
  });

  it('gives one event with the id itself for one label, and none for no change', async () => {
    const one = await toPatchEvents(
      { additions: [{ quad: aQuad('1'), label: 'x' }], deletions: [] },
      { eventId: 'request' },
    );
    expect(one.map((e) => e.headers.get('Event-Id'))).toEqual(['request']);
    expect(await toPatchEvents({ additions: [], deletions: [] }, { eventId: 'request' })).toEqual([]);
  });
});

type Followed = Pick<GraphDataset, 'apply' | 'positions'>;

/** Records what is applied: the smallest dataset that a projection can be shown on. */
function createRecorder(): Followed & { readonly lines: string[] } {
  const lines: string[] = [];
  let positions: TopicPositions = {};
  return {
    lines,
    async apply(changes, at = {}) {
      lines.push(...changes.flatMap(write));
      positions = { ...positions, ...at };
    },
    positions: () => positions,
  };
}

const changes: ChangeSet = {
  additions: [
    { quad: aQuad('1'), label: 'x' },
    { quad: aQuad('2'), label: 'y' },
  ],
  deletions: [],
};

async function follow(log: EventLog, dataset: Followed, options?: EventChangesOptions): Promise<void> {
  for await (const events of log.read('knowledge', { after: dataset.positions()['knowledge'] })) {
    for (const event of events) {
      await dataset.apply([await changeSetFromEvent(event, options)], { knowledge: event.position });
    }
  }
}

describe('publishing', () => {
  it('carries a change set through a log to a dataset, and again from where it stopped', async () => {
    const log = createMemoryEventLog();
    const dataset = createRecorder();
    const positions = await publishChangeSet(log, 'knowledge', changes, { eventId: 'r1' });
    expect(positions).toHaveLength(2);
    await follow(log, dataset);
    expect(dataset.lines).toEqual(['+ x <u:a> <u:p> "1" .', '+ y <u:a> <u:p> "2" .']);
    expect(dataset.positions()).toEqual({ knowledge: positions[1] });
    await publishChangeSet(log, 'knowledge', { additions: [], deletions: changes.additions }, { eventId: 'r2' });
    await follow(log, dataset);
    expect(dataset.lines.slice(2)).toEqual(['- x <u:a> <u:p> "1" .', '- y <u:a> <u:p> "2" .']);
  });

  it('keeps a large patch in a blob', async () => {
    const log = createMemoryEventLog();
    const blobs = createMemoryBlobStore();
    const dataset = createRecorder();
    const large: ChangeSet = { additions: [{ quad: aQuad('x'.repeat(2 ** 21)), label: 'l' }], deletions: [] };
    await publishChangeSet(log, 'knowledge', large, { eventId: 'large', blobs });
    await follow(log, dataset, { blobs });
    expect(dataset.lines[0]?.length).toBeGreaterThan(2 ** 21);
  });
});
