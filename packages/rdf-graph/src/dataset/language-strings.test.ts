import { createEvent, createMemoryBlobStore } from '@cairn/events';
import { createViewer, createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { changeSetFromEvent } from '../graph/patch/event-changes.ts';
import { TermKind } from '../graph/port/term-kind.ts';
import { parseRdf } from '../rdf/parse.ts';
import { serializeRdf } from '../rdf/serialize.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { namedNode, quad, typedLiteral } from '../rdf/terms.ts';
import { RDF_LANG_STRING } from '../rdf/vocabulary.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const everything = createViewerOfEverything();
const subject = namedNode('urn:s');
const predicate = namedNode('urn:p');
const WITHOUT_LANGUAGE = quad(subject, predicate, typedLiteral('x', RDF_LANG_STRING));
const AS_STRING = '<urn:s> <urn:p> "x" .';

async function linesOf(quads: AsyncIterable<RDF.Quad>): Promise<string[]> {
  const lines: string[] = [];
  for await (const one of quads) lines.push(writeQuad(one));
  return lines.sort();
}

/** The term as earlier releases stored it. */
function storedAsItIs({ store: { dictionary } }: StoreDataset, text: string): RDF.Term {
  const datatype = dictionary.lookup(TermKind.iri, 0, RDF_LANG_STRING, true);
  return dictionary.term(dictionary.lookup(TermKind.typed, datatype, text, true));
}

describe('a literal of type rdf:langString without a language', () => {
  it.each([
    ['application/n-quads', `<urn:s> <urn:p> "x"^^<${RDF_LANG_STRING}> .\n`],
    ['application/ld+json', `[{"@id":"urn:s","urn:p":[{"@value":"x","@type":"${RDF_LANG_STRING}"}]}]`],
    [
      'application/rdf+xml',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:"><rdf:Description rdf:about="urn:s"><e:p rdf:datatype="${RDF_LANG_STRING}">x</e:p></rdf:Description></rdf:RDF>`,
    ],
  ])('is a string when it is read from %s', async (contentType, text) => {
    expect(await linesOf(parseRdf(text, { contentType }))).toEqual([AS_STRING]);
  });

  it('is a string when it is read from a patch', async () => {
    const headers = { 'Content-Type': 'application/rdf-patch', 'Security-Label': '*' };
    const value = `A <urn:s> <urn:p> "x"^^<${RDF_LANG_STRING}> .\n`;
    const { additions } = await changeSetFromEvent(createEvent({ id: 'e', type: 't', headers, value }));
    expect(additions.map((row) => writeQuad(row.quad))).toEqual([AS_STRING]);
  });

  it.each(['text/turtle', 'application/n-quads', 'application/ld+json', 'application/rdf+xml'])(
    'is written to %s so that it can be read again',
    async (contentType) => {
      let text = '';
      for await (const piece of serializeRdf([WITHOUT_LANGUAGE], { contentType })) text += piece;
      expect(await linesOf(parseRdf(text, { contentType }))).toEqual([AS_STRING]);
    },
  );

  it('is the same term as the string to a dataset that is handed it', async () => {
    const dataset = await openGraphDataset({ name: 'test' });
    await dataset.apply([{ deletions: [], additions: [{ quad: WITHOUT_LANGUAGE, label: '*' }] }]);
    expect(await linesOf(dataset.match(everything))).toEqual([AS_STRING]);
    expect(await dataset.count(everything, { object: WITHOUT_LANGUAGE.object })).toBe(1);
    await dataset.apply([{ deletions: [{ quad: WITHOUT_LANGUAGE, label: '*' }], additions: [] }]);
    expect(await dataset.count(everything)).toBe(0);
  });

  it('becomes a string, under its labels, when a dataset is opened that an earlier release stored', async () => {
    const blobs = createMemoryBlobStore();
    const earlier = await openGraphDataset({ name: 'test', blobs });
    const additions = [
      { quad: quad(subject, predicate, storedAsItIs(earlier, 'x')), label: 'a=1' },
      { quad: quad(subject, predicate, storedAsItIs(earlier, 'x')), label: 'b=1' },
      { quad: quad(subject, predicate, storedAsItIs(earlier, 'y'), namedNode('urn:g')), label: '*' },
    ];
    await earlier.apply([{ deletions: [], additions }], { topic: '7' });
    expect(await earlier.count(everything, { object: typedLiteral('x', RDF_LANG_STRING) })).toBe(0);
    await earlier.flush();
    await earlier.close();
    const dataset = await openGraphDataset({ name: 'test', blobs });
    expect(dataset.positions()).toEqual({ topic: '7' });
    const labelled: string[] = [];
    for await (const { quad: one, label } of dataset.matchLabelled()) labelled.push(`${label} ${writeQuad(one)}`);
    expect(labelled.sort()).toEqual(['* <urn:s> <urn:p> "y" <urn:g> .', `a=1 ${AS_STRING}`, `b=1 ${AS_STRING}`]);
    const viewer = createViewer({ attributes: { b: ['1'] } });
    const found = await dataset.query(viewer, 'SELECT * { ?s ?p "x" FILTER (DATATYPE("x") != ?p) }');
    const subjects: (string | undefined)[] = [];
    if (found.type === 'bindings') for await (const row of found.solutions) subjects.push(row.get('s')?.value);
    expect(subjects).toEqual(['urn:s']);
    await dataset.close();
  });
});
