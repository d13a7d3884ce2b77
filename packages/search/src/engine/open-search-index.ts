import { badArgument, checkObject, checkPort, checkText } from '@cairn/errors';
import { type BlobStore, runInSlices, type Turns } from '@cairn/events';
import { loadLanguageDetection } from '../analysis/language-detection.ts';
import type { IndexConfiguration } from '../mapping/configuration.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { indexFingerprint, mayAnswerFor } from '../persistence/fingerprint.ts';
import { type LoadedIndices, SegmentStore } from '../persistence/segment-store.ts';
import { describeValue, invalidConfiguration } from '../port/arguments.ts';
import { SearchEngine } from './engine.ts';
import { IndexStore } from './index-store.ts';
import type { RebuildReport } from './rebuild.ts';

/**
 * Options of {@link openSearchIndex}. The clock, such as `() => performance.now()`, is for time limits and turns; without
 * one, steps of work are counted instead.
 */
export interface SearchIndexOptions extends Turns {
  /** The named indices; their order decides among documents of one id. At least one. */
  readonly indices: readonly IndexConfiguration[];
  /** Where segments are stored. Without it everything is in memory only. */
  readonly blobs?: BlobStore;
  /**
   * True when something was stored before: when it is not there, it was lost. Default false: then an empty one opens.
   */
  readonly mustExist?: boolean;
  /**
   * Name of the manifest among the blobs, and of its blobs. Default `search`. Each search index of a blob store needs a
   * name of its own, and one process that has it open for writing: two under one name are refused with
   * `ERR_MANIFEST_FOREIGN`, the one that opens for other indices or that flushes second.
   */
  readonly name?: string;
  /** Is told how far building outdated segments anew has come: now and then, and when the last is built. */
  readonly onRebuild?: RebuildReport;
  /** Is told when a merge or a rebuild in the background has failed. {@link SearchEngine.settle} rejects as well. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Opens a search index: what was flushed before under the same name, or an empty one. Segments that were built by other
 * analysis or mapping are built anew from their documents: in the background while the old ones answer, or before the
 * index opens when they cannot answer, because their layout is another or `defaultLabel` has changed. An index that
 * was not configured when the others were stored opens empty, and is told by {@link SearchEngine.incomplete}.
 * @throws `ERR_CONFIGURATION` (invalid) for a bad configuration; `ERR_SEGMENT_CORRUPT` (corrupt), naming the blob;
 * `ERR_MANIFEST_FOREIGN` (conflict) when what is stored under the name is none of these indices; `ERR_ARGUMENT` (invalid)
 * for options that are none.
 */
export async function openSearchIndex(options: SearchIndexOptions): Promise<SearchEngine> {
  checkOptions(options);
  const { indices, blobs, name = 'search', nowMs, nextTurn } = options;
  const turns = { nowMs, nextTurn };
  const { onRebuild: report = () => undefined, onFailure = () => undefined } = options;
  const stores = createStores(indices);
  if ([...stores.values()].some(({ mapping }) => mapping.languages.length > 1)) await loadLanguageDetection();
  if (blobs === undefined) return new SearchEngine(stores, { turns, onFailure });
  const segments = new SegmentStore(blobs, name, turns);
  const loaded = await segments.load(new Set(stores.keys()), options.mustExist);
  const outdated: IndexStore[] = [];
  for (const saved of loaded?.indices ?? []) {
    const store = stores.get(saved.name);
    // An index that is no longer configured is left out, and gone with the next flush.
    if (store === undefined) continue;
    const { states, fingerprint } = saved;
    const wanted = indexFingerprint(store.mapping);
    if (fingerprint === wanted) {
      store.states = states;
      continue;
    }
    store.adoptOutdated(states, fingerprint);
    const mayAnswer = mayAnswerFor(fingerprint, wanted, states);
    if (await runInSlices(mayAnswer, turns)) outdated.push(store);
    else store.installRebuilt(await runInSlices(store.rebuild(report), turns));
  }
  const environment = { turns, segments, outdated: { stores: outdated, report }, onFailure };
  return new SearchEngine(stores, environment, loaded?.positions, incompleteOf(stores, loaded));
}

/** Indices that lack events: those that lacked some before, and those that joined the ones that have consumed some. */
function incompleteOf(stores: ReadonlyMap<string, IndexStore>, loaded: LoadedIndices | undefined): string[] {
  if (loaded === undefined || Object.keys(loaded.positions).length === 0) return [];
  const complete = new Set(loaded.indices.map(({ name }) => name));
  for (const name of loaded.incomplete) complete.delete(name);
  return [...stores.keys()].filter((name) => !complete.has(name));
}

const FUNCTIONS = ['nowMs', 'nextTurn', 'onRebuild', 'onFailure'] as const;

function checkOptions(options: SearchIndexOptions): void {
  checkObject(options, 'the options of openSearchIndex');
  const { blobs, name } = options;
  if (blobs !== undefined) checkPort(blobs, 'readManifest', 'blobs');
  if (name !== undefined) checkText(name, 'name');
  for (const option of FUNCTIONS) {
    const given: unknown = options[option];
    if (given !== undefined && typeof given !== 'function') throw badArgument(option, 'a function', given);
  }
}

function createStores(indices: readonly IndexConfiguration[]): Map<string, IndexStore> {
  if (!Array.isArray(indices))
    throw invalidConfiguration(`indices must be a list of indices; got ${describeValue(indices)}`);
  const stores = new Map<string, IndexStore>();
  // A list with holes in it is copied, so that those are refused as what they are.
  for (const mapping of [...indices].map(compileIndexMapping)) {
    if (stores.has(mapping.name)) throw invalidConfiguration(`index names must differ; got ${mapping.name} twice`);
    stores.set(mapping.name, new IndexStore(mapping));
  }
  if (stores.size === 0) throw invalidConfiguration('a search index needs at least one named index; got none');
  return stores;
}
