import type { StoredEvent } from '@cairn/events';
import { type ChangeSet, type GraphDataset, type LabelledQuad, namedNode } from '@cairn/rdf-graph';
import { termKey } from '../entity-documents/labelled-graph.ts';
import { labelOf } from '../pipeline/contract.ts';
import type { Removal } from './removal-note.ts';
import type { FileStatements } from './stated.ts';
import { DOCUMENT_PREDICATE } from './to-rdf.ts';

/** Wanted statements about a document after an event. */
export interface Wanted {
  readonly uri: string;
  readonly event: StoredEvent;
  readonly quads: readonly LabelledQuad[];
  readonly onlyIfThere: boolean;
  /** True when the document is known to be an RDF file; else the graph knows. */
  readonly isRdfFile: boolean;
  /** Returns true for present quads that go unless they are wanted. */
  readonly replaces: (quad: LabelledQuad) => boolean;
  /** That the document was removed, before it came again if it did. */
  readonly removal?: Removal | undefined;
}

/** Adds what an event asks for to what those before it in a batch do, by document. */
export function addWanted(want: Wanted, batch: Map<string, Wanted>): void {
  const before = batch.get(want.uri);
  const isRdfFile = want.isRdfFile || before?.isRdfFile === true;
  batch.set(want.uri, { ...merge(before, want), isRdfFile, removal: want.removal ?? before?.removal });
}

/** Found anew, a document is there if it was before, and not if it was removed. */
function merge(before: Wanted | undefined, want: Wanted): Wanted {
  if (before === undefined || !want.onlyIfThere) return want;
  return before.quads.length === 0 ? before : { ...want, onlyIfThere: before.onlyIfThere };
}

/** Returns the changes that add what is wanted and take back the statements of removed files. */
export async function changesFor(
  wanted: Wanted,
  dataset: GraphDataset,
  file: FileStatements | undefined,
): Promise<ChangeSet> {
  const { uri, quads, replaces, onlyIfThere, removal } = wanted;
  const deletions = removal === undefined ? [] : ((await file?.deletions(removal.labels, dataset)) ?? []);
  if (onlyIfThere && !(await isThere(wanted, dataset))) return { deletions, additions: [] };
  const missing = new Map(quads.map((quad) => [keyOf(quad), quad]));
  for await (const present of dataset.matchLabelled({ subject: namedNode(uri) })) {
    if (missing.delete(keyOf(present))) continue;
    if (replaces(present)) deletions.push(present);
  }
  return { deletions, additions: [...missing.values()] };
}

/** Returns true if the graph says of a document that it is one, under the label that it would be said under again. */
async function isThere({ uri, event }: Wanted, dataset: GraphDataset): Promise<boolean> {
  const pattern = { subject: namedNode(uri), predicate: namedNode(DOCUMENT_PREDICATE.type) };
  for await (const { label } of dataset.matchLabelled(pattern)) if (label === labelOf(event)) return true;
  return false;
}

function keyOf({ quad, label }: LabelledQuad): string {
  return `${quad.predicate.value} ${termKey(quad.object)} ${quad.graph.value} ${label}`;
}
