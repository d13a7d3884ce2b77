import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { checkQuad } from '../arguments.ts';
import type { QuadSource } from '../quad-source.ts';
import { writeTerm } from '../term-writer.ts';
import { isPlainString } from '../terms.ts';
import { RDF_NS } from '../vocabulary.ts';

const RDF_TYPE = `${RDF_NS}type`;

interface NodeObject {
  readonly '@id': string;
  [property: string]: unknown;
}

/** Quads as expanded JSON-LD: those of a graph and subject that follow each other make one node, which is held. @throws `ERR_JSON_LD_TRIPLE_TERM` (unsupported) for a triple term */
export async function* serializeJsonLd(quads: QuadSource): AsyncGenerator<string> {
  let separator = '[\n';
  let open: { graph: RDF.Term; subject: RDF.Term; node: NodeObject } | undefined;
  for await (const quad of quads) {
    checkQuad(quad);
    if (open === undefined || !open.subject.equals(quad.subject) || !open.graph.equals(quad.graph)) {
      if (open !== undefined) {
        yield separator + writeNode(open.graph, open.node);
        separator = ',\n';
      }
      open = { graph: quad.graph, subject: quad.subject, node: { '@id': idOf(quad.subject) } };
    }
    addTo(open.node, quad);
  }
  if (open !== undefined) {
    yield separator + writeNode(open.graph, open.node);
    separator = '\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function addTo(node: NodeObject, { predicate, object }: RDF.Quad): void {
  const isType = predicate.value === RDF_TYPE && object.termType !== 'Literal';
  const property = isType ? '@type' : predicate.value;
  // An own property even for names that every object inherits.
  const values = Object.hasOwn(node, property) ? (node[property] as unknown[]) : [];
  values.push(isType ? idOf(object) : toValue(object));
  Object.defineProperty(node, property, { value: values, enumerable: true, configurable: true });
}

function toValue(term: RDF.Term): unknown {
  if (term.termType !== 'Literal') return { '@id': idOf(term) };
  if (term.language !== '') return { '@value': term.value, '@language': term.language };
  if (isPlainString(term)) return { '@value': term.value };
  return { '@value': term.value, '@type': term.datatype.value };
}

function idOf(term: RDF.Term): string {
  if (term.termType === 'Quad') {
    const message = 'JSON-LD has no triple terms: ask for N-Triples or Turtle';
    throw new CodedError({ code: 'ERR_JSON_LD_TRIPLE_TERM', kind: 'unsupported', message });
  }
  return term.termType === 'BlankNode' ? writeTerm(term) : term.value;
}

function writeNode(graph: RDF.Term, node: NodeObject): string {
  return JSON.stringify(graph.termType === 'DefaultGraph' ? node : { '@id': idOf(graph), '@graph': [node] });
}
