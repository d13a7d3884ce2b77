import { isCodedError } from '@cairn/errors';
import { contentHash, HEADER, type StoredEvent, valueBlob } from '@cairn/events';
import { documentIdentity } from '../accept/identity.ts';
import type { Extraction, Extractor } from '../port/extractor.ts';
import type { RouteConfig } from '../routes/route.ts';
import { type DocumentText, EVENT_TYPE, filenameOf, INGEST_HEADER, isDeletion, labelOf, TOPIC } from './contract.ts';
import { deriveEvent } from './derive.ts';
import { rdfTypeOf } from './detect-type.ts';
import type { SlowLanes } from './slow-lanes.ts';
import { withSource } from './source-place.ts';
import type { Stage, StageInput, StageOutput } from './stage-target.ts';

export interface ExtractTextOptions {
  readonly extractor: Extractor;
  readonly routes: readonly RouteConfig[];
  /** The topic of the dataset that RDF files go to. Without one they are documents like any other. */
  readonly rdfTopic: string | undefined;
  /** Where documents wait that take longer than their turn. Without them each has all the time that the extractor gives. */
  readonly lanes?: SlowLanes;
}

const STAGE = 'extract-text';
const RDF_REASON = 'graph data';

/**
 * Native document to text and metadata; an RDF file to an event of the dataset and its metadata; a deletion passes.
 * @returns a stage that throws `ERR_EXTRACTION` (invalid) for a document that the extractor refuses.
 */
export function createExtractText({ extractor, routes, rdfTopic, lanes }: ExtractTextOptions): Stage {
  return async (input) => {
    const { event, value, signal } = input;
    if (isDeletion(event)) return [passOn(input)];
    const filename = filenameOf(event) ?? event.headers.get(HEADER.dataSourceReference) ?? '';
    const declaredType = event.headers.get(HEADER.contentType);
    // Taken from the bytes before they are handed over.
    const facts: Facts = { uri: documentIri(input, routes), filename, sizeBytes: value.length };
    const rdfType = rdfTypeOf(filename, declaredType);
    if (rdfType !== undefined && rdfTopic !== undefined) return readRdf(input, rdfType, rdfTopic, facts);
    const request = { bytes: value, filename, declaredType, isHandedOver: valueBlob(event) !== undefined };
    if (lanes === undefined) return [toTextEvent(event, await extractor.extract(request, { signal }), facts)];
    const turnMs = lanes.turnMs(event);
    const extraction = await extractInTurn(() => extractor.extract(request, { signal, timeLimitMs: turnMs }), turnMs);
    return [extraction === undefined ? lanes.setAside(event, facts.uri) : toTextEvent(event, extraction, facts)];
  };
}

/** `undefined` when the document has no turn, or takes longer than that. */
async function extractInTurn(
  extract: () => Promise<Extraction>,
  turnMs: number | undefined,
): Promise<Extraction | undefined> {
  if (turnMs === 0) return undefined;
  try {
    return await extract();
  } catch (error) {
    if (turnMs !== undefined && isCodedError(error) && error.kind === 'timeout') return undefined;
    throw error;
  }
}

type Facts = Pick<DocumentText, 'uri' | 'filename' | 'sizeBytes'>;

/** Its statements go to the graph as they are; the document is found by its metadata. */
function readRdf({ event, value }: StageInput, contentType: string, topic: string, facts: Facts): StageOutput[] {
  const headers = { [HEADER.contentType]: contentType, [HEADER.documentId]: facts.uri };
  const rdf = deriveEvent({ source: event, stage: STAGE, type: EVENT_TYPE.rdf, value, headers });
  const metadata = { contentType, title: facts.filename, text: '', metadata: {}, reason: RDF_REASON };
  return [{ topic, event: withSource(rdf, event) }, toTextEvent(event, metadata, facts, 1)];
}

function toTextEvent(
  event: StoredEvent,
  { contentType, title, text, metadata, reason }: Extraction,
  { uri, filename, sizeBytes }: Facts,
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

/** The event's own, or the one that an upload of the same content to the topic's route would get. */
function documentIri({ event, value }: StageInput, routes: readonly RouteConfig[]): string {
  const given = event.headers.get(HEADER.documentId);
  if (given !== undefined && given !== '') return given;
  const name = event.headers.get(INGEST_HEADER.route);
  const route = routes.find((candidate) => candidate.name === name) ?? routes[0];
  return documentIdentity(route?.namespace ?? 'urn:uuid:', contentHash(value), labelOf(event)).iri;
}
