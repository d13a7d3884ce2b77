import type { StoredEvent } from '@cairn/events';
import { type ChangeSet, type GraphDataset, type LabelledQuad, namedNode } from '@cairn/rdf-graph';
import { termKey } from '../entity-documents/labelled-graph.ts';
import { labelOf } from '../pipeline/contract.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';

/** What the graph shall say about a document after an event. */
export interface Wanted {
  readonly uri: string;
  readonly event: StoredEvent;
  readonly quads: readonly LabelledQuad[];
  /** Whether it is only said of a document that is there. */
  readonly onlyIfThere: boolean;
  /** Which of the quads that are there now go, unless they are wanted. */
  readonly replaces: (quad: LabelledQuad) => boolean;
}

/** What a batch wants of a document in the end. Found anew, it is there if it was before, and not if it was removed. */
export function mergeWanted(before: Wanted | undefined, want: Wanted): Wanted {
  if (before === undefined || !want.onlyIfThere) return want;
  return before.quads.length === 0 ? before : { ...want, onlyIfThere: before.onlyIfThere };
}

/** What has to change so that the graph says what is wanted. */
export async function changesFor(wanted: Wanted, dataset: GraphDataset): Promise<ChangeSet> {
  const { uri, quads, replaces, onlyIfThere } = wanted;
  const deletions: LabelledQuad[] = [];
  if (onlyIfThere && !(await isThere(wanted, dataset))) return { deletions, additions: [] };
  const missing = new Map(quads.map((quad) => [keyOf(quad), quad]));
  for await (const present of dataset.matchLabelled({ subject: namedNode(uri) })) {
    if (missing.delete(keyOf(present))) continue;
    if (replaces(present)) deletions.push(present);
  }
  return { deletions, additions: [...missing.values()] };
}

/** Whether the graph says of a document that it is one, under the label that it would be said under again. */
async function isThere({ uri, event }: Wanted, dataset: GraphDataset): Promise<boolean> {
  const pattern = { subject: namedNode(uri), predicate: namedNode(DOCUMENT_PREDICATE.type) };
  for await (const { label } of dataset.matchLabelled(pattern)) if (label === labelOf(event)) return true;
  return false;
}

function keyOf({ quad, label }: LabelledQuad): string {
  return `${quad.predicate.value} ${termKey(quad.object)} ${quad.graph.value} ${label}`;
}
