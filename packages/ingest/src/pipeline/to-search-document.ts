import type { SearchDocument } from '@cairn/search';
import type { JsonObject, JsonValue } from '@cairn/security';
import type { Mention } from '../entities/find-mentions.ts';
import type { AnnotatedDocument, DocumentText } from './contract.ts';

export const DOCUMENT_TYPES: readonly string[] = [
  'http://xmlns.com/foaf/0.1/Document',
  'https://schema.org/DigitalDocument',
];

/** Who wrote the metadata of a document. */
export interface Generator {
  readonly name: string;
  readonly version: string;
}

/** The search document of an annotated document. Everything in it carries the document's label; mentions their own. */
export function toSearchDocument(
  { document, mentions }: AnnotatedDocument,
  label: string,
  generator: Generator,
): SearchDocument {
  const title = document.title?.trim() || document.filename || document.uri;
  return {
    uri: document.uri,
    types: DOCUMENT_TYPES,
    primaryName: title,
    Title: title,
    ...(document.text === '' ? {} : { content: document.text }),
    metadata: toMetadata(document, generator),
    ...(mentions.length === 0 ? {} : { entities: toEntities(mentions) }),
    securityLabels: { defaults: label },
  };
}

function toMetadata(document: DocumentText, generator: Generator): JsonObject {
  const stated = Object.entries(document.metadata).filter(([name, value]) => isStated(name, value));
  const own: [string, JsonValue][] = [
    ['generatedBy', generator.name],
    ['generatorVersion', generator.version],
    ['generatedAt', document.receivedAt],
    ['documentFormat', formatOf(document.contentType)],
    ['Content-Type', document.contentType],
    ['Content-Length', document.sizeBytes],
  ];
  if (document.filename !== '') own.push(['fileName', document.filename]);
  if (document.reason !== undefined) own.push(['reason', document.reason]);
  return Object.fromEntries([...(stated as [string, JsonValue][]), ...own]);
}

/** A document's own metadata must not say who may see it. */
function isStated(name: string, value: JsonValue | undefined): boolean {
  if (name.toLowerCase().endsWith('securitylabels') || value === null || value === undefined || value === '')
    return false;
  return !Array.isArray(value) || value.length > 0;
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'PDF'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'DOCX'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'XLSX'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'PPTX'],
  ['application/vnd.oasis.opendocument.text', 'ODT'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ODS'],
  ['application/vnd.oasis.opendocument.presentation', 'ODP'],
  ['application/epub+zip', 'EPUB'],
  ['application/rtf', 'RTF'],
  ['text/html', 'HTML'],
  ['message/rfc822', 'EML'],
  ['text/csv', 'CSV'],
  ['application/json', 'JSON'],
  ['application/xml', 'XML'],
  ['text/markdown', 'Markdown'],
  ['text/plain', 'Text'],
]);

function formatOf(contentType: string): string {
  return FORMATS.get(contentType) ?? contentType;
}

/** Mentions of one thing by one text under one label become one entity. */
function toEntities(mentions: readonly Mention[]): JsonObject[] {
  const groups = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const key = JSON.stringify([mention.text, mention.category, mention.uri ?? '', mention.label]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mention]);
    else group.push(mention);
  }
  return [...groups.values()].map(toEntity);
}

function toEntity(mentions: readonly Mention[]): JsonObject {
  const { text, category, uri, label } = mentions[0];
  return {
    text,
    category,
    ...(uri === undefined ? {} : { uri }),
    mentions: mentions.map(({ field, start, end }) => ({ field, start, end })),
    securityLabels: { defaults: label },
  };
}
