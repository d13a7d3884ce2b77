import { CodedError, checkPort, checkText } from '@cairn/errors';
import type { BlobStore, TopicPositions } from '@cairn/events';
import { nextTurn } from '@cairn/events';
import { OwnedManifest } from '@cairn/events/experimental';
import { createLabelSetTable, createLabelTable, type LabelSetTable } from '@cairn/security';
import type { Allocate } from '../store/memory.ts';
import type { PermutationColumns, SetColumn } from '../store/permutation.ts';
import type { LabelledPrefix } from '../store/prefix-table.ts';
import type { QuadStore, StoreState } from '../store/quad-store.ts';
import { Run } from '../store/run.ts';
import { inTurns } from '../store/scheduler.ts';
import { TermDictionary } from '../store/term-dictionary.ts';
import type { DictionaryPart } from '../store/term-table.ts';
import {
  type ArrayFile,
  checksumOf,
  damaged,
  fromArrayFile,
  type NamedArrays,
  toArrayFile,
  toChunks,
  WordChecksum,
} from './array-file.ts';
import { checkedTerms, checkRun } from './integrity.ts';
import {
  type BlobReference,
  fromManifestBytes,
  labelledPrefixes,
  type Manifest,
  type TermsReference,
  toManifestBytes,
} from './manifest.ts';

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** Term blobs beyond this number are written anew as one. */
const MAX_TERM_BLOBS = 24;

export interface SnapshotExtras {
  readonly positions: TopicPositions;
  readonly prefixes: readonly LabelledPrefix[];
}

export interface LoadedSnapshot extends SnapshotExtras {
  readonly state: StoreState;
}

/**
 * Checks the name of a dataset, which may become part of the names of files.
 * @throws `ERR_ARGUMENT` (invalid) for what is no text, `ERR_DATASET_NAME` (invalid)
 */
export function checkDatasetName(name: string): void {
  checkText(name, 'the name of a dataset');
  if (NAME.test(name)) return;
  const got = JSON.stringify(name.slice(0, 200));
  const message = `the name of a dataset must be 1 to 100 characters of A-Z a-z 0-9 . _ - and start with no dot; got ${got}`;
  throw new CodedError({ code: 'ERR_DATASET_NAME', kind: 'invalid', message });
}

/**
 * The snapshots of one dataset in a blob store: terms and runs as blobs, and a manifest that is replaced as a whole.
 * Terms are append-only and runs never change, so a flush writes only what is new since the last one.
 */
export class SnapshotBlobs {
  readonly #blobs: BlobStore;
  readonly #manifestName: string;
  readonly #manifest: OwnedManifest;
  readonly #dataset: string;
  readonly #runs = new WeakMap<Run, BlobReference>();
  #terms: readonly TermsReference[] = [];

  constructor(blobs: BlobStore, dataset: string) {
    this.#blobs = blobs;
    this.#dataset = dataset;
    this.#manifestName = manifestOf(dataset);
    this.#manifest = new OwnedManifest(blobs, this.#manifestName, 'this dataset');
  }

  /** Reads the last snapshot; `undefined` when there is none, nor must be. @throws `ERR_GRAPH_SNAPSHOT` (corrupt) */
  async load(allocate: Allocate, mustExist = false): Promise<LoadedSnapshot | undefined> {
    const bytes = await this.#manifest.read();
    if (bytes === undefined && mustExist) throw damaged(this.#manifestName, 'its manifest is missing');
    if (bytes === undefined) return undefined;
    const manifest = fromManifestBytes(bytes, this.#manifestName);
    const { dataset = this.#dataset } = manifest;
    if (dataset !== this.#dataset) throw damaged(this.#manifestName, `its manifest is that of ${dataset}`);
    const dictionary = await this.#loadTerms(manifest, allocate);
    const sets = toLabelSets(manifest, this.#manifestName);
    const runs: Run[] = [];
    for (const reference of manifest.runs) {
      const run = fromNamedArrays(await this.#read(reference, allocate), reference.name);
      await inTurns(checkRun(run, dictionary.size, sets.size, reference.name));
      this.#runs.set(run, reference);
      runs.push(run);
    }
    this.#terms = manifest.terms;
    return { state: { dictionary, sets, runs }, positions: manifest.positions, prefixes: labelledPrefixes(manifest) };
  }

  async #loadTerms(manifest: Manifest, allocate: Allocate): Promise<TermDictionary> {
    const parts: DictionaryPart[] = [];
    let size = 0;
    for (const reference of manifest.terms) {
      const { from, to, name } = reference;
      if (from !== size || to < from) throw damaged(name, `its terms should start at ${size}`);
      parts.push(await inTurns(checkedTerms(await this.#read(reference, allocate), from, to, name)));
      size = to;
    }
    return inTurns(TermDictionary.fromParts(allocate, parts));
  }

  async #read(reference: BlobReference, allocate: Allocate): Promise<NamedArrays> {
    const bytes = await this.#blobs.get(reference.name);
    if (bytes === undefined) throw damaged(reference.name, 'it is missing');
    if (bytes.length !== reference.sizeBytes) {
      throw damaged(reference.name, `it has ${bytes.length} bytes, not ${reference.sizeBytes}`);
    }
    const checksum = await inTurns(checksumOf(bytes, reference.checksum));
    if (checksum !== reference.checksum) throw damaged(reference.name, 'its checksum is wrong');
    return inTurns(fromArrayFile(bytes, allocate, reference.name));
  }

  /**
   * Stores the state of a store as it is when called; later changes do not matter.
   * @throws `ERR_MANIFEST_FOREIGN` (conflict) when another dataset of that name stored itself; nothing is removed
   */
  async save(store: QuadStore, { positions, prefixes }: SnapshotExtras): Promise<void> {
    const { runs: stored, dictionary } = store;
    const { size } = dictionary;
    const dataset = this.#dataset;
    const labels = store.sets.labels.toArray();
    const labelSets = store.sets.toArray();
    const terms = await this.#saveTerms(dictionary, size);
    const runs: BlobReference[] = [];
    for (const run of stored) runs.push(await this.#saveRun(run));
    const manifest = toManifestBytes({ dataset, positions, prefixes, labels, labelSets, terms, runs });
    await this.#manifest.replace(manifest);
    this.#terms = terms;
    await this.#collectGarbage(new Set([...terms, ...runs].map(({ name }) => name)));
  }

  async #saveTerms(dictionary: TermDictionary, size: number): Promise<readonly TermsReference[]> {
    const kept = this.#terms.length < MAX_TERM_BLOBS ? this.#terms : [];
    const from = kept.at(-1)?.to ?? 0;
    if (from === size) return kept;
    const reference = await this.#write('terms', toArrayFile(dictionary.part(from, size)));
    return [...kept, { ...reference, from, to: size }];
  }

  async #saveRun(run: Run): Promise<BlobReference> {
    const known = this.#runs.get(run);
    if (known !== undefined) return known;
    const reference = await this.#write('run', toArrayFile(toNamedArrays(run)));
    this.#runs.set(run, reference);
    return reference;
  }

  async #write(kind: string, file: ArrayFile): Promise<BlobReference> {
    const checksum = new WordChecksum();
    for await (const chunk of toChunks(file)) {
      checksum.update(chunk);
      await nextTurn();
    }
    const digest = checksum.digest();
    const name = `${this.#manifestName}/${kind}-${file.sizeBytes}-${digest}`;
    await this.#blobs.put(name, toChunks(file));
    return { name, sizeBytes: file.sizeBytes, checksum: digest };
  }

  async #collectGarbage(used: ReadonlySet<string>): Promise<void> {
    const unused: string[] = [];
    for await (const { name } of this.#blobs.list(`${this.#manifestName}/`)) if (!used.has(name)) unused.push(name);
    for (const name of unused) await this.#blobs.delete(name);
  }
}

/**
 * The names of the blobs that the stored snapshot of a dataset consists of by now; `undefined` when nothing is stored.
 * Reads its manifest alone.
 * @throws `ERR_GRAPH_SNAPSHOT` (corrupt), `ERR_GRAPH_SNAPSHOT_VERSION` (unsupported) for the manifest
 */
export async function listSnapshotBlobs(blobs: BlobStore, dataset: string): Promise<string[] | undefined> {
  checkPort(blobs, 'readManifest', 'the blob store');
  checkText(dataset, 'the name of the dataset');
  const name = manifestOf(dataset);
  const bytes = await blobs.readManifest(name);
  if (bytes === undefined) return undefined;
  const { terms, runs } = fromManifestBytes(bytes, name);
  return [...terms, ...runs].map((reference) => reference.name);
}

function manifestOf(dataset: string): string {
  return `graph/${dataset}`;
}

function toLabelSets({ labels, labelSets }: Manifest, name: string): LabelSetTable {
  try {
    return createLabelSetTable(createLabelTable(labels), labelSets);
  } catch (error) {
    throw damaged(name, 'its labels cannot be used', error);
  }
}

const PERMUTATION_NAMES = ['spo', 'pso', 'pos', 'osp'];

function toNamedArrays({ arrays }: Run): NamedArrays {
  const named: Record<string, Uint8Array | Uint16Array | Uint32Array> = {
    graphs: arrays.graphs,
    graphStarts: arrays.graphStarts,
    distinctSets: arrays.distinctSets,
  };
  arrays.permutations.forEach(({ a, b, c, sets }, i) => {
    const name = PERMUTATION_NAMES[i];
    named[`${name}.a`] = a;
    named[`${name}.b`] = b;
    named[`${name}.c`] = c;
    named[`${name}.sets`] = sets;
  });
  return named;
}

/** A run from its stored arrays. @throws `ERR_GRAPH_SNAPSHOT` (corrupt) when one is missing. */
function fromNamedArrays(named: NamedArrays, blob: string): Run {
  const uint32 = (name: string): Uint32Array => {
    const array = named[name];
    if (!(array instanceof Uint32Array)) throw damaged(blob, `array ${name} is missing`);
    return array;
  };
  const permutations: PermutationColumns[] = PERMUTATION_NAMES.map((name) => ({
    a: uint32(`${name}.a`),
    b: uint32(`${name}.b`),
    c: uint32(`${name}.c`),
    sets: setColumn(named[`${name}.sets`], blob),
  }));
  return new Run({
    size: permutations[0].a.length,
    graphs: uint32('graphs'),
    graphStarts: uint32('graphStarts'),
    distinctSets: uint32('distinctSets'),
    permutations,
  });
}

function setColumn(array: NamedArrays[string] | undefined, blob: string): SetColumn {
  if (array instanceof Uint16Array || array instanceof Uint32Array) return array;
  throw damaged(blob, 'a column of label sets is missing');
}
