/** Types shared by the dataset and the traversal schema: RDF terms and filters for them. */
export const CORE_SDL = /* GraphQL */ `
"What an RDF term is."
enum NodeKind {
  "An IRI."
  URI
  "A blank node."
  BLANK
  "In filters: a literal of type xsd:string. In answers such a literal is a TYPED_LITERAL."
  PLAIN_LITERAL
  "A literal with a language tag."
  LANGUAGE_LITERAL
  "A literal with a datatype."
  TYPED_LITERAL
  "In filters: any term. Never in answers."
  VARIABLE
  "A triple that is itself a term."
  TRIPLE
}

"An RDF term."
type Node {
  kind: NodeKind!
  "The IRI, the label of a blank node, or the lexical form of a literal. Null for a triple."
  value: String
  "The triple, when the term is one."
  triple: Triple
  "The IRI of a literal's datatype."
  datatype: String
  "The language tag of a literal that has one, in lower case."
  language: String
}

"A triple that is itself a term."
type Triple {
  subject: Node!
  predicate: Node!
  object: Node!
}

"Stands for one term, or for any (VARIABLE)."
input NodeFilter {
  kind: NodeKind!
  "The IRI, the label of a blank node, or the lexical form of a literal."
  value: String
  "For a triple."
  triple: TripleFilter
  "For a TYPED_LITERAL; without it xsd:string."
  datatype: String
  "For a LANGUAGE_LITERAL."
  language: String
}

"Stands for one triple that is itself a term."
input TripleFilter {
  subject: NodeFilter!
  predicate: NodeFilter!
  object: NodeFilter!
}
`;
