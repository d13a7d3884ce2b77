import { type GraphDataset, openSharedSnapshot, type SharedSnapshot, StoreDataset } from '@cairn/rdf-graph';

/**
 * The dataset that was shared, for reading: what one viewer saw at one moment. Whoever asks counts as that viewer.
 */
export function openSharedDataset(
  shared: SharedSnapshot,
  prefixes: Readonly<Record<string, string>> = {},
): GraphDataset {
  const snapshot = openSharedSnapshot(shared);
  // Reading asks the store for nothing but the snapshot of the viewer.
  const store = { snapshot: () => snapshot } as unknown as StoreDataset['store'];
  return new StoreDataset({
    name: 'shared',
    store,
    prefixes: Object.entries(prefixes).map(([prefix, iri]) => ({ prefix, iri, label: undefined })),
    positions: {},
    now: () => performance.now(),
    load: undefined,
    persist: undefined,
  });
}
