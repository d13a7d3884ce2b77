import { checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { serializeRdf } from '../../rdf/serialize.ts';
import { writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import type { IndexedGraph } from '../data/indexed-graph.ts';
import { rdf, SH, sh } from '../vocabulary.ts';

/** One thing that does not conform (SHACL, 3.6.2). */
export interface ShaclResult {
  readonly focusNode: RDF.Term;
  /** An IRI, or the blank node of a path whose triples {@link ShaclReport.quads} holds. */
  readonly path: RDF.Term | undefined;
  readonly value: RDF.Term | undefined;
  /** Messages of the shape, or a default one. */
  readonly messages: readonly RDF.Literal[];
  /** `http://www.w3.org/ns/shacl#Violation`, `...Warning`, `...Info` or another IRI. */
  readonly severity: RDF.Term;
  /** The IRI of the constraint component: `...#MinCountConstraintComponent`. */
  readonly component: RDF.Term;
  readonly shape: RDF.Term;
  /** Why the value does not have the shape of sh:node. */
  readonly details: readonly ShaclResult[];
}

/** The outcome of a validation. */
export interface ShaclReport {
  readonly conforms: boolean;
  /** Sorted by focus node, path, value, component and shape: the same for the same data and shapes. */
  readonly results: readonly ShaclResult[];
  /** The report as RDF (SHACL, 3.6), results in their order. */
  readonly quads: readonly RDF.Quad[];
}

const TYPE = namedNode(rdf.type);

/** A report of results in any order. `shapes` gives the triples of paths. */
export function toReport(results: readonly ShaclResult[], shapes: IndexedGraph): ShaclReport {
  const sorted = sortResults(results);
  const conforms = sorted.length === 0;
  const report = blankNode('report');
  const quads = [
    quad(report, TYPE, namedNode(sh('ValidationReport'))),
    quad(report, namedNode(sh('conforms')), typedLiteral(String(conforms), xsd.boolean)),
  ];
  const write = createWriter(quads, shapes);
  for (const result of sorted) write(report, sh('result'), result);
  return { conforms, results: sorted, quads };
}

function sortResults(results: readonly ShaclResult[]): ShaclResult[] {
  const keyed = results.map((result) => ({
    key: sortKey(result),
    result: { ...result, details: sortResults(result.details) },
  }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ result }) => result);
}

function sortKey({ focusNode, path, value, component, shape, severity, messages }: ShaclResult): string {
  const terms = [focusNode, path, value, component, shape, severity, ...messages];
  return terms.map((term) => (term === undefined ? '' : writeTerm(term))).join('\n');
}

/** Returns what writes results as RDF; blank nodes are numbered in the order of writing. */
function createWriter(quads: RDF.Quad[], shapes: IndexedGraph): WriteResult {
  const copied = new Set<string>();
  let count = 0;
  /** The triples below the blank node of a path, once. */
  const copyPath = (path: RDF.Term): void => {
    const open = [path];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.termType !== 'BlankNode' || copied.has(node.value)) continue;
      copied.add(node.value);
      for (const { subject, predicate, object } of shapes.match(node)) {
        quads.push(quad(subject, predicate, object));
        open.push(object);
      }
    }
  };
  return function write(parent, predicate, result) {
    const node = blankNode(`result${++count}`);
    quads.push(quad(parent, namedNode(predicate), node));
    const add = (name: string, term: RDF.Term | undefined): void => {
      if (term !== undefined) quads.push(quad(node, namedNode(sh(name)), term));
    };
    quads.push(quad(node, TYPE, namedNode(sh('ValidationResult'))));
    add('focusNode', result.focusNode);
    add('resultPath', result.path);
    add('value', result.value);
    for (const message of result.messages) add('resultMessage', message);
    add('resultSeverity', result.severity);
    add('sourceConstraintComponent', result.component);
    add('sourceShape', result.shape);
    if (result.path?.termType === 'BlankNode') copyPath(result.path);
    for (const detail of result.details) write(node, sh('detail'), detail);
  };
}

type WriteResult = (parent: RDF.Term, predicate: string, result: ShaclResult) => void;

/** A report as RDF text of a media type, such as `text/turtle` or `application/ld+json`. @throws `ERR_RDF_MEDIA_TYPE` (unsupported) */
export async function writeReport(report: ShaclReport, contentType: string = 'text/turtle'): Promise<string> {
  checkObject(report, 'the report');
  let text = '';
  for await (const piece of serializeRdf(report.quads, { contentType, prefixes: { sh: SH } })) text += piece;
  return text;
}
