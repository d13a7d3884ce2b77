import { rereadingFaults } from '@cairn/errors/conformance';
import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { queryWithComunica } from './comunica.ts';
import { openGraphDataset } from './dataset/open.ts';
import { createRdfJsStore } from './dataset/rdfjs-store.ts';
import type { QueryResult } from './graph/port/graph-dataset.ts';
import * as doors from './index.ts';

const viewer = createViewerOfEverything();
const dataset = await openGraphDataset({ name: 'test' });
const QUADS = [1, 2, 3].map((n) =>
  doors.quad(doors.namedNode('urn:s'), doors.namedNode('urn:p'), doors.stringLiteral(`${n}`)),
);
await dataset.load([QUADS], { label: '*' });
const N_TRIPLES = QUADS.map((quad) => `${doors.writeQuad(quad)}\n`).join('');
const PATCH = doors.toPatch({ deletions: [], additions: QUADS.map((quad) => ({ quad, label: '*' })) });

async function streamOf(result: Promise<QueryResult> | QueryResult): Promise<AsyncIterable<unknown>> {
  const answer = await result;
  if (answer.type === 'boolean') throw new Error('a boolean is no stream');
  return answer.type === 'quads' ? answer.quads : answer.solutions;
}

const FORMS = [
  'SELECT * { ?s ?p ?o }',
  'CONSTRUCT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }',
  'DESCRIBE <urn:s>',
  'DESCRIBE ?s { ?s ?p ?o }',
];

/** Everything that a door gives to be read while it is made. */
const STREAMS: Readonly<Record<string, () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>>> = {
  match: () => dataset.match(viewer),
  matchLabelled: () => dataset.matchLabelled(),
  'match of an RDF/JS store': () => createRdfJsStore(dataset, viewer, '*').match(),
  parsePatch: () => doors.parsePatch(PATCH),
  parseRdf: () => doors.parseRdf(N_TRIPLES, { contentType: 'application/n-triples' }),
  parseRdfBatches: () => doors.parseRdfBatches([N_TRIPLES, N_TRIPLES], { contentType: 'application/n-triples' }),
  ...Object.fromEntries(
    FORMS.flatMap((text) => [
      [`query, ${text}`, () => streamOf(dataset.query(viewer, text))],
      [`queryWithComunica, ${text}`, () => streamOf(queryWithComunica(dataset, viewer, text))],
    ]),
  ),
  ...Object.fromEntries(
    doors.RDF_FORMATS.filter(({ writable }) => writable).map(({ mediaTypes: [contentType] }) => [
      `serializeRdf, ${contentType}`,
      () => doors.serializeRdf(QUADS, { contentType }),
    ]),
  ),
  ...Object.fromEntries(
    doors.RESULTS_FORMATS.flatMap(({ mediaTypes: [mediaType] }) => [
      [
        `writeResult, ${mediaType}`,
        async () => doors.writeResult(await dataset.query(viewer, FORMS[0]), { mediaType }),
      ],
      [
        `writeResult, a boolean as ${mediaType}`,
        () => doors.writeResult({ type: 'boolean', value: true }, { mediaType }),
      ],
    ]),
  ),
};

describe('what is read while it is made', () => {
  it.each(Object.entries(STREAMS))('is never empty in silence when it is read again: %s', async (_name, open) => {
    expect(await rereadingFaults(open)).toEqual([]);
  });

  it('cannot be iterated when it was listened to', async () => {
    const quads = createRdfJsStore(dataset, viewer, '*').match();
    const values: string[] = [];
    const ended = new Promise<void>((resolve) => void quads.on('end', () => resolve()));
    quads.on('data', (quad) => void values.push((quad as RDF.Quad).object.value));
    await ended;
    expect(values.sort()).toEqual(['1', '2', '3']);
    expect(() => quads[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'ERR_ALREADY_READ' }));
  });
});
