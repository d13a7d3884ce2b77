import { CodedError } from '@cairn/errors';
import { createEvent, HEADER } from '@cairn/events';
import { type GraphDataset, namedNode } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';
import { UUID } from '../accept/identity.ts';
import type { CorrectionPorts } from '../corrections/correct.ts';
import { documentLabel, entityLabels } from '../corrections/correction.ts';
import { type Deletion, EVENT_TYPE, TOPIC } from '../pipeline/contract.ts';
import { isRdfType } from '../pipeline/detect-type.ts';
import { isObject } from '../presentation/json.ts';
import type { RouteConfig } from '../routes/route.ts';
import { storedDocument } from '../search-projection/context.ts';

export interface DeletionPorts extends Omit<CorrectionPorts, 'signal'> {
  readonly dataset: GraphDataset | undefined;
  /** The labels of what an RDF file says. */
  readonly labelsStatedIn: (uri: string) => Promise<Iterable<string>>;
  readonly routes: Iterable<RouteConfig>;
}

/**
 * Records that a document is to go, with what was found in it, what the graph says of it, and its corrections, under
 * the labels that the viewer sees. Takes the IRI, or the UUID of an upload.
 *
 * The event takes the way of an upload, so that it is behind every upload of the document before it.
 * @throws `ERR_NO_DOCUMENT` (not-found) when it does not exist or the viewer may not see it.
 */
export async function recordDeletion(viewer: Viewer, id: string, ports: DeletionPorts): Promise<{ uri: string }> {
  for (const uri of candidateIris(id, ports.routes)) {
    const stored = await storedDocument(ports, uri);
    if (stored === undefined || !viewer.permits(documentLabel(stored))) continue;
    const { metadata } = stored;
    const isRdf = isObject(metadata) && isRdfType(metadata['Content-Type']);
    const carried = new Set([
      documentLabel(stored),
      ...entityLabels(stored),
      ...(await graphLabels(uri, ports.dataset)),
      ...(isRdf ? await ports.labelsStatedIn(uri) : []),
    ]);
    const labels = [...carried].filter((label) => viewer.permits(label));
    await appendDeletion(uri, documentLabel(stored), { labels }, ports);
    return { uri };
  }
  throw new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no such document' });
}

/** Records that a document is to go whatever its labels, and to be forgotten. For operators. */
export async function recordRemoval(uri: string, ports: DeletionPorts): Promise<void> {
  const stored = await storedDocument(ports, uri);
  await appendDeletion(uri, stored === undefined ? '!' : documentLabel(stored), { forget: true }, ports);
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
): Promise<void> {
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
  await log.append(topic, [event]);
}

async function graphLabels(uri: string, dataset: GraphDataset | undefined): Promise<Set<string>> {
  const labels = new Set<string>();
  if (dataset === undefined) return labels;
  for await (const { label } of dataset.matchLabelled({ subject: namedNode(uri) })) {
    if (label !== undefined) labels.add(label);
  }
  return labels;
}
