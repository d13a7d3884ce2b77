import { contentHash, HEADER, type StoredEvent, valueBlob } from '@cairn/events';
import { documentIdentity } from '../accept/identity.ts';
import type { Extraction, Extractor } from '../port/extractor.ts';
import type { RouteConfig } from '../routes/route.ts';
import { type DocumentText, EVENT_TYPE, INGEST_HEADER, labelOf, TOPIC } from './contract.ts';
import { deriveEvent } from './derive.ts';
import { rdfTypeOf } from './detect-type.ts';
import { withSource } from './source-place.ts';
import type { Stage, StageInput, StageOutput } from './stages.ts';

export interface ExtractTextOptions {
  readonly extractor: Extractor;
  readonly routes: readonly RouteConfig[];
  /** The topic of the dataset that RDF files go to. Without one they are documents like any other. */
  readonly rdfTopic: string | undefined;
}

const STAGE = 'extract-text';
const RDF_REASON = 'graph data';

/**
 * Native document to text and metadata; an RDF file to an event of the dataset and its metadata; a deletion passes.
 *
 * @returns a stage that throws `ERR_EXTRACTION` (invalid) for a document that the extractor refuses.
 */
export function createExtractText(options: ExtractTextOptions): Stage {
  return async (input) => {
    const { event } = input;
    if (event.headers.get(HEADER.eventType) === EVENT_TYPE.delete) return [passOn(input)];
    const filename = filenameOf(event);
    const rdfType = rdfTypeOf(filename, event.headers.get(HEADER.contentType));
    if (rdfType !== undefined && options.rdfTopic !== undefined) {
      return readRdf(input, filename, rdfType, { ...options, rdfTopic: options.rdfTopic });
    }
    return [await extract(input, filename, options)];
  };
}

async function extract(input: StageInput, filename: string, options: ExtractTextOptions): Promise<StageOutput> {
  const { event, value, signal } = input;
  const declaredType = event.headers.get(HEADER.contentType);
  // What is known of the bytes, before they are handed over.
  const facts = factsOf(input, options.routes);
  const isHandedOver = valueBlob(event) !== undefined;
  const request = { bytes: value, filename, declaredType, isHandedOver };
  return toTextEvent(event, filename, await options.extractor.extract(request, { signal }), facts);
}

/** Its statements go to the graph as they are; the document is found by its metadata. */
function readRdf(
  input: StageInput,
  filename: string,
  contentType: string,
  options: ExtractTextOptions & { readonly rdfTopic: string },
): StageOutput[] {
  const { event, value } = input;
  const facts = factsOf(input, options.routes);
  const headers = { [HEADER.contentType]: contentType, [HEADER.documentId]: facts.uri };
  const rdf = deriveEvent({ source: event, stage: STAGE, type: EVENT_TYPE.rdf, value, headers });
  const metadata = { contentType, title: filename, text: '', metadata: {}, reason: RDF_REASON };
  return [{ topic: options.rdfTopic, event: withSource(rdf, event) }, toTextEvent(event, filename, metadata, facts, 1)];
}

interface ContentFacts {
  readonly uri: string;
  readonly sizeBytes: number;
}

function factsOf(input: StageInput, routes: readonly RouteConfig[]): ContentFacts {
  return { uri: documentIri(input, routes), sizeBytes: input.value.length };
}

function toTextEvent(
  event: StoredEvent,
  filename: string,
  { contentType, title, text, metadata, reason }: Extraction,
  { uri, sizeBytes }: ContentFacts,
  ordinal = 0,
): StageOutput {
  const document: DocumentText = {
    ...{ uri, filename, contentType, sizeBytes, title, text, metadata, reason },
    receivedAt: new Date(event.timestampMs).toISOString(),
  };
  const headers = { [HEADER.contentType]: 'application/json', [HEADER.documentId]: uri };
  const derivation = { source: event, stage: STAGE, type: EVENT_TYPE.text, ordinal };
  return { topic: TOPIC.text, event: deriveEvent({ ...derivation, value: JSON.stringify(document), headers }) };
}

function passOn({ event, value }: StageInput): StageOutput {
  const deletion = deriveEvent({ source: event, stage: STAGE, type: EVENT_TYPE.delete, value });
  return { topic: TOPIC.text, event: withSource(deletion, event) };
}

function filenameOf(event: StoredEvent): string {
  const encoded = event.headers.get(INGEST_HEADER.filename);
  if (encoded === undefined) return event.headers.get(HEADER.dataSourceReference) ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The event's own, or the one that an upload of the same content to the topic's route would get. */
function documentIri({ event, value }: StageInput, routes: readonly RouteConfig[]): string {
  const given = event.headers.get(HEADER.documentId);
  if (given !== undefined && given !== '') return given;
  const name = event.headers.get(INGEST_HEADER.route);
  const route = routes.find((candidate) => candidate.name === name) ?? routes[0];
  return documentIdentity(route?.namespace ?? 'urn:uuid:', contentHash(value), labelOf(event)).iri;
}
