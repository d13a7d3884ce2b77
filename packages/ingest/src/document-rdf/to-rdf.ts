import { type LabelledQuad, namedNode, quad, stringLiteral, typedLiteral } from '@cairn/rdf-graph';
import type { Term } from '../entity-documents/terms.ts';
import type { AnnotatedDocument } from '../pipeline/contract.ts';
import { DOCUMENT_TYPES } from '../pipeline/to-search-document.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';

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
