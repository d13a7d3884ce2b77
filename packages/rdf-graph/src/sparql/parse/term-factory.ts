import type * as RDF from '@rdfjs/types';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';

/** Escapes of prefixed names, which sparqljs leaves in the IRI. No IRI holds a backslash of its own. */
const LOCAL_ESCAPE = /\\([_~.\-!$&'()*+,;=/?#@%])/g;

class VariableTerm implements RDF.Variable {
  readonly termType = 'Variable';
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'Variable' && other.value === this.value;
  }
}

function toNamedNode(iri: string): RDF.NamedNode {
  return namedNode(iri.includes('\\') ? iri.replace(LOCAL_ESCAPE, '$1') : iri);
}

function toLiteral(value: string, type?: string | RDF.NamedNode): RDF.Literal {
  if (type === undefined) return stringLiteral(value);
  return typeof type === 'string' ? languageLiteral(value, type) : typedLiteral(value, type.value);
}

/** Makes the terms of a query for the parser. */
export const QUERY_TERMS: RDF.DataFactory = {
  namedNode: toNamedNode,
  blankNode,
  literal: toLiteral,
  variable: (name: string) => new VariableTerm(name),
  quad,
} as unknown as RDF.DataFactory;
