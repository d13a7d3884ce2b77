import { checkBound, checkFunction, checkObject, checkPort } from '@cairn/errors';
import type { BlobStore, NowMs } from '@cairn/events';
import { checkDatasetName, SnapshotBlobs } from '../graph/persistence/snapshot-blobs.ts';
import { allocatePrivate, checkedAllocate } from '../graph/store/memory.ts';
import { QuadStore, type QuadStoreOptions } from '../graph/store/quad-store.ts';
import { checkOptional, checkTexts } from '../rdf/arguments.ts';
import type { LoadGraph } from '../sparql/update/update-run.ts';
import { mendLanguageStrings } from './language-strings.ts';
import { forEverybody } from './snapshot-dataset.ts';
import { StoreDataset } from './store-dataset.ts';

/** Options of {@link openGraphDataset}. */
export interface GraphDatasetOptions extends Pick<QuadStoreOptions, 'allocate' | 'mergeTurn' | 'sliceWork'> {
  /** The dataset's name: it names its blobs too, so 1 to 100 characters of `A-Z a-z 0-9 . _ -`, and no dot first. */
  readonly name: string;
  /** Where `flush` stores snapshots. Default: nowhere, the dataset lives in memory. */
  readonly blobs?: BlobStore | undefined;
  /**
   * True when `flush` has stored something before: when it is not there, it was lost. Default false: then an empty one
   * opens.
   */
  readonly mustExist?: boolean | undefined;
  /** Prefixes for short forms, without colon, for everybody. Default: none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** A clock for time limits and turns, such as `() => performance.now()`. Default: steps are counted, {@link createStepClock}. */
  readonly nowMs?: NowMs | undefined;
  /** Reads documents for LOAD: the allow-list. Default: LOAD is refused. */
  readonly load?: LoadGraph | undefined;
}

/**
 * Opens a dataset over our own store: in memory, or as the last `flush` left it in a blob store.
 * @throws `ERR_GRAPH_SNAPSHOT` (corrupt) when stored bytes are damaged or of a newer version; `ERR_DATASET_NAME` (invalid) for
 * a name that is none; `ERR_ARGUMENT` (invalid) for options that are none, also later when `allocate` gives too little.
 */
export async function openGraphDataset(options: GraphDatasetOptions): Promise<StoreDataset> {
  checkOptions(options);
  const { name, mergeTurn, sliceWork, nowMs, load } = options;
  const allocate = options.allocate === undefined ? allocatePrivate : checkedAllocate(options.allocate);
  const snapshots = options.blobs === undefined ? undefined : new SnapshotBlobs(options.blobs, name);
  const loaded = await snapshots?.load(allocate, options.mustExist);
  const dataset = new StoreDataset({
    name,
    store: new QuadStore({ allocate, mergeTurn, sliceWork, state: loaded?.state }),
    prefixes: [...forEverybody(options.prefixes), ...(loaded?.prefixes ?? [])],
    positions: loaded?.positions ?? {},
    nowMs,
    load,
    persist: snapshots && ((store, extras) => snapshots.save(store, extras)),
  });
  if (loaded !== undefined) await mendLanguageStrings(dataset);
  return dataset;
}

function checkOptions(options: GraphDatasetOptions): void {
  checkObject(options, 'the options of openGraphDataset');
  const { name, blobs, prefixes, sliceWork } = options;
  checkDatasetName(name);
  if (blobs !== undefined) checkPort(blobs, 'readManifest', 'blobs');
  checkOptional(prefixes, 'prefixes', checkTexts);
  for (const option of ['nowMs', 'allocate', 'mergeTurn', 'load'] as const) {
    checkOptional(options[option], option, checkFunction);
  }
  checkOptional(sliceWork, 'sliceWork', checkBound);
}
