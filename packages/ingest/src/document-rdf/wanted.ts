import { type ChangeSet, type GraphDataset, type LabelledQuad, namedNode } from '@cairn/rdf-graph';
import { termKey } from '../entity-documents/labelled-graph.ts';
import { labelOf } from '../pipeline/contract.ts';
import type { FileStatements } from './stated.ts';
import { DOCUMENT_PREDICATE } from './vocabulary.ts';
import type { Wanted } from './want.ts';

/** Wanted statements after a batch of events, by document. */
export class WantedBatch {
  readonly wanted: Map<string, Wanted> = new Map();
  readonly rdfFiles: Set<string> = new Set();

  take(want: Wanted | undefined): void {
    if (want === undefined) return;
    const before = this.wanted.get(want.uri);
    const merged = merge(before, want);
    this.wanted.set(want.uri, { ...merged, removal: want.removal ?? before?.removal });
    if (want.isRdfFile) this.rdfFiles.add(want.uri);
  }
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
