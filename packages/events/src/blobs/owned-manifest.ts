import { CodedError } from '@cairn/errors';
import type { BlobStore } from './blob-store.ts';

/** The last replacement in each store: in one process, one looks and replaces before the next looks. */
const REPLACING = new WeakMap<BlobStore, Promise<unknown>>();

/**
 * A manifest as one owner reads and replaces it. A store does not know who writes: two owners of one name would each
 * remove what the other's manifest names. So a manifest is replaced only while it is the one that this owner read or
 * wrote last.
 */
export class OwnedManifest {
  readonly #blobs: BlobStore;
  readonly #name: string;
  readonly #owner: string;
  /** Manifests that may stand there: the last one, and one whose replacement failed, as it may have come about. */
  #own: readonly (Uint8Array | undefined)[] = [undefined];

  /** @param owner who writes it, for messages: `the search index` */
  constructor(blobs: BlobStore, name: string, owner: string) {
    this.#blobs = blobs;
    this.#name = name;
    this.#owner = owner;
  }

  async read(): Promise<Uint8Array | undefined> {
    const stored = await this.#blobs.readManifest(this.#name);
    this.#own = [stored?.slice()];
    return stored;
  }

  /**
   * Replaces the manifest.
   * @throws `ERR_MANIFEST_FOREIGN` (conflict) when somebody else replaced or removed it since; then it stays as it is
   */
  replace(manifest: Uint8Array): Promise<void> {
    const replaced = (REPLACING.get(this.#blobs) ?? Promise.resolve()).then(async () => {
      const stored = await this.#blobs.readManifest(this.#name);
      if (!this.#own.some((own) => isSame(own, stored))) throw this.#foreign(stored === undefined);
      this.#own = [stored?.slice(), manifest];
      await this.#blobs.replaceManifest(this.#name, manifest);
      this.#own = [manifest];
    });
    REPLACING.set(
      this.#blobs,
      replaced.catch(() => undefined),
    );
    return replaced;
  }

  #foreign(isGone: boolean): CodedError {
    const what = isGone ? 'was removed' : 'was written by another one of that name';
    const message = `the manifest ${this.#name} ${what} since ${this.#owner} read or wrote it; nothing was replaced or removed`;
    return new CodedError({ code: 'ERR_MANIFEST_FOREIGN', kind: 'conflict', message });
  }
}

function isSame(own: Uint8Array | undefined, stored: Uint8Array | undefined): boolean {
  if (own === undefined || stored === undefined) return own === stored;
  return own.length === stored.length && own.every((byte, i) => byte === stored[i]);
}
