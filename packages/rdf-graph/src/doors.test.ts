import type { ErrorKind } from '@cairn/errors';
import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createEvent, createMemoryBlobStore } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import * as comunica from './comunica.ts';
import { openGraphDataset } from './dataset/open.ts';
import { createRdfJsStore } from './dataset/rdfjs-store.ts';
import * as experimental from './experimental.ts';
import { toPatchRows, writePatch, writePatchRow } from './graph/patch/writer.ts';
import * as graphql from './graphql.ts';
import * as doors from './index.ts';
import { createDataFactory } from './rdf/data-factory.ts';
import * as shacl from './shacl.ts';
import * as sparql from './sparql.ts';

/** A {@link Door}; nothing that is wrong elsewhere is right there when it names nothing. */
type Row = readonly [name: Door[0], call: Door[1], right?: Door[2]];

const viewer = createViewerOfEverything();
const dataset = await openGraphDataset({ name: 'test' });
const schema = graphql.createTraversalSchema();
const TTL = { contentType: 'text/turtle' };
const QUERY = { query: '{ __typename }' };
const GET = { method: 'GET', headers: {}, query: 'query={__typename}' };
const ANSWER = { schema, dataset, viewer };
const QUAD = doors.quad(doors.namedNode('urn:s'), doors.namedNode('urn:p'), doors.stringLiteral('o'));
const PARTS = {
  ...{ termType: 'Quad', value: '' },
  subject: QUAD.subject,
  predicate: QUAD.predicate,
  graph: QUAD.graph,
};
const LITERAL = { termType: 'Literal', value: 'x', language: '', datatype: doors.namedNode('urn:type') };
const EVENT = createEvent({ id: 'e', type: 't', value: '' });
const ALL_FORMATS = doors.RDF_FORMATS.map(({ mediaTypes }) => mediaTypes[0]);
const RESULT_TYPES = doors.RESULTS_FORMATS.map(({ mediaTypes }) => mediaTypes[0]);

const READING: readonly Row[] = [
  ['listSnapshotBlobs', (wrong) => experimental.listSnapshotBlobs(wrong, 'd')],
  ['listSnapshotBlobs, dataset', (wrong) => experimental.listSnapshotBlobs(createMemoryBlobStore(), wrong), ['text']],
  ...[doors.parseRdf, doors.parseRdfBatches].flatMap((parse): Row[] => [
    [`${parse.name}, source`, (wrong) => parse(wrong, TTL), ['list']],
    [`${parse.name}, a piece`, (wrong) => parse([wrong], { contentType: 'text/csv' })],
    [`${parse.name}, options`, (wrong) => parse('', wrong)],
    [`${parse.name}, contentType`, (contentType) => parse('', { contentType })],
    [`${parse.name}, baseIri`, (baseIri) => parse('', { ...TTL, baseIri }), ['text', 'undefined']],
    [`${parse.name}, maxBytes`, (maxBytes) => parse('', { ...TTL, maxBytes }), ['number', 'undefined']],
    [`${parse.name}, maxNesting`, (maxNesting) => parse('', { ...TTL, maxNesting }), ['number', 'undefined']],
    [`${parse.name}, maxTokenUnits`, (maxTokenUnits) => parse('', { ...TTL, maxTokenUnits }), ['number', 'undefined']],
    [
      `${parse.name}, nameBlankNode`,
      (nameBlankNode) => parse('', { ...TTL, nameBlankNode }),
      ['function', 'undefined'],
    ],
    [`${parse.name}, onPrefix`, (onPrefix) => parse('', { ...TTL, onPrefix }), ['function', 'undefined']],
    [`${parse.name}, contexts`, (contexts) => parse('', { ...TTL, contexts }), ['object', 'undefined']],
    [`${parse.name}, signal`, (signal) => parse('', { ...TTL, signal }), ['undefined']],
  ]),
  ...ALL_FORMATS.map(
    (contentType): Row => [`parseRdf, a piece of ${contentType}`, (x) => doors.parseRdf([x], { contentType })],
  ),
  ['parsePatch, source', (wrong) => doors.parsePatch(wrong), ['list']],
  ['parsePatch, a piece', (wrong) => doors.parsePatch([wrong])],
  ['parsePatch, options', (wrong) => doors.parsePatch('', wrong), ['object', 'undefined']],
  ['parsePatch, maxRowUnits', (maxRowUnits) => doors.parsePatch('', { maxRowUnits }), ['number', 'undefined']],
  ['parsePatch, signal', (signal) => doors.parsePatch('', { signal }), ['undefined']],
  ['readByMatch', (wrong) => doors.readByMatch(wrong, viewer)],
  ['readByMatch, viewer', (wrong) => doors.readByMatch(dataset, wrong)],
  ['readByMatch, options', (wrong) => doors.readByMatch(dataset, viewer, wrong), ['object', 'undefined']],
  ['readByMatch, maxQuads', (maxQuads) => doors.readByMatch(dataset, viewer, { maxQuads }), ['number', 'undefined']],
  ['readByMatch, signal', (signal) => doors.readByMatch(dataset, viewer, { signal }), ['undefined']],
  ['readByMatch, nextTurn', (nextTurn) => doors.readByMatch(dataset, viewer, { nextTurn }), ['function', 'undefined']],
  ['changeSetFromEvent', (wrong) => doors.changeSetFromEvent(wrong)],
  ['changeSetFromEvent, options', (wrong) => doors.changeSetFromEvent(EVENT, wrong), ['object', 'undefined']],
  [
    'changeSetFromEvent, defaultLabel',
    (defaultLabel) => doors.changeSetFromEvent(EVENT, { defaultLabel }),
    ['text', 'undefined'],
  ],
  ['changeSetFromEvent, blobs', (blobs) => doors.changeSetFromEvent(EVENT, { blobs }), ['undefined']],
  ['changeSetFromEvent, signal', (signal) => doors.changeSetFromEvent(EVENT, { signal }), ['undefined']],
  [
    'changeSetFromEvent, maxBytes',
    (maxBytes) => doors.changeSetFromEvent(EVENT, { maxBytes }),
    ['number', 'undefined'],
  ],
  [
    'changeSetFromEvent, contexts',
    (contexts) => doors.changeSetFromEvent(EVENT, { contexts }),
    ['object', 'undefined'],
  ],
  ['fromTerm', (wrong) => doors.dataFactory.fromTerm(wrong)],
  ['fromTerm, a type', (termType) => doors.dataFactory.fromTerm({ termType, value: 'x' } as AnyArgument)],
  [
    'fromTerm, a value',
    (value) => doors.dataFactory.fromTerm({ termType: 'NamedNode', value } as AnyArgument),
    ['text'],
  ],
  ['fromTerm, a datatype', (datatype) => doors.dataFactory.fromTerm({ ...LITERAL, datatype } as AnyArgument)],
  ['fromTerm, a language', (language) => doors.dataFactory.fromTerm({ ...LITERAL, language } as AnyArgument), ['text']],
  ['fromTerm, a part', (object) => doors.dataFactory.fromTerm({ ...PARTS, object } as AnyArgument)],
  ['fromQuad', (wrong) => doors.dataFactory.fromQuad(wrong)],
  ['literal, a type', (type) => doors.dataFactory.literal('x', type), ['text', 'null', 'undefined']],
  ['findFormat', (wrong) => doors.findFormat(wrong), ['text']],
  ['toMediaType', (wrong) => doors.toMediaType(wrong), ['text']],
  ['mediaTypeOfFile', (wrong) => doors.mediaTypeOfFile(wrong), ['text']],
  ['parseSparql', (wrong) => sparql.parseSparql(wrong)],
];

const WRITING: readonly Row[] = [
  ...ALL_FORMATS.flatMap((contentType): Row[] => [
    [`serializeRdf as ${contentType}, quads`, (wrong) => doors.serializeRdf(wrong, { contentType }), ['list']],
    [`serializeRdf as ${contentType}, a quad`, (wrong) => doors.serializeRdf([wrong], { contentType })],
    [
      `serializeRdf as ${contentType}, a term`,
      (object) => doors.serializeRdf([doors.quad(QUAD.subject, QUAD.predicate, object)], { contentType }),
    ],
  ]),
  ['serializeRdf, options', (wrong) => doors.serializeRdf([], wrong)],
  ['serializeRdf, contentType', (contentType) => doors.serializeRdf([], { contentType })],
  ['serializeRdf, prefixes', (prefixes) => doors.serializeRdf([], { ...TTL, prefixes }), ['object', 'undefined']],
  ['serializeRdf, a prefix', (a) => doors.serializeRdf([], { ...TTL, prefixes: { a } }), ['text']],
  ['writeQuad', (wrong) => doors.writeQuad(wrong)],
  ['writeTerm', (wrong) => doors.writeTerm(wrong)],
  ['writePatch', (wrong) => [...writePatch(wrong)], ['list']],
  ['writePatch, a row', (wrong) => [...writePatch([wrong])]],
  ['writePatchRow', (wrong) => writePatchRow(wrong)],
  ['toPatch', (wrong) => doors.toPatch(wrong)],
  ['toPatchRows', (wrong) => [...toPatchRows(wrong)]],
  ['toPatchRows, additions', (additions) => [...toPatchRows({ additions, deletions: [] })], ['list']],
  ['createRdfJsStore', (wrong) => createRdfJsStore(wrong, viewer, '*')],
  ['createRdfJsStore, viewer', (wrong) => createRdfJsStore(dataset, wrong, '*')],
  ['createRdfJsStore, label', (wrong) => createRdfJsStore(dataset, viewer, wrong), ['text']],
];

const RESULTS: readonly Row[] = [
  ['negotiate', (wrong) => doors.negotiate(wrong, RESULT_TYPES), ['text', 'undefined']],
  ['negotiate, available', (wrong) => doors.negotiate('*/*', wrong), ['list']],
  ['parseJsonResult', (wrong) => doors.parseJsonResult(wrong)],
  ...['head', 'results'].map((part): Row => [`parseJsonResult, ${part}`, (x) => parseJson({ [part]: x })]),
  ['parseJsonResult, a binding', (wrong) => parseJson({ results: { bindings: [wrong] } }), ['object']],
  [
    'parseJsonResult, a term',
    (wrong) => parseJson({ results: { bindings: [{ a: wrong }] } }),
    ['undefined', 'function'],
  ],
  [
    'parseJsonResult, a value',
    (value) => parseJson({ results: { bindings: [{ a: { type: 'uri', value } }] } }),
    ['text', 'date'],
  ],
  ['writeResult', (wrong) => doors.writeResult(wrong, { mediaType: 'text/csv' })],
  ['writeResult, options', (wrong) => doors.writeResult({ type: 'boolean', value: true }, wrong)],
  ['writeResult, mediaType', (mediaType) => doors.writeResult({ type: 'boolean', value: true }, { mediaType })],
  ...RESULT_TYPES.flatMap((mediaType): Row[] => [
    [`writeResult as ${mediaType}, variables`, (x) => doors.writeResult(bindings(x, []), { mediaType }), ['list']],
    [`writeResult as ${mediaType}, solutions`, (x) => doors.writeResult(bindings(['a'], x), { mediaType }), ['list']],
    [`writeResult as ${mediaType}, a solution`, (x) => doors.writeResult(bindings(['a'], [x]), { mediaType })],
    [
      `writeResult as ${mediaType}, a boolean`,
      (value) => doors.writeResult({ type: 'boolean', value }, { mediaType }),
      ['boolean'],
    ],
  ]),
  [
    'writeResult, quads',
    (quads) => doors.writeResult({ type: 'quads', quads }, { mediaType: 'text/turtle' }),
    ['list'],
  ],
];

const GRAPHQL: readonly Row[] = [
  ['createPlatformSchema', (wrong) => graphql.createPlatformSchema(wrong), ['object', 'undefined']],
  ['createPlatformSchema, name', (name) => graphql.createPlatformSchema({ name }), ['text', 'undefined']],
  ['createPlatformSchema, states', (states) => graphql.createPlatformSchema({ states }), ['undefined']],
  ['createPlatformSchema, prefixes', (prefixes) => graphql.createPlatformSchema({ prefixes }), ['object', 'undefined']],
  ['executeGraphQL, schema', (wrong) => graphql.executeGraphQL(wrong, dataset, viewer, QUERY)],
  ['executeGraphQL, dataset', (wrong) => graphql.executeGraphQL(schema, wrong, viewer, QUERY)],
  ['executeGraphQL, viewer', (wrong) => graphql.executeGraphQL(schema, dataset, wrong, QUERY)],
  ['executeGraphQL, request', (wrong) => graphql.executeGraphQL(schema, dataset, viewer, wrong)],
  ['executeGraphQL, query', (query) => graphql.executeGraphQL(schema, dataset, viewer, { query }), ['text']],
  [
    'executeGraphQL, operationName',
    (operationName) => graphql.executeGraphQL(schema, dataset, viewer, { ...QUERY, operationName }),
    ['text', 'null', 'undefined'],
  ],
  [
    'executeGraphQL, variables',
    (variables) => graphql.executeGraphQL(schema, dataset, viewer, { ...QUERY, variables }),
    ['object', 'null', 'undefined'],
  ],
  [
    'executeGraphQL, options',
    (wrong) => graphql.executeGraphQL(schema, dataset, viewer, QUERY, wrong),
    ['object', 'undefined'],
  ],
  ['validateGraphQL, schema', (wrong) => graphql.validateGraphQL(wrong, QUERY)],
  ['validateGraphQL, request', (wrong) => graphql.validateGraphQL(schema, wrong)],
  ['validateGraphQL, query', (query) => graphql.validateGraphQL(schema, { query }), ['text']],
  ['validateGraphQL, options', (wrong) => graphql.validateGraphQL(schema, QUERY, wrong), ['object', 'undefined']],
  ['answerGraphQLHttp, request', (wrong) => graphql.answerGraphQLHttp(wrong, ANSWER)],
  ['answerGraphQLHttp, method', (method) => graphql.answerGraphQLHttp({ ...GET, method }, ANSWER), ['text']],
  ['answerGraphQLHttp, headers', (headers) => graphql.answerGraphQLHttp({ ...GET, headers }, ANSWER), ['object']],
  ['answerGraphQLHttp, query', (query) => graphql.answerGraphQLHttp({ ...GET, query }, ANSWER), ['text', 'undefined']],
  [
    'answerGraphQLHttp, body',
    (body) => graphql.answerGraphQLHttp({ ...GET, method: 'POST', body }, ANSWER),
    ['text', 'undefined'],
  ],
  ['answerGraphQLHttp, options', (wrong) => graphql.answerGraphQLHttp(GET, wrong)],
  ['answerGraphQLHttp, schema', (wrong) => graphql.answerGraphQLHttp(GET, { ...ANSWER, schema: wrong })],
  ['answerGraphQLHttp, dataset', (wrong) => graphql.answerGraphQLHttp(GET, { ...ANSWER, dataset: wrong })],
  ['answerGraphQLHttp, viewer', (wrong) => graphql.answerGraphQLHttp(GET, { ...ANSWER, viewer: wrong })],
];

const SHACL: readonly Row[] = [
  ['validate, data', (wrong) => shacl.validate(wrong, []), ['list']],
  ['validate, a quad of the data', (wrong) => shacl.validate([wrong], [])],
  ['validate, shapes', (wrong) => shacl.validate([], wrong), ['list']],
  ['validate, a quad of the shapes', (wrong) => shacl.validate([], [wrong])],
  ['validate, options', (wrong) => shacl.validate([], [], wrong), ['object', 'undefined']],
  ['validate, target', (target) => shacl.validate([], [], { target }), ['undefined']],
  ['validateStored', (wrong) => shacl.validateStored(wrong, viewer, [])],
  ['validateStored, viewer', (wrong) => shacl.validateStored(dataset, wrong, [])],
  ['validateStored, shapes', (wrong) => shacl.validateStored(dataset, viewer, wrong), ['list']],
  ['validateStored, options', (wrong) => shacl.validateStored(dataset, viewer, [], wrong), ['object', 'undefined']],
  ['validateStored, graph', (graph) => shacl.validateStored(dataset, viewer, [], { graph }), ['null', 'undefined']],
  ['validateStored, target', (target) => shacl.validateStored(dataset, viewer, [], { target }), ['undefined']],
  ['parseTarget', (wrong) => shacl.parseTarget(wrong, {})],
  ['parseTarget, prefixes', (wrong) => shacl.parseTarget('urn:a', wrong), ['object']],
  ['readReport', (wrong) => shacl.readReport(wrong), ['list']],
  ['readReport, a quad', (wrong) => shacl.readReport([wrong])],
  ['writeReport', (wrong) => shacl.writeReport(wrong)],
  [
    'writeReport, contentType',
    (type) => shacl.writeReport({ conforms: true, results: [], quads: [] }, type),
    ['undefined'],
  ],
];

const FEDERATED = 'SELECT * { SERVICE <urn:e> { ?s ?p ?o } }';
const federated = async (services: AnyArgument) => {
  const { solutions }: AnyArgument = await comunica.queryWithComunica(dataset, viewer, FEDERATED, { services });
  for await (const _ of solutions);
};
const answering = (answer: AnyArgument) => federated(new Map([['urn:e', async () => answer]]));

const COMUNICA: readonly Row[] = [
  ['queryWithComunica', (wrong) => comunica.queryWithComunica(wrong, viewer, 'ASK {}')],
  ['queryWithComunica, viewer', (wrong) => comunica.queryWithComunica(dataset, wrong, 'ASK {}')],
  ['queryWithComunica, text', (wrong) => comunica.queryWithComunica(dataset, viewer, wrong)],
  [
    'queryWithComunica, evaluation',
    (wrong) => comunica.queryWithComunica(dataset, viewer, 'ASK {}', wrong),
    ['object', 'undefined'],
  ],
  [
    'queryWithComunica, services',
    (services) => comunica.queryWithComunica(dataset, viewer, 'ASK {}', { services }),
    ['undefined'],
  ],
  [
    'queryWithComunica, a service',
    (wrong) => comunica.queryWithComunica(dataset, viewer, 'ASK {}', { services: new Map([['urn:e', wrong]]) }),
    ['function'],
  ],
  ['queryWithComunica, an answer', answering, ['list']],
  ['queryWithComunica, a solution', (wrong) => answering([wrong])],
  ['queryWithComunica, a term', (wrong) => answering([new Map([['s', wrong]])])],
];

/** Doors that take nothing, and those of datasets and labels, which have tables of their own. */
const ELSEWHERE: ReadonlySet<unknown> = new Set([
  ...[graphql.createDatasetSchema, graphql.createTraversalSchema, createDataFactory, doors.defaultGraph],
  ...[doors.openGraphDataset],
  ...[doors.toPatchEvents, doors.publishChangeSet, experimental.checkLabelsOfChanges],
  ...[experimental.checkStatedLabels, experimental.readStatedChanges, experimental.countDeletions],
  // For the packages above: what they hand in was checked at a door of theirs.
  ...[experimental.bodyPlaceOf, experimental.isAbsoluteIri, experimental.resolveIri],
  // Shared memory between the threads of a program.
  ...[doors.allocatePrivate, doors.allocateShared, doors.openSharedSnapshot, doors.openSharedDataset],
  // Makers of terms: what they make is checked where it goes.
  ...[doors.blankNode, doors.namedNode, doors.quad, doors.stringLiteral, doors.languageLiteral, doors.typedLiteral],
]);

const DOORS = [...READING, ...WRITING, ...RESULTS, ...GRAPHQL, ...SHACL, ...COMUNICA].map(
  ([name, call, right = []]) => [name, call, right] as const,
);

describe('a door for reading, writing, asking and validating', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right, REFUSALS)).toEqual([]);
  });

  it('has a row for each function', () => {
    const names = new Set(DOORS.map(([name]) => /^\w+/.exec(name)?.[0]));
    const functions = [doors, experimental, graphql, shacl, sparql, comunica].flatMap((door) =>
      Object.entries(door).filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name)),
    );
    const missing = functions.filter(([name, value]) => !names.has(name) && !ELSEWHERE.has(value));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('says what, the value and the bound', async () => {
    const quads = doors.parseRdf(7 as AnyArgument, TTL)[Symbol.asyncIterator]();
    await expect(quads.next()).rejects.toThrow(/^the source must be text, bytes or a stream; got a number$/);
  });
});

/** A refusal of the argument, or of the text, media type or name that it is. */
const REFUSALS: readonly ErrorKind[] = ['invalid', 'unsupported', 'not-found'];

function bindings(variables: AnyArgument, solutions: AnyArgument) {
  return { type: 'bindings', variables, solutions } as const;
}

function parseJson(document: unknown): unknown {
  return doors.parseJsonResult(JSON.stringify(document));
}
