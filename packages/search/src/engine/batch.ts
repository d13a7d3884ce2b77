import { type LabelledDocument, readLabelledDocument } from '../document/labelled-document.ts';
import { withLanguages } from '../document/value-languages.ts';
import { recall } from '../memory/recall.ts';
import { checkObject, checkText, refuseArgument } from '../port/arguments.ts';
import type { DocumentChange, SearchDocument } from '../port/search-index.ts';
import type { IndexStore } from './index-store.ts';
import { unknownIndex } from './operation.ts';

interface IndexChanges {
  /** Documents to add, by id: the last one put. */
  readonly puts: Map<string, LabelledDocument>;
  /** Ids whose present document goes. */
  readonly removals: Set<string>;
}

/**
 * Sorts a batch out by index, and copies of it what is kept. The list is copied before the first pause, and each change
 * of it is read once. Yields where it may pause.
 * @throws `ERR_UNKNOWN_INDEX`, `ERR_DOCUMENT` or `ERR_REQUEST` (invalid), saying what.
 */
export function* readBatch(
  changes: readonly DocumentChange[],
  stores: ReadonlyMap<string, IndexStore>,
): Generator<void, Map<IndexStore, IndexChanges>> {
  if (!Array.isArray(changes)) refuseArgument('changes', 'a list', changes);
  const batch = new Map<IndexStore, IndexChanges>();
  for (const one of [...(changes as readonly DocumentChange[])]) {
    const change = readChange(one);
    const store = stores.get(change.index);
    if (store === undefined) throw unknownIndex(change.index, stores);
    const own = recall(batch, store, () => ({ puts: new Map(), removals: new Set() }));
    if (change.type === 'put') {
      const given = readLabelledDocument(change.document, store.mapping);
      const document = yield* withLanguages(given, store.mapping);
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

function readChange(change: DocumentChange): DocumentChange {
  checkObject('each change', change);
  const { type, index, document, id }: Partial<Record<'type' | 'index' | 'document' | 'id', unknown>> = change;
  if (type !== 'put' && type !== 'delete') refuseArgument('the type of a change', 'put or delete', type);
  checkText('the index of a change', index);
  if (type === 'put') return { type, index: index as string, document: document as SearchDocument };
  checkText('the id of a deletion', id);
  return { type, index: index as string, id: id as string };
}
