import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { parseRdf } from '../../rdf/parse.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, indexQuads, objectsOf } from '../data/indexed-graph.ts';

const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const SHT = 'http://www.w3.org/ns/shacl-test#';

/** Base of the names of the suite's files: any absolute IRI does. */
const SUITE_IRI = 'http://w3c.example/shacl/';

export interface SuiteTest {
  /** `folder/name`, unique. */
  readonly id: string;
  readonly data: IndexedGraph;
  readonly shapes: IndexedGraph;
  readonly expected: IndexedGraph;
  readonly report: RDF.Term;
}

/** Every test below a folder, in the order of its manifests. */
export async function readSuite(folder: string, file: string = join(folder, 'manifest.ttl')): Promise<SuiteTest[]> {
  const read = async (iri: string): Promise<IndexedGraph> => {
    const text = readFileSync(join(folder, iri.slice(SUITE_IRI.length)), 'utf8');
    const quads: RDF.Quad[] = [];
    for await (const quad of parseRdf(text, { contentType: 'text/turtle', baseIri: iri })) quads.push(quad);
    return indexQuads(quads);
  };
  const graph = await read(SUITE_IRI + relative(folder, file));
  const tests: SuiteTest[] = [];
  for (const { object } of graph.match(null, namedNode(`${MF}include`))) {
    tests.push(...(await readSuite(folder, join(folder, object.value.slice(SUITE_IRI.length)))));
  }
  for (const { subject: test } of graph.match(null, namedNode(`${MF}action`))) {
    const [action, report] = ['action', 'result'].map((name) => objectsOf(graph, test, namedNode(MF + name))[0]);
    const [data, shapes] = ['dataGraph', 'shapesGraph'].map(
      (name) => objectsOf(graph, action, namedNode(SHT + name))[0].value,
    );
    tests.push({
      id: test.value.slice(SUITE_IRI.length),
      data: await read(data),
      shapes: await read(shapes),
      expected: graph,
      report,
    });
  }
  return tests;
}

/** Tests that fail, each with its reason. The list may only shrink: a test on it that passes fails the run. */
export const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map();
