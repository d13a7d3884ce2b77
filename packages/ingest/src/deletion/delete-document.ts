import { CodedError } from '@cairn/errors';
import { createEvent, type EventLog, HEADER, type Position } from '@cairn/events';
import { type GraphDataset, namedNode } from '@cairn/rdf-graph';
import type { SearchDocument, SearchIndex } from '@cairn/search';
import type { Viewer } from '@cairn/security';
import { UUID } from '../accept/identity.ts';
import { documentLabel, entityLabels } from '../corrections/correction.ts';
import { type Deletion, EVENT_TYPE, TOPIC } from '../pipeline/contract.ts';
import { isRdfType } from '../pipeline/detect-type.ts';
import { isObject } from '../presentation/json.ts';
import type { RouteConfig } from '../routes/route.ts';
import { storedDocument } from '../search-projection/stored-document.ts';

export interface DeletionPorts {
  readonly log: EventLog;
  readonly index: SearchIndex;
  readonly documentIndex: string;
  readonly dataset: GraphDataset | undefined;
  /** The labels of what an RDF file says. */
  readonly labelsStatedIn: (uri: string) => Promise<Iterable<string>>;
  readonly routes: Iterable<RouteConfig>;
  readonly nextId: () => string;
}

/**
 * Records that a document is to go, with what was found in it, what the graph says of it, and its corrections, under
 * the labels that the viewer sees. Takes the IRI, or the UUID of an upload.
 *
 * The event takes the way of an upload, so that it is behind every upload of the document before it.
 *
 * @throws `ERR_NO_DOCUMENT` (not-found) when it does not exist or the viewer may not see it.
 */
export async function recordDeletion(
  viewer: Viewer,
  id: string,
  ports: DeletionPorts,
): Promise<{ readonly uri: string; readonly topic: string; readonly position: Position }> {
  for (const uri of candidateIris(id, ports.routes)) {
    const stored = await storedDocument(ports, uri);
    if (stored === undefined || !viewer.permits(documentLabel(stored))) continue;
    const carried = new Set([
      documentLabel(stored),
      ...entityLabels(stored),
      ...(await graphLabels(uri, ports.dataset)),
      ...(isRdfFile(stored) ? await ports.labelsStatedIn(uri) : []),
    ]);
    const labels = [...carried].filter((label) => viewer.permits(label));
    return appendDeletion(uri, documentLabel(stored), { labels }, ports);
  }
  throw missing();
}

/** Records that a document is to go whatever its labels. For operators. */
export async function recordRemoval(
  id: string,
  deletion: Deletion,
  ports: DeletionPorts,
): Promise<{ readonly uri: string; readonly topic: string; readonly position: Position }> {
  for (const uri of candidateIris(id, ports.routes)) {
    const stored = await storedDocument(ports, uri);
    if (stored !== undefined) return appendDeletion(uri, documentLabel(stored), deletion, ports);
  }
  const [uri] = candidateIris(id, ports.routes);
  if (uri === undefined) throw missing();
  return appendDeletion(uri, '!', deletion, ports);
}

/** An IRI is itself; a UUID is a document of any route. */
export function candidateIris(id: string, routes: Iterable<RouteConfig>): string[] {
  if (!UUID.test(id)) return [id];
  return [...new Set([...routes].map(({ namespace }) => `${namespace}${id.toLowerCase()}`))];
}

async function appendDeletion(
  uri: string,
  label: string,
  deletion: Deletion,
  { log, nextId, routes }: DeletionPorts,
): Promise<{ uri: string; topic: string; position: Position }> {
  const route = [...routes].find(({ namespace }) => uri.startsWith(namespace));
  const topic = route?.topic ?? TOPIC.text;
  const event = createEvent({
    id: nextId(),
    type: EVENT_TYPE.delete,
    key: uri,
    headers: [
      [HEADER.documentId, uri],
      [HEADER.securityLabel, label],
      [HEADER.contentType, 'application/json'],
    ],
    value: JSON.stringify(deletion),
  });
  const [position] = await log.append(topic, [event]);
  return { uri, topic, position };
}

async function graphLabels(uri: string, dataset: GraphDataset | undefined): Promise<Set<string>> {
  const labels = new Set<string>();
  if (dataset === undefined) return labels;
  for await (const { label } of dataset.matchLabelled({ subject: namedNode(uri) })) {
    if (label !== undefined) labels.add(label);
  }
  return labels;
}

function isRdfFile({ metadata }: SearchDocument): boolean {
  return isObject(metadata) && isRdfType(metadata['Content-Type']);
}

function missing(): CodedError {
  return new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no such document' });
}
