import type { LabelledQuad } from '@cairn/rdf-graph';
import { type Iri, iri, type Quad, type Term } from '../entity-documents/terms.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** A literal of a datatype of XML Schema. Default: `string`. */
export function literal(
  value: string,
  datatype: 'string' | 'dateTime' = 'string',
): Extract<Term, { termType: 'Literal' }> {
  const type = iri(`${XSD}${datatype}`);
  return {
    termType: 'Literal',
    value,
    language: '',
    datatype: type,
    equals: (other) =>
      other?.termType === 'Literal' &&
      other.value === value &&
      other.language === '' &&
      other.datatype.value === type.value,
  };
}

/** A triple of the default graph under a label. */
export function labelledTriple(subject: Iri, predicate: Iri, object: Term, label: string): LabelledQuad {
  const graph: Extract<Quad['graph'], { termType: 'DefaultGraph' }> = {
    termType: 'DefaultGraph',
    value: '',
    equals: (other) => other?.termType === 'DefaultGraph',
  };
  const quad: Quad = {
    termType: 'Quad',
    value: '',
    subject,
    predicate,
    object,
    graph,
    equals: (other) =>
      other?.termType === 'Quad' &&
      subject.equals(other.subject) &&
      predicate.equals(other.predicate) &&
      object.equals(other.object) &&
      graph.equals(other.graph),
  } as Quad;
  return { quad, label };
}
