/** Up to so many texts are in one set, in the order in which they came. */
const NARROW_TEXTS = 8192;
const SHARDS = 256;
const HASHED_UNITS = 8;

export interface TextSet extends Iterable<string> {
  readonly size: number;
  has(text: string): boolean;
}

/**
 * A set of texts that may become large: one of hundreds of thousands in a single `Set` is copied at once when it grows,
 * which takes longer than others should wait. The first some thousands are given in the order in which they came.
 */
export class WideSet implements TextSet {
  readonly #first = new Set<string>();
  readonly #shards = new Map<number, Set<string>>();

  /** Cost: some hundred steps at most. */
  get size(): number {
    let size = this.#first.size;
    for (const shard of this.#shards.values()) size += shard.size;
    return size;
  }

  add(text: string): void {
    if (this.#first.has(text)) return;
    if (this.#first.size < NARROW_TEXTS) this.#first.add(text);
    else this.#shardOf(text).add(text);
  }

  has(text: string): boolean {
    return this.#first.has(text) || this.#shards.get(shardNumber(text))?.has(text) === true;
  }

  *[Symbol.iterator](): Generator<string, void> {
    yield* this.#first;
    for (const shard of this.#shards.values()) yield* shard;
  }

  #shardOf(text: string): Set<string> {
    const number = shardNumber(text);
    const known = this.#shards.get(number);
    if (known !== undefined) return known;
    const shard = new Set<string>();
    this.#shards.set(number, shard);
    return shard;
  }
}

/** From the end of a text, where those that belong together differ. */
function shardNumber(text: string): number {
  let hash = text.length;
  for (let at = Math.max(0, text.length - HASHED_UNITS); at < text.length; at++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  }
  return (hash ^ (hash >>> 8)) & (SHARDS - 1);
}
