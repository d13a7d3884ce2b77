import { badArgument, checkText, readableOnce, throwIfAborted } from '@cairn/errors';
import { abortable } from '../content/abortable.ts';
import { copyBytes, inPieces } from '../content/bytes.ts';
import { contentHash } from '../content/hash.ts';
import { nextTurn } from '../work/next-turn.ts';
import {
  blobsClosed,
  checkBlobName,
  checkChunk,
  checkPutOptions,
  clampRange,
  type PutOptions,
  toOwnSource,
} from './arguments.ts';
import type { BlobInfo, BlobSource, BlobStore, ByteRange } from './blob-store.ts';

/** A {@link BlobStore} that lives as long as the process does. */
export function createMemoryBlobStore(): BlobStore {
  return new MemoryBlobStore();
}

const CHUNK_BYTES = 64 * 1024;
/** Bytes copied before others may run. */
const BYTES_PER_TURN: number = 2 ** 22;

class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #manifests = new Map<string, Uint8Array>();
  #closed = false;

  async put(name: string, source: BlobSource, options: PutOptions = {}): Promise<BlobInfo> {
    this.#check(name);
    checkPutOptions(options);
    return this.#keep(name, await collect(source, options.signal));
  }

  async putContent(prefix: string, source: BlobSource, options: PutOptions = {}): Promise<BlobInfo> {
    checkText(prefix, 'the prefix of a blob');
    this.#check(`${prefix}${'0'.repeat(64)}`);
    checkPutOptions(options);
    const bytes = await collect(source, options.signal);
    return this.#keep(`${prefix}${contentHash(bytes)}`, bytes);
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    this.#check(name);
    const bytes = this.#blobs.get(name);
    const { start, end } = clampRange(range, bytes?.length ?? 0);
    return bytes && concatenateInTurns([bytes.subarray(start, end)]);
  }

  async stream(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const bytes = await this.get(name, range);
    return bytes === undefined ? undefined : readableOnce(inPieces(bytes, CHUNK_BYTES));
  }

  list(prefix = ''): AsyncGenerator<BlobInfo> {
    return readableOnce(this.#list(prefix));
  }

  async *#list(prefix: string): AsyncGenerator<BlobInfo> {
    this.#checkOpen();
    checkText(prefix, 'the prefix of a list');
    const names = [...this.#blobs.keys()].filter((name) => name.startsWith(prefix)).sort();
    for (const name of names) {
      const bytes = this.#blobs.get(name);
      if (bytes !== undefined) yield { name, sizeBytes: bytes.length };
    }
  }

  async delete(name: string): Promise<void> {
    this.#check(name);
    this.#blobs.delete(name);
  }

  async readManifest(name: string): Promise<Uint8Array | undefined> {
    this.#check(name);
    return this.#manifests.get(name)?.slice();
  }

  async replaceManifest(name: string, bytes: Uint8Array): Promise<void> {
    this.#check(name);
    if (!(bytes instanceof Uint8Array)) throw badArgument('a manifest', 'bytes', bytes);
    this.#manifests.set(name, copyBytes(bytes));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #check(name: string): void {
    this.#checkOpen();
    checkBlobName(name);
  }

  #checkOpen(): void {
    if (this.#closed) throw blobsClosed();
  }

  #keep(name: string, bytes: Uint8Array): BlobInfo {
    this.#checkOpen();
    const kept = this.#blobs.get(name) ?? bytes;
    this.#blobs.set(name, kept);
    return { name, sizeBytes: kept.length };
  }
}

/** Collects a source into one array of its own. @throws whatever the source throws, or the reason of the signal */
async function collect(source: BlobSource, signal?: AbortSignal): Promise<Uint8Array> {
  throwIfAborted(signal);
  const own = toOwnSource(source);
  if (own instanceof Uint8Array) return own;
  const parts: Uint8Array[] = [];
  let untilTurn = BYTES_PER_TURN;
  for await (const part of abortable(own, signal)) {
    checkChunk(part, 'a blob');
    parts.push(copyBytes(part));
    untilTurn -= part.length;
    if (untilTurn > 0) continue;
    untilTurn = BYTES_PER_TURN;
    await nextTurn();
  }
  throwIfAborted(signal);
  return concatenateInTurns(parts);
}

/** Joins arrays that do not change, and lets others run meanwhile. */
async function concatenateInTurns(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let untilTurn = BYTES_PER_TURN;
  for (const part of parts) {
    for (let start = 0; start < part.length; start += BYTES_PER_TURN) {
      const piece = part.subarray(start, start + BYTES_PER_TURN);
      whole.set(piece, at);
      at += piece.length;
      untilTurn -= piece.length;
      if (untilTurn > 0 || at === whole.length) continue;
      untilTurn = BYTES_PER_TURN;
      await nextTurn();
    }
  }
  return whole;
}
