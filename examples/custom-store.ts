/**
 * A store of one's own: blobs in a table of texts, as one would find in a key-value service, held to the same laws as
 * the stores that come with Cairn.
 */
import { readableOnce, throwIfAborted } from '@cairn/errors';
import {
  abortable,
  type BlobInfo,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  blobsClosed,
  checkBlobName,
  checkChunk,
  clampRange,
  contentHash,
} from '@cairn/events';
import { blobStoreConformance } from '@cairn/events/conformance';

/** The stored texts by key. It outlives the stores that are opened on it. */
type Table = Map<string, string>;

async function collect(source: BlobSource, signal: AbortSignal | undefined): Promise<Buffer> {
  throwIfAborted(signal);
  if (source instanceof Uint8Array) return Buffer.from(source);
  const parts: Uint8Array[] = [];
  for await (const part of abortable(source, signal)) {
    checkChunk(part, 'a blob');
    // A copy: the source may fill the same bytes again.
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function openTableBlobStore(table: Table): BlobStore {
  let isClosed = false;
  const check = (name?: string): void => {
    if (isClosed) throw blobsClosed();
    if (name !== undefined) checkBlobName(name);
  };
  const read = (key: string): Uint8Array | undefined => {
    const text = table.get(key);
    return text === undefined ? undefined : new Uint8Array(Buffer.from(text, 'base64'));
  };
  const keep = (name: string, bytes: Buffer): BlobInfo => {
    check(name);
    // A blob never changes: who puts it again gets the one that is there.
    if (!table.has(`blob:${name}`)) table.set(`blob:${name}`, bytes.toString('base64'));
    return { name, sizeBytes: read(`blob:${name}`)?.length ?? 0 };
  };
  const get = async (name: string, range?: ByteRange): Promise<Uint8Array | undefined> => {
    check(name);
    const bytes = read(`blob:${name}`);
    if (bytes === undefined) return undefined;
    const { start, end } = clampRange(range, bytes.length);
    return bytes.slice(start, end);
  };
  async function* list(prefix: string) {
    check();
    const names = [...table.keys()].flatMap((key) => (key.startsWith(`blob:${prefix}`) ? [key.slice(5)] : []));
    for (const name of names.sort()) yield { name, sizeBytes: read(`blob:${name}`)?.length ?? 0 };
  }
  return {
    get,
    async put(name, source, { signal } = {}) {
      check(name);
      return keep(name, await collect(source, signal));
    },
    async putContent(prefix, source, { signal } = {}) {
      check(`${prefix}${'0'.repeat(64)}`);
      const bytes = await collect(source, signal);
      return keep(`${prefix}${contentHash(bytes)}`, bytes);
    },
    async stream(name, range) {
      const bytes = await get(name, range);
      return bytes === undefined
        ? undefined
        : readableOnce(
            (async function* () {
              if (bytes.length > 0) yield bytes;
            })(),
          );
    },
    // What is made while it is read can be read once, and says so when somebody reads it again.
    list: (prefix = '') => readableOnce(list(prefix)),
    async delete(name) {
      check(name);
      table.delete(`blob:${name}`);
    },
    async readManifest(name) {
      check(name);
      return read(`manifest:${name}`);
    },
    async replaceManifest(name, bytes) {
      check(name);
      table.set(`manifest:${name}`, Buffer.from(bytes).toString('base64'));
    },
    async close() {
      isClosed = true;
    },
  };
}

// The laws are plain data: a name and a function. Any test runner does, or none.
let passed = 0;
for (const { name, run } of blobStoreConformance) {
  const table: Table = new Map();
  const open = async (): Promise<BlobStore> => openTableBlobStore(table);
  // Durable, so it says how to open it again: laws about what is kept are then tried as well.
  const blobs = await open();
  await run(async () => ({ blobs, reopen: () => blobs.close().then(open) })).then(
    () => passed++,
    (error: Error) => console.log(`FAILED ${name}: ${error.message}`),
  );
}
console.log(passed === blobStoreConformance.length ? 'all cases passed' : `${passed} cases passed`);

/* Prints:
all cases passed
*/
