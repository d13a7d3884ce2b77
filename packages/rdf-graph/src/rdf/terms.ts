import type * as RDF from '@rdfjs/types';
import { RememberingTerm } from './remembered-id.ts';
import { RDF_LANG_STRING, xsd } from './vocabulary.ts';

/*
 * RDF/JS terms as plain objects of few shapes: the executor makes many, and hidden classes keep them cheap.
 * Language tags keep the case they were written in and compare without it.
 */

/** IRIs, blank nodes and variables: terms that are their value. */
class NameTerm<Type extends 'NamedNode' | 'BlankNode' | 'Variable'> extends RememberingTerm {
  readonly termType: Type;
  readonly value: string;
  constructor(termType: Type, value: string) {
    super();
    this.termType = termType;
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === this.termType && other.value === this.value;
  }
}

class LiteralTerm extends RememberingTerm implements RDF.Literal {
  readonly termType = 'Literal';
  readonly value: string;
  readonly language: string;
  readonly datatype: RDF.NamedNode;
  constructor(value: string, language: string, datatype: RDF.NamedNode) {
    super();
    this.value = value;
    this.language = language;
    this.datatype = datatype;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    if (other?.termType !== 'Literal' || other.value !== this.value) return false;
    return (
      other.datatype.value === this.datatype.value &&
      (other.language === this.language || other.language.toLowerCase() === this.language.toLowerCase())
    );
  }
}

class DefaultGraphTerm implements RDF.DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'DefaultGraph';
  }
}

class QuadTerm implements RDF.Quad {
  readonly termType = 'Quad';
  readonly value = '';
  readonly subject: RDF.Quad_Subject;
  readonly predicate: RDF.Quad_Predicate;
  readonly object: RDF.Quad_Object;
  readonly graph: RDF.Quad_Graph;
  constructor(s: RDF.Quad_Subject, p: RDF.Quad_Predicate, o: RDF.Quad_Object, g: RDF.Quad_Graph) {
    this.subject = s;
    this.predicate = p;
    this.object = o;
    this.graph = g;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    );
  }
}

/* Terms that many others share can be changed by none. */

const DEFAULT_GRAPH: RDF.DefaultGraph = Object.freeze(new DefaultGraphTerm());
const XSD_STRING: RDF.NamedNode = Object.freeze(new NameTerm('NamedNode', xsd.string));
const LANG_STRING: RDF.NamedNode = Object.freeze(new NameTerm('NamedNode', RDF_LANG_STRING));
const KNOWN_DATATYPES = new Map<string, RDF.NamedNode>(
  [...Object.values(xsd), RDF_LANG_STRING].map((iri) => [iri, Object.freeze(new NameTerm('NamedNode', iri))]),
);

/** The IRI term of an absolute IRI. */
export function namedNode(iri: string): RDF.NamedNode {
  return new NameTerm('NamedNode', iri);
}

/** The blank node of a label, without `_:`. */
export function blankNode(label: string): RDF.BlankNode {
  return new NameTerm('BlankNode', label);
}

/** A literal of type xsd:string. */
export function stringLiteral(value: string): RDF.Literal {
  return new LiteralTerm(value, '', XSD_STRING);
}

/** A literal with a language tag. */
export function languageLiteral(value: string, language: string): RDF.Literal {
  return new LiteralTerm(value, language, LANG_STRING);
}

/** A literal with a datatype, given as IRI. The lexical form is kept as it is. */
export function typedLiteral(value: string, datatype: string): RDF.Literal {
  const type = KNOWN_DATATYPES.get(datatype) ?? Object.freeze(new NameTerm('NamedNode', datatype));
  return new LiteralTerm(value, '', type);
}

/** A literal as it was stored or sent: one of type rdf:langString lacks a language, and is taken for a string. */
export function typedOrString(value: string, datatype: string): RDF.Literal {
  return datatype === RDF_LANG_STRING ? stringLiteral(value) : typedLiteral(value, datatype);
}

export function literalOfType(value: string, datatype: RDF.NamedNode): RDF.Literal {
  if (datatype.value === RDF_LANG_STRING) return stringLiteral(value);
  return new LiteralTerm(value, '', datatype);
}

/** A literal that syntaxes can say: one of type rdf:langString without a language is a string, any other itself. */
export function sayable(literal: RDF.Literal): RDF.Literal {
  const lacksLanguage = literal.language === '' && literal.datatype.value === RDF_LANG_STRING;
  return lacksLanguage ? stringLiteral(literal.value) : literal;
}

/** True for a literal that is written without language and datatype. */
export function isPlainString({ language, datatype }: RDF.Literal): boolean {
  return language === '' && (datatype.value === xsd.string || datatype.value === RDF_LANG_STRING);
}

/** A variable, without `?`. */
export function variable(name: string): RDF.Variable {
  return new NameTerm('Variable', name);
}

/** The term that stands for the default graph. */
export function defaultGraph(): RDF.DefaultGraph {
  return DEFAULT_GRAPH;
}

/** A quad; without a graph in the default graph. */
export function quad(
  subject: RDF.Term,
  predicate: RDF.Term,
  object: RDF.Term,
  graph: RDF.Term = DEFAULT_GRAPH,
): RDF.Quad {
  return new QuadTerm(
    subject as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    object as RDF.Quad_Object,
    graph as RDF.Quad_Graph,
  );
}
