import { type AnyArgument, type ListDoor, listFaults } from '@cairn/errors/conformance';
import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { toChangeSet } from '../graph/patch/change-set.ts';
import { toPatchEvents } from '../graph/patch/events.ts';
import { checkLabelsOfChanges } from '../graph/patch/stated-labels.ts';
import { toPatch, writePatch } from '../graph/patch/writer.ts';
import { negotiate } from '../rdf/negotiate.ts';
import { serializeRdf } from '../rdf/serialize.ts';
import { namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { readReport, validate } from '../shacl.ts';
import { writeResult } from '../sparql/results/write.ts';
import { openGraphDataset } from './open.ts';

const viewer = createViewerOfEverything();
const one = quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('1'));
const two = quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('2'), namedNode('urn:g'));
const labelled = [
  { quad: one, label: 'a' },
  { quad: two, label: 'b' },
];
const rows = [
  { type: 'add', quad: one },
  { type: 'add', quad: two },
];
const prefixes = [
  { prefix: 'a', iri: 'urn:a', label: 'a' },
  { prefix: 'b', iri: 'urn:b', label: 'b' },
];

async function filled() {
  const dataset = await openGraphDataset({ name: 'test' });
  await dataset.apply([{ deletions: [], additions: labelled }]);
  return dataset;
}

/** How many quads there are after a change, and the prefixes. */
async function changed(change: (dataset: Awaited<ReturnType<typeof filled>>) => Promise<unknown>, isFilled = false) {
  const dataset = isFilled ? await filled() : await openGraphDataset({ name: 'test' });
  await change(dataset);
  return [await dataset.count(viewer), await dataset.prefixes(viewer)];
}

async function drain<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function ask(evaluation: AnyArgument) {
  return (await filled()).query(viewer, 'ASK { ?s ?p "2" }', evaluation);
}

async function eventsOf(changes: AnyArgument) {
  return (await toPatchEvents(changes, { eventId: 'e' })).map(({ value }) => new TextDecoder().decode(value));
}

async function written(variables: AnyArgument) {
  const solutions = (async function* () {
    yield new Map([['b', stringLiteral('x')]]);
  })();
  return drain(writeResult({ type: 'bindings', variables, solutions }, { mediaType: 'text/csv' }));
}

/** The labels that were judged. */
async function judged(changes: AnyArgument): Promise<unknown> {
  const labels: string[] = [];
  await checkLabelsOfChanges(changes, { judge: (label) => void labels.push(label) });
  return labels;
}

const SECURITY = 'http://telicent.io/security#';
const rule = (name: string, value: string) => {
  const graph = namedNode(`${SECURITY}labels`);
  return { quad: quad(namedNode('urn:n'), namedNode(`${SECURITY}${name}`), stringLiteral(value), graph), label: 'a' };
};

const sh = (name: string) => namedNode(`http://www.w3.org/ns/shacl#${name}`);
const shapes: readonly RDF.Quad[] = [
  quad(namedNode('urn:shape'), sh('targetNode'), namedNode('urn:s')),
  quad(namedNode('urn:shape'), sh('nodeKind'), sh('Literal')),
];

const DOORS: readonly ListDoor[] = [
  ['apply', [{ deletions: [], additions: labelled }], (list) => changed((dataset) => dataset.apply(list))],
  ['apply, additions', labelled, (additions) => changed((dataset) => dataset.apply([{ deletions: [], additions }]))],
  ['apply, deletions', labelled, (deletions) => changed((own) => own.apply([{ deletions, additions: [] }]), true)],
  [
    'apply, prefixes',
    prefixes,
    (list) => changed((dataset) => dataset.apply([{ deletions: [], additions: [], prefixes: list }])),
  ],
  ['load', [[one], [two]], (list) => changed((dataset) => dataset.load(list, { label: 'a' }))],
  ['load, a batch', [one, two], (list) => changed((dataset) => dataset.load([list], { label: 'a' }))],
  ['removeQuads', [one, two], (list) => changed((dataset) => dataset.removeQuads(viewer, list), true)],
  ['query, defaultGraphs', ['urn:g'], (defaultGraphs) => ask({ defaultGraphs })],
  ['query, namedGraphs', ['urn:g'], (namedGraphs) => ask({ namedGraphs })],
  ['toPatchEvents, additions', labelled, (additions) => eventsOf({ deletions: [], additions })],
  ['toPatchEvents, deletions', labelled, (deletions) => eventsOf({ deletions, additions: [] })],
  ['toPatchEvents, prefixes', prefixes, (list) => eventsOf({ deletions: [], additions: [], prefixes: list })],
  ['toPatch, additions', labelled, (additions) => toPatch({ deletions: [], additions })],
  ['toPatch, prefixes', prefixes, (list) => toPatch({ deletions: [], additions: [], prefixes: list })],
  ['writePatch', rows, (list) => drain(writePatch(list))],
  [
    'toChangeSet',
    rows,
    (list) => toChangeSet(list, { additionLabels: () => ['a'], prefixLabel: 'a', deletionLabel: 'a' }),
  ],
  [
    'checkLabelsOfChanges',
    [rule('pattern', '<urn:s> <urn:p> "1"'), rule('label', 'x'), { quad: one, label: 'a' }],
    (additions) => judged({ deletions: [], additions }),
  ],
  ['serializeRdf', [one, two], (list) => drain(serializeRdf(list, { contentType: 'application/n-quads' }))],
  ['negotiate', ['text/csv', 'text/turtle'], (list) => negotiate('text/turtle', list)],
  ['writeResult, variables', ['a', 'b'], (variables) => written(variables)],
  ['validate, data', [one, two], (list) => validate(list, shapes)],
  ['validate, shapes', shapes, (list) => validate([one], list)],
  ['readReport', [], (list) => readReport(list)],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});
