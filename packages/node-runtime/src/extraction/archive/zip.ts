import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { checkRatio, ExtractionLimitError, malformed } from '../extraction-error.ts';
import type { ResolvedExtractionLimits } from '../limits.ts';
import { parseXml, type XmlHandler } from '../xml/sax.ts';

const ENCRYPTED_FLAG = 1;

/** A zip archive opened for reading; entries are inflated only when asked for, under the limits of the document. */
export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: ResolvedExtractionLimits;
  #inflated = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: ResolvedExtractionLimits) {
    this.#zip = zip;
    this.#entries = entries;
    this.#limits = limits;
  }

  /** @throws `ERR_EXTRACTION` when the archive is malformed or has too many entries. */
  static async open(bytes: Uint8Array, limits: ResolvedExtractionLimits): Promise<ZipArchive> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= limits.maxEntries)
        throw new ExtractionLimitError('archive entries', limits.maxEntries, 'entries');
      // Two entries of one name are a way to show one reader something else than another.
      if (entries.has(entry.fileName)) throw malformed('the archive names the same entry twice');
      entries.set(entry.fileName, entry);
    }
    return new ZipArchive(zip, entries, limits);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  get isEncrypted(): boolean {
    return [...this.#entries.values()].some((entry) => (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes of an entry; `undefined` when there is none of that name. */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const stream = await this.#zip.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#check(size, entry, chunk.length);
        chunks.push(chunk);
      }
    } finally {
      (stream as Readable).destroy();
    }
    return Buffer.concat(chunks, size);
  }

  /** Parses an entry as XML; one that is not there is passed over. */
  async parse(name: string | undefined, handler: XmlHandler): Promise<void> {
    const bytes = name === undefined ? undefined : await this.read(name);
    if (bytes !== undefined) parseXml(bytes, this.#limits.maxDepth, handler);
  }

  /** Counts what really comes out; the sizes that the archive states are only its word. */
  #check(size: number, entry: Entry, added: number): void {
    const { maxEntryBytes, maxArchiveBytes, maxCompressionRatio } = this.#limits;
    this.#inflated += added;
    if (size > maxEntryBytes) throw new ExtractionLimitError('an inflated archive entry', maxEntryBytes, 'bytes');
    if (this.#inflated > maxArchiveBytes)
      throw new ExtractionLimitError('the inflated archive', maxArchiveBytes, 'bytes');
    checkRatio('an archive entry', size, entry.compressedSize, maxCompressionRatio);
  }
}
