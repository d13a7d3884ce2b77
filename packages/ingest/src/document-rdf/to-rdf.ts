import { type LabelledQuad, namedNode, quad, stringLiteral, typedLiteral } from '@cairn/rdf-graph';
import type { Term } from '../entity-documents/labelled-graph.ts';
import type { AnnotatedDocument } from '../pipeline/contract.ts';
import { DOCUMENT_TYPES } from '../pipeline/to-search-document.ts';

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

const XSD_DATE_TIME = 'http://www.w3.org/2001/XMLSchema#dateTime';

/** Returns the quads about a document: facts under the document's label, mentions under their own. */
export function toRdf({ document, mentions }: AnnotatedDocument, label: string): LabelledQuad[] {
  const subject = namedNode(document.uri);
  const say = (predicate: string, object: Term, under = label): LabelledQuad => ({
    quad: quad(subject, namedNode(predicate), object),
    label: under,
  });
  const text = (predicate: string, value: unknown): LabelledQuad[] =>
    textsOf(value).map((item) => say(predicate, stringLiteral(item)));
  const { type, title, submitted, source, format, language, creator, extent } = DOCUMENT_PREDICATE;
  return [
    ...DOCUMENT_TYPES.map((name) => say(type, namedNode(name))),
    ...text(title, document.title?.trim() || document.filename),
    say(submitted, typedLiteral(document.receivedAt, XSD_DATE_TIME)),
    ...text(source, document.filename),
    ...text(format, document.contentType),
    ...text(extent, `${document.sizeBytes} bytes`),
    ...text(language, document.metadata['language']),
    ...text(creator, document.metadata['creator']),
    ...mentionedThings(mentions).map(([uri, under]) => say(DOCUMENT_PREDICATE.mentions, namedNode(uri), under)),
  ];
}

function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item) : '')))]
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\u0000-\u0020]+$/;

/** Each thing once for every label under which it is mentioned. What is no IRI has no place in the graph. */
function mentionedThings(mentions: AnnotatedDocument['mentions']): [uri: string, label: string][] {
  const things = new Map<string, [string, string]>();
  for (const { uri, label } of mentions) {
    if (uri !== undefined && IRI.test(uri)) things.set(JSON.stringify([uri, label]), [uri, label]);
  }
  return [...things.values()];
}
