import { CodedError } from '@cairn/errors';
import { type BlobStore, runInSlices, type TopicPositions, type Turns } from '@cairn/events';
import { OwnedManifest } from '@cairn/events/experimental';
import type { Segment } from '../segment/segment.ts';
import { createSegmentState, type SegmentState } from '../segment/segment-state.ts';
import { copyDeletions, decodeDeletions } from './deletions-file.ts';
import { decodeManifest, encodeManifest, type Manifest, namedBlobs, type SegmentEntry } from './manifest.ts';
import { checksumOf, corruptBlob, encodeSectionFile, FORMAT_VERSION, type SectionSource } from './section-file.ts';
import { decodeSegment, encodeSegment } from './segment-file.ts';

export interface SavedIndex {
  readonly name: string;
  readonly fingerprint: string;
  readonly states: readonly SegmentState[];
}

export interface LoadedIndices {
  readonly positions: TopicPositions;
  readonly indices: readonly SavedIndex[];
  /** Names of indices that lack what was consumed before they were configured. */
  readonly incomplete: readonly string[];
}

/** Bytes that are hashed as one. */
const BYTES_PER_DIGEST: number = 2 ** 22;

/** Keeps segments as blobs under a name, and which of them count in a manifest of that name. */
export class SegmentStore {
  readonly #blobs: BlobStore;
  readonly #name: string;
  readonly #manifest: OwnedManifest;
  /** Runs work to its end and lets others run meanwhile. */
  readonly #run: <T>(work: Generator<void, T>) => Promise<T>;
  /** Blobs of segments that were stored or loaded. */
  readonly #stored = new WeakMap<Segment, SegmentEntry>();
  readonly #storedDeletions = new WeakMap<Uint32Array, Pick<SegmentEntry, 'deletions' | 'deletionsChecksum'>>();

  constructor(blobs: BlobStore, name: string, turns: Turns) {
    this.#blobs = blobs;
    this.#name = name;
    this.#manifest = new OwnedManifest(blobs, name, 'this search index');
    this.#run = async (work) => runInSlices(work, turns);
  }

  /**
   * Loads what the manifest names; `undefined` when there is none, unless there must be.
   * @param wanted names of indices
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt), naming the blob, when one is damaged or missing; `ERR_MANIFEST_FOREIGN`
   * (conflict) when it names segments and none of the indices that are wanted.
   */
  async load(wanted: ReadonlySet<string>, mustExist = false): Promise<LoadedIndices | undefined> {
    const bytes = await this.#manifest.read();
    if (bytes === undefined && mustExist) throw corruptBlob(`manifest ${this.#name}`, 'it is missing');
    if (bytes === undefined) return undefined;
    const { positions, indices, incomplete = [] } = decodeManifest(bytes, this.#name);
    this.#checkOwn(indices, wanted);
    const loaded: SavedIndex[] = [];
    for (const [index, { fingerprint, segments }] of Object.entries(indices)) {
      const states: SegmentState[] = [];
      for (const entry of segments) states.push(await this.#loadSegment(index, entry));
      loaded.push({ name: index, fingerprint, states });
    }
    return { positions, incomplete, indices: loaded };
  }

  /**
   * Stores what is not stored yet, replaces the manifest, then removes blobs that nothing names any more.
   * @throws `ERR_MANIFEST_FOREIGN` (conflict) when another index stored itself under the name; nothing is removed
   */
  async save({ positions, indices, incomplete }: LoadedIndices): Promise<void> {
    const entries: [string, { fingerprint: string; segments: SegmentEntry[] }][] = [];
    for (const { name, fingerprint, states } of indices) {
      const segments: SegmentEntry[] = [];
      for (const state of states) segments.push(await this.#saveSegment(state));
      entries.push([name, { fingerprint, segments }]);
    }
    const whole: Manifest = { version: FORMAT_VERSION, positions, indices: Object.fromEntries(entries) };
    const manifest = incomplete.length === 0 ? whole : { ...whole, incomplete };
    await this.#manifest.replace(encodeManifest(manifest));
    await this.#removeUnnamed(manifest);
  }

  /** Refuses what is somebody else's: a manifest none of whose indices is wanted. One of several goes with the next save. */
  #checkOwn(indices: Manifest['indices'], wanted: ReadonlySet<string>): void {
    const stored = Object.keys(indices);
    const isEmpty = Object.values(indices).every(({ segments }) => segments.length === 0);
    if (isEmpty || stored.some((name) => wanted.has(name))) return;
    const message = `the manifest ${this.#name} is that of another search index: it holds ${stored.join(', ')}, and none of ${[...wanted].join(', ')}; give this one another name`;
    throw new CodedError({ code: 'ERR_MANIFEST_FOREIGN', kind: 'conflict', message });
  }

  async #loadSegment(index: string, entry: SegmentEntry): Promise<SegmentState> {
    const { segment: blob, documents, deletions, segmentChecksum, deletionsChecksum } = entry;
    const [source, stored] = await Promise.all([this.#read(blob, segmentChecksum), this.#read(documents)]);
    const segment = await this.#run(decodeSegment(source, stored));
    if (segment.index !== index) throw corruptBlob(blob, `it must be of the index ${index}; got ${segment.index}`);
    this.#stored.set(segment, { segment: blob, documents, segmentChecksum: checksumOf(source.bytes) });
    if (deletions === undefined) return this.#run(createSegmentState(segment));
    const dead = await this.#read(deletions, deletionsChecksum);
    const isNamed = deletionsChecksum !== undefined || deletions.endsWith(toHex(await sha256(dead.bytes)));
    if (!isNamed) throw corruptBlob(deletions, 'it is another one');
    const state = await this.#run(decodeDeletions(segment, dead));
    const known = { deletions, ...(deletionsChecksum === undefined ? {} : { deletionsChecksum }) };
    if (state.live !== undefined) this.#storedDeletions.set(state.live, known);
    return state;
  }

  async #saveSegment(state: SegmentState): Promise<SegmentEntry> {
    const { segment, live } = state;
    const known = live === undefined ? {} : this.#storedDeletions.get(live);
    // Copied before the first pause: what is deleted meanwhile belongs to the next save.
    const deletions = live !== undefined && known === undefined ? copyDeletions(live, state) : undefined;
    let entry = this.#stored.get(segment);
    if (entry === undefined) {
      const documents = await this.#write('documents', segment.stored.bytes);
      const bytes = await this.#run(encodeSegment(segment));
      entry = { segment: await this.#write('segment', bytes), documents, segmentChecksum: checksumOf(bytes) };
      this.#stored.set(segment, entry);
    }
    if (deletions === undefined || live === undefined) return { ...entry, ...known };
    const bytes = await this.#run(encodeSectionFile({ header: {}, sections: deletions }));
    const written = { deletions: await this.#write('deletions', bytes), deletionsChecksum: checksumOf(bytes) };
    this.#storedDeletions.set(live, written);
    return { ...entry, ...written };
  }

  async #read(blob: string, checksum?: number): Promise<SectionSource> {
    const bytes = await this.#blobs.get(blob);
    if (bytes === undefined) throw corruptBlob(blob, 'it is missing');
    return { blob, bytes, checksum };
  }

  async #write(kind: string, bytes: Uint8Array): Promise<string> {
    const { name } = await this.#blobs.put(`${this.#name}/${kind}-${toHex(await digest(bytes))}`, piecesOf(bytes));
    return name;
  }

  async #removeUnnamed(manifest: Manifest): Promise<void> {
    const named = namedBlobs(manifest);
    const unnamed: string[] = [];
    for await (const { name } of this.#blobs.list(`${this.#name}/`)) if (!named.has(name)) unnamed.push(name);
    for (const name of unnamed) await this.#blobs.delete(name);
  }
}

/** The bytes as a stream: a store copies an array at once, and a piece at a time. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += BYTES_PER_DIGEST) {
    yield bytes.subarray(start, start + BYTES_PER_DIGEST);
  }
}

/** A hash that names bytes: that of the hashes of their pieces, as each piece is copied at once. */
async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length <= BYTES_PER_DIGEST) return sha256(bytes);
  const pieces: number[] = [];
  for await (const piece of piecesOf(bytes)) pieces.push(...(await sha256(piece)));
  return sha256(Uint8Array.from(pieces));
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
