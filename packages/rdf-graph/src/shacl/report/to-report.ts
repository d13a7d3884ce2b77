import { checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { serializeRdf } from '../../rdf/serialize.ts';
import { writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import type { IndexedGraph } from '../data/indexed-graph.ts';
import { rdf, SH, sh } from '../vocabulary.ts';
import type { ShaclReport, ShaclResult } from './shacl-report.ts';

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
  const writer = new ResultWriter(quads, shapes);
  for (const result of sorted) writer.write(report, sh('result'), result);
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

/** Writes results as RDF; blank nodes are numbered in the order of writing. */
class ResultWriter {
  readonly #quads: RDF.Quad[];
  readonly #shapes: IndexedGraph;
  readonly #copied = new Set<string>();
  #count = 0;

  constructor(quads: RDF.Quad[], shapes: IndexedGraph) {
    this.#quads = quads;
    this.#shapes = shapes;
  }

  write(parent: RDF.Term, predicate: string, result: ShaclResult): void {
    const node = blankNode(`result${++this.#count}`);
    this.#quads.push(quad(parent, namedNode(predicate), node));
    const add = (name: string, term: RDF.Term | undefined): void => {
      if (term !== undefined) this.#quads.push(quad(node, namedNode(sh(name)), term));
    };
    this.#quads.push(quad(node, TYPE, namedNode(sh('ValidationResult'))));
    add('focusNode', result.focusNode);
    add('resultPath', result.path);
    add('value', result.value);
    for (const message of result.messages) add('resultMessage', message);
    add('resultSeverity', result.severity);
    add('sourceConstraintComponent', result.component);
    add('sourceShape', result.shape);
    if (result.path?.termType === 'BlankNode') this.#copyPath(result.path);
    for (const detail of result.details) this.write(node, sh('detail'), detail);
  }

  /** The triples below the blank node of a path, once. */
  #copyPath(path: RDF.Term): void {
    const open = [path];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.termType !== 'BlankNode' || this.#copied.has(node.value)) continue;
      this.#copied.add(node.value);
      for (const { subject, predicate, object } of this.#shapes.match(node)) {
        this.#quads.push(quad(subject, predicate, object));
        open.push(object);
      }
    }
  }
}

/** A report as RDF text of a media type, such as `text/turtle` or `application/ld+json`. @throws `ERR_RDF_MEDIA_TYPE` (unsupported) */
export async function writeReport(report: ShaclReport, contentType: string = 'text/turtle'): Promise<string> {
  checkObject(report, 'the report');
  let text = '';
  for await (const piece of serializeRdf(report.quads, { contentType, prefixes: { sh: SH } })) text += piece;
  return text;
}
