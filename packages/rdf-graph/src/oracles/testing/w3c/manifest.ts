import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { namedNode } from '../../../rdf/terms.ts';
import { RDF_NS } from '../../../rdf/vocabulary.ts';
import { Lookup, readGraph } from './graph.ts';

const MANIFEST = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const QUERY = 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#';
const UPDATE = 'http://www.w3.org/2009/sparql/tests/test-update#';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

/** Base of the names of the suite's files: any absolute IRI does. */
export const SUITE_IRI = 'http://w3c.example/sparql11/';

/** A graph to load: its file, and its name unless it is the default graph. */
export interface GraphFile {
  readonly file: string;
  readonly name: string | undefined;
}

/** One entry of the suite. Files are paths; `iri` is the base for what the text holds. */
export interface SuiteTest {
  /** `folder/name`, unique. */
  readonly id: string;
  /** Without namespace: `QueryEvaluationTest`. */
  readonly type: string;
  readonly text: { readonly file: string; readonly iri: string };
  readonly data: readonly GraphFile[];
  readonly result: { readonly file: string | undefined; readonly data: readonly GraphFile[] };
}

/** Folders whose tests need a network, an entailment regime or a protocol. */
const NOT_OFFLINE = /^(?:entailment|protocol|graph-store-protocol|http-rdf-update|service|service-description)$/;

const OFFLINE_TYPE =
  /^(?:QueryEvaluationTest|CSVResultFormatTest|UpdateEvaluationTest|(?:Positive|Negative)(?:Update)?SyntaxTest11)$/;

/** Every test of the suite in a folder that can run offline, in the order of its manifests. */
export async function readSuite(folder: string): Promise<SuiteTest[]> {
  const top = new Lookup(await readGraph(join(folder, 'manifest-all.ttl'), `${SUITE_IRI}manifest-all.ttl`));
  const manifests = top.list(top.object(namedNode(`${SUITE_IRI}manifest-all.ttl`), `${MANIFEST}include`));
  const tests: SuiteTest[] = [];
  for (const { value } of manifests) {
    const name = value.slice(SUITE_IRI.length).replace(/\/manifest\.ttl$/, '');
    if (!NOT_OFFLINE.test(name)) tests.push(...(await readManifest(folder, name)));
  }
  return tests;
}

async function readManifest(folder: string, name: string): Promise<SuiteTest[]> {
  const iri = `${SUITE_IRI}${name}/manifest.ttl`;
  const graph = new Lookup(await readGraph(join(folder, name, 'manifest.ttl'), iri));
  const toPath = (term: RDF.Term): string => join(folder, term.value.slice(SUITE_IRI.length));
  return graph
    .list(graph.object(namedNode(iri), `${MANIFEST}entries`))
    .map((entry) => readEntry(graph, entry, name, toPath))
    .filter(({ type }) => OFFLINE_TYPE.test(type));
}

function readEntry(graph: Lookup, entry: RDF.Term, folder: string, toPath: (term: RDF.Term) => string): SuiteTest {
  const action = graph.object(entry, `${MANIFEST}action`);
  const result = graph.object(entry, `${MANIFEST}result`);
  const text = graph.object(action, `${QUERY}query`) ?? graph.object(action, `${UPDATE}request`) ?? action!;
  const filesOf = (node: RDF.Term | undefined): GraphFile[] => readGraphFiles(graph, node, toPath);
  return {
    id: `${folder}/${entry.value.replace(/.*[#/]/, '')}`,
    type: graph.object(entry, `${RDF_NS}type`)?.value.slice(MANIFEST.length) ?? '',
    text: { file: text.termType === 'NamedNode' ? toPath(text) : '', iri: text.value },
    data: filesOf(action),
    result: { file: result?.termType === 'NamedNode' ? toPath(result) : undefined, data: filesOf(result) },
  };
}

function readGraphFiles(graph: Lookup, node: RDF.Term | undefined, toPath: (term: RDF.Term) => string): GraphFile[] {
  const defaults = [QUERY, UPDATE].flatMap((namespace) => graph.objects(node, `${namespace}data`));
  const named = [QUERY, UPDATE].flatMap((namespace) => graph.objects(node, `${namespace}graphData`));
  return [
    ...defaults.map((file) => ({ file: toPath(file), name: undefined })),
    ...named.map((term) => {
      const file = graph.object(term, `${UPDATE}graph`) ?? term;
      return { file: toPath(file), name: graph.object(term, LABEL)?.value ?? file.value };
    }),
  ];
}
