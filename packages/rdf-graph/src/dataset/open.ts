import { checkBound, checkFunction, checkObject, checkPort, checkText } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import { SnapshotBlobs } from '../persistence/snapshot-blobs.ts';
import { checkOptional, checkTexts } from '../rdf/arguments.ts';
import type { Now } from '../sparql/query/guard.ts';
import type { LoadGraph } from '../sparql/update/manage-graphs.ts';
import { type Allocate, allocatePrivate } from '../store/memory.ts';
import { QuadStore } from '../store/quad-store.ts';
import type { Schedule } from '../store/scheduler.ts';
import type { LabelledPrefix } from './prefix-table.ts';
import { StoreDataset } from './store-dataset.ts';

/** Options of {@link openGraphDataset}. */
export interface GraphDatasetOptions {
  /** The dataset's name: it names its blobs too, so 1 to 100 characters of `A-Z a-z 0-9 . _ -`. */
  readonly name: string;
  /** Where `flush` stores snapshots. Default: nowhere, the dataset lives in memory. */
  readonly blobs?: BlobStore | undefined;
  /** Whether `flush` has stored something before: when it is not there, it was lost. Default false: then an empty one opens. */
  readonly mustExist?: boolean | undefined;
  /** Prefixes for short forms, without colon, for everybody. Default: none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** A clock for time limits: milliseconds that increase, such as `performance.now`. Default: no time limit is enforced. */
  readonly now?: Now | undefined;
  /** Gives memory. Default private; {@link allocateShared} makes what workers can read. */
  readonly allocate?: Allocate | undefined;
  /** Runs background work soon. Default: on the host's event loop. */
  readonly schedule?: Schedule | undefined;
  /** How much work writing and merging do in one go, in units of about ten nanoseconds. Default 250,000. */
  readonly sliceWork?: number | undefined;
  /** Reads documents for LOAD: the allow-list. Default: LOAD is refused. */
  readonly load?: LoadGraph | undefined;
}

/**
 * Opens a dataset over our own store: in memory, or as the last `flush` left it in a blob store.
 * @throws `ERR_GRAPH_SNAPSHOT` (corrupt) when stored bytes are damaged or of a newer version; `ERR_ARGUMENT` (invalid) for
 * options that are none.
 */
export async function openGraphDataset(options: GraphDatasetOptions): Promise<StoreDataset> {
  checkOptions(options);
  const { name, allocate = allocatePrivate, schedule, sliceWork, now, load } = options;
  const snapshots = options.blobs === undefined ? undefined : new SnapshotBlobs(options.blobs, name);
  const loaded = await snapshots?.load(allocate, options.mustExist);
  return new StoreDataset({
    name,
    store: new QuadStore({ allocate, schedule, sliceWork, state: loaded?.state }),
    prefixes: [...forEverybody(options.prefixes), ...(loaded?.prefixes ?? [])],
    positions: loaded?.positions ?? {},
    now,
    load,
    persist: snapshots && ((store, extras) => snapshots.save(store, extras)),
  });
}

function forEverybody(prefixes: Readonly<Record<string, string>> = {}): LabelledPrefix[] {
  return Object.entries(prefixes).map(([prefix, iri]) => ({ prefix, iri, label: undefined }));
}

function checkOptions(options: GraphDatasetOptions): void {
  checkObject(options, 'the options of openGraphDataset');
  const { name, blobs, prefixes, sliceWork } = options;
  checkText(name, 'the name of a dataset');
  if (blobs !== undefined) checkPort(blobs, 'readManifest', 'blobs');
  checkOptional(prefixes, 'prefixes', checkTexts);
  for (const option of ['now', 'allocate', 'schedule', 'load'] as const) {
    checkOptional(options[option], option, checkFunction);
  }
  checkOptional(sliceWork, 'sliceWork', checkBound);
}
