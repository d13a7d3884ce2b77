import type { LabelledQuad } from '@cairn/rdf-graph';
import { iri, type Term } from '../entity-documents/terms.ts';
import type { AnnotatedDocument } from '../pipeline/contract.ts';
import { DOCUMENT_TYPES } from '../pipeline/to-search-document.ts';
import { labelledTriple, literal } from './terms.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';

/** What the graph is told about a document: facts under the document's label, mentions under their own. */
export function toRdf({ document, mentions }: AnnotatedDocument, label: string): LabelledQuad[] {
  const subject = iri(document.uri);
  const say = (predicate: string, object: Term, under = label): LabelledQuad =>
    labelledTriple(subject, iri(predicate), object, under);
  const text = (predicate: string, value: unknown): LabelledQuad[] =>
    textsOf(value).map((item) => say(predicate, literal(item)));
  const { type, title, submitted, source, format, language, creator, extent } = DOCUMENT_PREDICATE;
  return [
    ...DOCUMENT_TYPES.map((name) => say(type, iri(name))),
    ...text(title, document.title?.trim() || document.filename),
    say(submitted, literal(document.receivedAt, 'dateTime')),
    ...text(source, document.filename),
    ...text(format, document.contentType),
    ...text(extent, `${document.sizeBytes} bytes`),
    ...text(language, document.metadata['language']),
    ...text(creator, document.metadata['creator']),
    ...mentionedThings(mentions).map(([uri, under]) => say(DOCUMENT_PREDICATE.mentions, iri(uri), under)),
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
