import type { Position, StoredEvent } from '@cairn/events';
import { type ChangeSet, namedNode } from '@cairn/rdf-graph';
import type { DocumentChange } from '@cairn/search';
import type { ChangesOf } from '../document-rdf/stated.ts';
import type { LabelledGraph } from '../entity-documents/labelled-graph.ts';
import { toEntityDocument } from '../entity-documents/to-entity-document.ts';
import type { FindTouched } from '../entity-documents/touched.ts';
import type { FailedEvent } from '../projector/dead-letter.ts';
import { isOfContent } from '../projector/fault.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { isConfigured, type SearchProjection } from './context.ts';

export interface EntitiesTargetOptions {
  readonly projection: SearchProjection;
  readonly topic: string;
  /** The datasets that entities stem from, as one graph. */
  readonly graph: LabelledGraph;
  readonly findTouched: FindTouched;
  readonly changesOf: ChangesOf;
  /** Resolves when the dataset has applied its topic up to a position. */
  readonly datasetReached: (position: Position) => Promise<void>;
  /** Told of the touched entities before their documents are written. */
  readonly onTouched: (uris: Iterable<string>) => Promise<void>;
}

const MAX_DOCUMENTS_AT_ONCE = 1000;

/** Carries a dataset's topic into the index of entities: what an event touched is made anew once the dataset has it. */
export function createEntitiesTarget(options: EntitiesTargetOptions): ProjectionTarget {
  const { projection, topic, graph } = options;
  return {
    start: async () => projection.index.positions()[topic],
    flush: () => projection.index.flush(),
    apply: async (events, upTo) => {
      await options.datasetReached(upTo);
      const changes: ChangeSet[] = [];
      for (const event of events) {
        const change = await options.changesOf(event);
        if (change !== undefined) changes.push(change);
      }
      const touched = await options.findTouched(changes);
      await options.onTouched(touched);
      const { refused } = await projectEntities(touched, graph, projection);
      await projection.index.apply([], { [topic]: upTo });
      return refused.size === 0 ? [] : eventsThatTouch(refused, events, options);
    },
  };
}

/** The events that an index's refusal of some entities is told of. The other entities of theirs are in the index. */
async function eventsThatTouch(
  refused: ReadonlyMap<string, unknown>,
  events: readonly StoredEvent[],
  { changesOf, findTouched }: EntitiesTargetOptions,
): Promise<FailedEvent[]> {
  const failed: FailedEvent[] = [];
  for (const event of events) {
    const change = await changesOf(event);
    const uris = change === undefined ? [] : await findTouched([change]);
    const uri = [...uris].find((candidate) => refused.has(candidate));
    if (uri !== undefined) failed.push({ event, error: refused.get(uri) });
  }
  return failed;
}

/** Makes documents of entities anew from the graph; an empty one is removed, a refused one keeps no other out. */
export async function projectEntities(
  uris: Iterable<string> | AsyncIterable<string>,
  graph: LabelledGraph,
  projection: SearchProjection,
): Promise<{ readonly count: number; readonly refused: ReadonlyMap<string, unknown> }> {
  let changes: DocumentChange[] = [];
  let count = 0;
  const refused = new Map<string, unknown>();
  if (!isConfigured(projection, projection.entityIndex)) return { count, refused };
  for await (const uri of uris) {
    await projection.pause();
    changes.push(await toChange(uri, graph, projection.entityIndex));
    count++;
    if (changes.length < MAX_DOCUMENTS_AT_ONCE) continue;
    await applyEach(changes, projection, refused);
    changes = [];
  }
  await applyEach(changes, projection, refused);
  return { count, refused };
}

async function applyEach(
  changes: readonly DocumentChange[],
  projection: SearchProjection,
  refused: Map<string, unknown>,
): Promise<void> {
  if (changes.length === 0) return;
  try {
    await projection.index.apply(changes);
  } catch (error) {
    if (!isOfContent(error)) throw error;
    if (changes.length > 1) for (const change of changes) await applyEach([change], projection, refused);
    else refused.set(changes[0].type === 'put' ? changes[0].document.uri : changes[0].id, error);
  }
}

async function toChange(uri: string, graph: LabelledGraph, index: string): Promise<DocumentChange> {
  const document = await toEntityDocument(await graph.describe(namedNode(uri)), graph);
  return document === undefined ? { type: 'delete', index, id: uri } : { type: 'put', index, document };
}
