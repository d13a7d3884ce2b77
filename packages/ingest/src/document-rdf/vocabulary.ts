/*
 * What is said about a document in the graph, and in which words.
 *
 * - Types: `foaf:Document`, which RDF tools look for, and `schema:DigitalDocument`, which has `schema:mentions`.
 * - Facts: Dublin Core. The terms (`dcterms`) where they allow literals, the elements (`dc`) where the terms want
 *   resources that a file cannot give.
 * - Mentions: `schema:mentions`, one statement per thing, so that documents join with the graph in one step. Where in
 *   the text a thing stands is in the search document: an annotation per place (Web Annotation) would make the graph
 *   ten times as large for what nobody queries there.
 */
/** Predicates that the pipeline writes about a document. */
export const DOCUMENT_PREDICATE = {
  type: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  title: 'http://purl.org/dc/terms/title',
  submitted: 'http://purl.org/dc/terms/dateSubmitted',
  extent: 'http://purl.org/dc/terms/extent',
  source: 'http://purl.org/dc/elements/1.1/source',
  format: 'http://purl.org/dc/elements/1.1/format',
  language: 'http://purl.org/dc/elements/1.1/language',
  creator: 'http://purl.org/dc/elements/1.1/creator',
  mentions: 'https://schema.org/mentions',
} as const;
