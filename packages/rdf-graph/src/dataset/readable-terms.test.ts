import { createMemoryEventLog } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeSetFromEvent } from '../graph/patch/event-changes.ts';
import { publishChangeSet } from '../graph/patch/publish.ts';
import { parseRdf } from '../rdf/parse.ts';
import { serializeRdf } from '../rdf/serialize.ts';
import {
  blankNode,
  defaultGraph,
  languageLiteral,
  namedNode,
  quad,
  stringLiteral,
  typedLiteral,
} from '../rdf/terms.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const viewer = createViewerOfEverything();
const a = namedNode('urn:a');

/** Quads that no syntax of RDF can write so that they read back. */
const UNREADABLE: Readonly<Record<string, RDF.Quad>> = {
  'a literal as subject': quad(stringLiteral('x'), a, a),
  'the default graph as subject': quad(defaultGraph(), a, a),
  'a literal as predicate': quad(a, stringLiteral('x'), a),
  'a blank node as predicate': quad(a, blankNode('x'), a),
  'the default graph as object': quad(a, a, defaultGraph()),
  'a literal as graph': quad(a, a, a, stringLiteral('x')),
  'a literal as subject of a triple term': quad(a, a, quad(stringLiteral('x'), a, a)),
  'an empty IRI': quad(namedNode(''), a, a),
  'a relative IRI': quad(a, namedNode('name'), a),
  'an IRI with a space': quad(a, a, namedNode('urn:a b')),
  'an IRI that ends a statement': quad(namedNode('urn:a> <urn:b> <urn:c> .\n<urn:d'), a, a),
  'a graph with a quotation mark': quad(a, a, a, namedNode('urn:"a')),
  'a datatype with a space': quad(a, a, typedLiteral('x', 'urn:a b')),
  'an IRI with half a character': quad(a, a, namedNode('urn:\ud800')),
  'a blank node with half a character': quad(blankNode('\ud800'), a, a),
  'a literal with half a character': quad(a, a, stringLiteral('x\udc00')),
  'a literal of a language with half a character': quad(a, a, languageLiteral('\ud800x', 'en')),
  'a typed literal with half a character': quad(a, a, typedLiteral('\ud800', 'urn:t')),
};

/** Doors by which a quad gets into a dataset or onto a log. */
const DOORS: Readonly<Record<string, (own: StoreDataset, unreadable: RDF.Quad) => Promise<unknown>>> = {
  apply: (own, unreadable) => own.apply([{ deletions: [], additions: [{ quad: unreadable, label: '*' }] }]),
  load: (own, unreadable) => own.load([[unreadable]], { label: '*' }),
  publishChangeSet: (_own, unreadable) =>
    publishChangeSet(
      createMemoryEventLog(),
      't',
      { deletions: [], additions: [{ quad: unreadable, label: '*' }] },
      { eventId: 'e' },
    ),
};

const publishDeletion = (unreadable: RDF.Quad) =>
  publishChangeSet(
    createMemoryEventLog(),
    't',
    { deletions: [{ quad: unreadable, label: '*' }], additions: [] },
    { eventId: 'e' },
  );

const REFUSED = { code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid' };

describe('a quad that could not be read back', () => {
  it.each(Object.entries(UNREADABLE))('is refused wherever quads come in: %s', async (_, unreadable) => {
    for (const [name, door] of Object.entries(DOORS)) {
      const own = await openGraphDataset({ name: 'own' });
      await expect(door(own, unreadable), name).rejects.toMatchObject(REFUSED);
      await expect(publishDeletion(unreadable)).rejects.toMatchObject(REFUSED);
      expect(await own.count(viewer)).toBe(0);
      // What is right goes on being taken.
      await own.apply([{ deletions: [], additions: [{ quad: quad(a, a, a), label: '*' }] }]);
      expect(await own.count(viewer)).toBe(1);
    }
  });

  it('is refused in an update', async () => {
    const own = await openGraphDataset({ name: 'own' });
    const update = 'INSERT { <urn:a> <urn:a> ?half } WHERE { BIND("\ud800" AS ?half) }';
    await expect(own.evaluateUpdate(viewer, update, { label: '*' })).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('is found nowhere: half a character is not the one that stands for what cannot be read', async () => {
    const own = await openGraphDataset({ name: 'own' });
    const replaced = quad(a, a, stringLiteral('\ufffd'));
    await own.apply([{ deletions: [], additions: [{ quad: replaced, label: '*' }] }]);
    const half = stringLiteral('\ud800');
    expect(await own.count(viewer, { object: half })).toBe(0);
    await own.apply([{ deletions: [{ quad: quad(a, a, half), label: undefined }], additions: [] }]);
    expect(await own.count(viewer, { object: replaced.object })).toBe(1);
  });

  it.each([
    ['text/turtle', '<urn:a> <urn:a> "\\uD800" .'],
    ['application/n-triples', '<urn:a> <urn:a> "x\\uDC00y" .'],
    ['application/n-quads', '<urn:a> <urn:a> "\\uD800"@en .'],
  ])('is a syntax error in %s, before anything is stored', async (contentType, text) => {
    const read = async (): Promise<void> => {
      for await (const _ of parseRdf(new TextEncoder().encode(text), { contentType }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX', kind: 'invalid' });
  });

  it('is none where two escapes make one character', async () => {
    const quads: RDF.Quad[] = [];
    const text = '<urn:a> <urn:a> "\\uD83D\\uDE00" .';
    for await (const found of parseRdf(text, { contentType: 'application/n-triples' })) quads.push(found);
    expect(quads.map(({ object }) => object.value)).toEqual(['\u{1f600}']);
  });
});

const TRICKY: readonly (readonly [contentType: string, text: string])[] = [
  ...['application/n-quads', 'application/n-triples', 'text/turtle', 'application/trig'].flatMap((contentType) =>
    [
      '<urn:s> <urn:p> <<( "x" <urn:p> <urn:o> )>> .',
      '<urn:s> <urn:p> <<( <urn:s> _:p <urn:o> )>> .',
      '<urn:s> <urn:p> <<( <urn:s> "p" <urn:o> )>> .',
      '<urn:s> <urn:p> <<( <urn:s> <urn:p> <<( _:s <urn:p> "o" )>> )>> .',
      '<< "x" <urn:p> <urn:o> >> <urn:p> <urn:o> .',
      '<urn:s> _:p <urn:o> .',
      '"s" <urn:p> <urn:o> .',
      '<urn:s> <urn:p> <urn:o\\u0020> .',
      '<urn:s> <urn:p> "o"^^<o\\u003E> .',
    ].map((text) => [contentType, text] as const),
  ),
  ['application/trig', '"g" { <urn:s> <urn:p> <urn:o> }'],
  ['application/ld+json', '{"@id": "urn:s", "_:p": "x"}'],
  ['application/ld+json', '{"@id": "urn:a b", "urn:p": "x"}'],
  ['application/ld+json', '{"@id": "urn:g>", "@graph": [{"@id": "urn:s", "urn:p": "x"}]}'],
  ['application/ld+json', '{"@id": "urn:s", "urn:p": {"@value": "x", "@type": "urn:t t"}}'],
  ['application/ld+json', '{"@id": "", "urn:p": {"@id": ""}}'],
  ['application/rdf+xml', xml('<rdf:Description rdf:about="urn:a b"><e:p>x</e:p></rdf:Description>')],
  [
    'application/rdf+xml',
    xml('<rdf:Description rdf:about="urn:a"><e:p rdf:datatype="urn:&gt;">x</e:p></rdf:Description>'),
  ],
];

function xml(content: string): string {
  return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">${content}</rdf:RDF>`;
}

describe('what a reader takes', () => {
  it.each(TRICKY)('is taken by a dataset, so that no event stops its consumers: %s %s', async (contentType, text) => {
    const quads: RDF.Quad[] = [];
    const read = async (): Promise<void> => {
      for await (const found of parseRdf(text, { contentType })) quads.push(found);
    };
    const isRead = await read().then(
      () => true,
      () => false,
    );
    if (!isRead) return;
    const own = await openGraphDataset({ name: 'own' });
    await own.apply([{ deletions: [], additions: quads.map((found) => ({ quad: found, label: '*' })) }]);
    expect(await own.count(viewer)).toBe(new Set(quads.map((found) => JSON.stringify(found))).size);
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 6 });
const anyIri = fc.oneof(
  anyText,
  anyText.map((text) => `urn:${text}`),
  fc.webUrl(),
);
const anyTerm = fc.oneof(
  anyIri.map(namedNode),
  anyText.map(stringLiteral),
  fc.tuple(anyText, anyIri).map(([text, type]) => typedLiteral(text, type)),
  fc.constantFrom(blankNode('b'), defaultGraph()),
);

describe('whatever is taken', () => {
  it('reads back from N-Quads and from the event that carries it', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(anyTerm, anyTerm, anyTerm, anyTerm), async ([s, p, o, g]) => {
        const own = await openGraphDataset({ name: 'own' });
        const change = { deletions: [], additions: [{ quad: quad(s, p, o, g), label: '*' }] };
        const log = createMemoryEventLog();
        const isTaken = await own.apply([change]).then(
          () => true,
          () => false,
        );
        const isPublished = await publishChangeSet(log, 't', change, { eventId: 'e' }).then(
          () => true,
          () => false,
        );
        expect(isPublished).toBe(isTaken);
        if (!isTaken) return;
        taken++;
        let text = '';
        for await (const piece of serializeRdf(own.readQuads(viewer), { contentType: 'application/n-quads' }))
          text += piece;
        const back = await openGraphDataset({ name: 'back' });
        for await (const read of parseRdf(text, { contentType: 'application/n-quads' })) {
          await back.apply([{ deletions: [], additions: [{ quad: read, label: '*' }] }]);
        }
        for await (const batch of log.read('t')) {
          for (const event of batch) await back.apply([await changeSetFromEvent(event)]);
        }
        expect(await back.count(viewer)).toBe(1);
        expect(await back.count(viewer, { subject: s, predicate: p, object: o, graph: g })).toBe(1);
      }),
      { numRuns: 1500 },
    );
    expect(taken).toBeGreaterThan(5);
  });
});
