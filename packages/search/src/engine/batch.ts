import { type LabelledDocument, readLabelledDocument } from '../document/labelled-document.ts';
import type { DocumentChange } from '../port/search-index.ts';
import type { IndexStore } from './index-store.ts';
import { unknownIndex } from './operation.ts';

/** What one batch does to one index. */
export interface IndexChanges {
  /** Documents to add, by id: the last one put. */
  readonly puts: Map<string, LabelledDocument>;
  /** Ids whose present document goes. */
  readonly removals: Set<string>;
}

/**
 * Sorts a batch out by index. Yields where it may pause.
 * @throws `ERR_UNKNOWN_INDEX` or `ERR_DOCUMENT` (invalid), saying which change.
 */
export function* readBatch(
  changes: readonly DocumentChange[],
  stores: ReadonlyMap<string, IndexStore>,
): Generator<void, Map<IndexStore, IndexChanges>> {
  const batch = new Map<IndexStore, IndexChanges>();
  for (const change of changes) {
    const store = stores.get(change.index);
    if (store === undefined) throw unknownIndex(change.index, stores);
    let own = batch.get(store);
    if (own === undefined) {
      own = { puts: new Map(), removals: new Set() };
      batch.set(store, own);
    }
    if (change.type === 'put') {
      const document = readLabelledDocument(change.document, store.mapping);
      own.puts.set(document.id, document);
      own.removals.add(document.id);
    } else {
      own.puts.delete(change.id);
      own.removals.add(change.id);
    }
    yield;
  }
  return batch;
}
