import { CodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import { scopedBlobs } from './blob-views.ts';

/** A generation that a rebuild fills. */
export interface NextGeneration {
  readonly blobs: BlobStore;
  /** Puts it in use and removes the others, or with `keep` sets them aside; returns where these are, if kept. */
  adopt(options?: { readonly keep?: boolean }): Promise<string | undefined>;
}

/** An empty generation in the place of what could not be used. */
export interface RenewedGeneration {
  readonly blobs: BlobStore;
  readonly keptAt: string | undefined;
  /** Puts the generation in use: from then on what it holds must be there. */
  adopt(): Promise<void>;
}

/** Moves blobs and manifests out of a store; see the blob store in files. */
export type SetAside = (name: string, as: string) => Promise<string | undefined>;

interface Counters {
  readonly current: number;
  /** The last one that a rebuild began: manifests cannot be removed, so each try gets names of its own. */
  readonly begun: number;
}

/**
 * Where each cache keeps its blobs. A rebuild fills a generation of its own while the one in use goes on, so that a
 * crash at any moment leaves one of the two whole. Without `setAside` what would be set aside is removed.
 */
export class Generations {
  readonly #store: BlobStore;
  readonly #setAside: SetAside | undefined;

  constructor(store: BlobStore, setAside?: SetAside) {
    this.#store = store;
    this.#setAside = setAside;
  }

  /**
   * The blobs of the generation that is in use; it is new when nothing was ever stored there.
   * @throws `ERR_CACHE_RECORD` (corrupt) when it is not known which that is
   */
  async current(cache: string): Promise<{ readonly blobs: BlobStore; readonly isNew: boolean }> {
    const counters = await this.#read(cache);
    if (counters !== undefined) return { blobs: this.#blobs(cache, counters.current), isNew: false };
    const first = prefixOf(cache, 0);
    let isNew = true;
    for await (const { name } of this.#store.list(rootOf(cache))) {
      if (!name.startsWith(first)) throw damagedRecord(cache, 'is missing');
      isNew = false;
    }
    return { blobs: this.#blobs(cache, 0), isNew };
  }

  /** Records that a new generation is in use: from then on what it holds must be there. */
  async establish(cache: string): Promise<void> {
    if ((await this.#read(cache)) === undefined) await this.#write(cache, { current: 0, begun: 0 });
  }

  /** A new, empty one beside the one in use. */
  async next(cache: string): Promise<NextGeneration> {
    const { current, begun } = (await this.#read(cache)) ?? { current: 0, begun: 0 };
    const next = Math.max(current, begun) + 1;
    await this.#write(cache, { current, begun: next });
    return {
      blobs: this.#blobs(cache, next),
      adopt: async ({ keep = false } = {}) => {
        await this.#write(cache, { current: next, begun: next });
        if (keep) return this.#clear(prefixOf(cache, current).slice(0, -1), cache);
        await this.#emptyBefore(next, cache);
        return undefined;
      },
    };
  }

  /** Sets everything of a cache aside and gives an empty generation, not in use yet. */
  async renew(cache: string): Promise<RenewedGeneration> {
    const counters = await this.#read(cache).catch(() => undefined);
    // A number that no generation had, also where the record of them is lost and manifests stay.
    const next = counters === undefined ? Date.now() : Math.max(counters.current, counters.begun) + 1;
    const keptAt = await this.#clear(rootOf(cache).slice(0, -1), cache);
    const adopt = (): Promise<void> => this.#write(cache, { current: next, begun: next });
    return { blobs: this.#blobs(cache, next), keptAt, adopt };
  }

  async #clear(name: string, cache: string): Promise<string | undefined> {
    if (this.#setAside !== undefined) return this.#setAside(name, cache);
    await this.#empty(`${name}/`);
    return undefined;
  }

  /** By what is there, not by number: a renewed cache counts on from a point in time. */
  async #emptyBefore(next: number, cache: string): Promise<void> {
    const root = rootOf(cache);
    for await (const { name } of this.#store.list(root)) {
      if (Number.parseInt(name.slice(root.length), 10) < next) await this.#store.delete(name);
    }
  }

  async #empty(prefix: string): Promise<void> {
    for await (const { name } of this.#store.list(prefix)) await this.#store.delete(name);
  }

  #blobs(cache: string, generation: number): BlobStore {
    return scopedBlobs(this.#store, prefixOf(cache, generation));
  }

  async #read(cache: string): Promise<Counters | undefined> {
    const bytes = await this.#store.readManifest(recordOf(cache));
    return bytes === undefined ? undefined : toCounters(bytes, cache);
  }

  #write(cache: string, counters: Counters): Promise<void> {
    return this.#store.replaceManifest(
      recordOf(cache),
      new TextEncoder().encode(JSON.stringify({ cache, ...counters })),
    );
  }
}

/** Records of older releases do not name their cache. */
function toCounters(bytes: Uint8Array, cache: string): Counters {
  const { current, begun, cache: named = cache } = parse(bytes, cache);
  if (named !== cache) throw damagedRecord(cache, `is that of ${named}`);
  if (!Number.isSafeInteger(current) || !Number.isSafeInteger(begun)) throw damagedRecord(cache, 'holds no numbers');
  return { current: Number(current), begun: Number(begun) };
}

function parse(bytes: Uint8Array, cache: string): { current?: unknown; begun?: unknown; cache?: unknown } {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damagedRecord(cache, 'is no JSON');
  }
}

function damagedRecord(cache: string, problem: string): CodedError {
  const message = `the record of the generations of the cache ${cache} ${problem}`;
  return new CodedError({ code: 'ERR_CACHE_RECORD', kind: 'corrupt', message });
}

function rootOf(cache: string): string {
  return `caches/${cache}/`;
}

function recordOf(cache: string): string {
  return `${rootOf(cache)}generation`;
}

function prefixOf(cache: string, generation: number): string {
  return `${rootOf(cache)}${generation}/`;
}
