import { CodedError } from '@cairn/errors';
import { type Event, HEADER } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../../rdf/iri.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import { isWellFormed } from '../../rdf/well-formed.ts';
import { isLabelQuad, type LabelVocabulary } from './label-graph.ts';

/** Where the statements of a body of RDF go, and what its relative IRIs are relative to. */
export interface BodyPlace {
  /** Absolute IRI of the graph of all that names none. Default: the default graph. */
  readonly graph?: string | undefined;
  /** Absolute IRI. Without it relative IRIs are an error. */
  readonly baseIri?: string | undefined;
}

/**
 * The place that the headers `Graph` and `Base-IRI` of an event give its RDF. An RDF patch names its graphs in its rows, so they
 * say nothing of it.
 * @throws `ERR_EVENT_INVALID` (invalid) for a header that is no absolute IRI
 */
export function bodyPlaceOf({ headers }: Pick<Event, 'headers'>): BodyPlace {
  return { graph: iriIn(headers, HEADER.graph), baseIri: iriIn(headers, HEADER.baseIri) };
}

function iriIn(headers: Event['headers'], name: string): string | undefined {
  const iri = headers.get(name);
  if (iri === undefined || (isAbsoluteIri(iri) && isWellFormed(iri))) return iri;
  const message = `the header ${name} of an event must be an absolute IRI; got ${quote(iri)}`;
  throw new CodedError({ code: 'ERR_EVENT_INVALID', kind: 'invalid', message });
}

/** Puts the quads of a body where they belong; the label graph in it stays what it is. */
export type ToTarget = (quads: readonly RDF.Quad[]) => readonly RDF.Quad[];

/**
 * Returns what puts each triple into a graph; without one, quads are left as they are.
 *
 * Its result throws `ERR_RDF_TARGET` (invalid) for a quad that names another graph: whoever asked for one graph would
 * otherwise find statements in a second one, or lose them.
 */
export function toTarget(iri: string | undefined, vocabulary: LabelVocabulary): ToTarget {
  if (iri === undefined) return (quads) => quads;
  const graph = namedNode(iri);
  return (quads) =>
    quads.map((stated) => {
      if (isLabelQuad(stated, vocabulary) || stated.graph.equals(graph)) return stated;
      if (stated.graph.termType !== 'DefaultGraph') throw namesAnother(stated.graph, iri);
      return quad(stated.subject, stated.predicate, stated.object, graph);
    });
}

function namesAnother({ value }: RDF.Term, iri: string): CodedError {
  const message = `a body for the graph ${quote(iri)} must name no other graph; got ${quote(value)}`;
  return new CodedError({ code: 'ERR_RDF_TARGET', kind: 'invalid', message });
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
