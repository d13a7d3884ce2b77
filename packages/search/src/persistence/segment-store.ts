import type { BlobStore } from '@cairn/events';
import type { TopicPositions } from '../port/search-index.ts';
import type { Segment } from '../segment/segment.ts';
import { createSegmentState, type SegmentState } from '../segment/segment-state.ts';
import { decodeDeletions, encodeDeletions } from './deletions-file.ts';
import { decodeManifest, encodeManifest, type Manifest, type SegmentEntry } from './manifest.ts';
import { corruptBlob, FORMAT_VERSION } from './section-file.ts';
import { decodeSegment, encodeSegment } from './segment-file.ts';

/** The segments of one index as they are saved. */
export interface SavedIndex {
  readonly name: string;
  readonly fingerprint: string;
  readonly states: readonly SegmentState[];
}

/** What is loaded and saved. */
export interface LoadedIndices {
  readonly positions: TopicPositions;
  readonly indices: readonly SavedIndex[];
  /** Names of indices that lack what was consumed before they were configured. */
  readonly incomplete: readonly string[];
}

/** Keeps segments as blobs under a name, and which of them count in a manifest of that name. */
export class SegmentStore {
  private readonly blobs: BlobStore;
  private readonly name: string;
  /** Blobs of segments that were stored or loaded. */
  private readonly stored = new WeakMap<Segment, Pick<SegmentEntry, 'segment' | 'documents'>>();
  private readonly storedDeletions = new WeakMap<Uint32Array, string>();

  constructor(blobs: BlobStore, name: string) {
    this.blobs = blobs;
    this.name = name;
  }

  /**
   * Loads what the manifest names; `undefined` when there is none, unless there must be.
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt), naming the blob, when one is damaged or missing.
   */
  async load(mustExist = false): Promise<LoadedIndices | undefined> {
    const bytes = await this.blobs.readManifest(this.name);
    if (bytes === undefined && mustExist) throw corruptBlob(`manifest ${this.name}`, 'it is missing');
    if (bytes === undefined) return undefined;
    const { positions, indices, incomplete = [] } = decodeManifest(bytes, this.name);
    const loaded = Object.entries(indices).map(async ([name, { fingerprint, segments }]): Promise<SavedIndex> => {
      return { name, fingerprint, states: await Promise.all(segments.map((entry) => this.loadSegment(entry))) };
    });
    return { positions, incomplete, indices: await Promise.all(loaded) };
  }

  /** Stores what is not stored yet, replaces the manifest, then removes blobs that nothing names any more. */
  async save({ positions, indices, incomplete }: LoadedIndices): Promise<void> {
    const entries: [string, { fingerprint: string; segments: SegmentEntry[] }][] = [];
    for (const { name, fingerprint, states } of indices) {
      const segments: SegmentEntry[] = [];
      for (const state of states) segments.push(await this.saveSegment(state));
      entries.push([name, { fingerprint, segments }]);
    }
    const manifest: Manifest = {
      ...{ version: FORMAT_VERSION, positions, indices: Object.fromEntries(entries) },
      ...(incomplete.length === 0 ? {} : { incomplete }),
    };
    await this.blobs.replaceManifest(this.name, encodeManifest(manifest));
    await this.removeUnnamed(manifest);
  }

  private async loadSegment(entry: SegmentEntry): Promise<SegmentState> {
    const [bytes, documents] = await Promise.all([this.read(entry.segment), this.read(entry.documents)]);
    const segment = decodeSegment({ blob: entry.segment, bytes }, { blob: entry.documents, bytes: documents });
    this.stored.set(segment, { segment: entry.segment, documents: entry.documents });
    if (entry.deletions === undefined) return createSegmentState(segment);
    const deletions = await this.read(entry.deletions);
    if (!entry.deletions.endsWith(await digestOf(deletions))) throw corruptBlob(entry.deletions, 'it is another one');
    const state = decodeDeletions(segment, deletions, entry.deletions);
    this.storedDeletions.set(state.live!, entry.deletions);
    return state;
  }

  private async saveSegment(state: SegmentState): Promise<SegmentEntry> {
    const { segment, live } = state;
    let entry = this.stored.get(segment);
    // Encoded before the first pause: what is deleted meanwhile belongs to the next save.
    const deletions = live === undefined || this.storedDeletions.has(live) ? undefined : encodeDeletions(state);
    if (entry === undefined) {
      const documents = await this.write('documents', segment.stored.bytes);
      entry = { segment: await this.write('segment', encodeSegment(segment)), documents };
      this.stored.set(segment, entry);
    }
    if (live === undefined) return entry;
    if (deletions !== undefined) this.storedDeletions.set(live, await this.write('deletions', deletions));
    return { ...entry, deletions: this.storedDeletions.get(live)! };
  }

  private async read(blob: string): Promise<Uint8Array> {
    const bytes = await this.blobs.get(blob);
    if (bytes === undefined) throw corruptBlob(blob, 'it is missing');
    return bytes;
  }

  private async write(kind: string, bytes: Uint8Array): Promise<string> {
    const { name } = await this.blobs.put(`${this.name}/${kind}-${await digestOf(bytes)}`, bytes);
    return name;
  }

  private async removeUnnamed({ indices }: Manifest): Promise<void> {
    const named = new Set<string>();
    for (const { segments } of Object.values(indices)) {
      for (const { segment, documents, deletions } of segments) {
        named.add(segment).add(documents);
        if (deletions !== undefined) named.add(deletions);
      }
    }
    const unnamed: string[] = [];
    for await (const { name } of this.blobs.list(`${this.name}/`)) if (!named.has(name)) unnamed.push(name);
    for (const name of unnamed) await this.blobs.delete(name);
  }
}

/** SHA-256 in hex. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
