import { pause } from './assertions.ts';

/** Returns numbers from 0 to below 1, determined by a seed. */
export type Random = () => number;

/** Options of {@link delayedSource}. */
export interface DelayedSourceOptions {
  /** Decides every cut and delay: the same numbers give the same source. */
  readonly random: Random;
  /** Sizes of pieces in bytes, each 1 or more. Default {@link pieceSizes} of the total. */
  readonly sizes?: readonly number[];
  /** Share of the runs of pieces that are waited for, 0 to 1; of the pieces in a run, a tenth of it. Default 0.6. */
  readonly delays?: number;
  /** Bytes after which the source throws {@link DelayedSourceOptions.failure}. Default never. */
  readonly failsAt?: number;
  /** Error to throw then. Default an `Error`. */
  readonly failure?: Error;
  /**
   * `own` gives every piece memory of its own; `one` makes all of them views of one buffer. Default: as `random`
   * decides.
   */
  readonly memory?: 'own' | 'one';
}

/** Most tiny pieces in a source: one of megabytes has no millions of pieces. */
const MAX_TINY_PIECES = 200;
const TINY_BYTES = 16;
const LARGE_SIZES = [64 * 1024, 256 * 1024, 1024 * 1024];

/** Returns a source of random numbers: the mulberry32 generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns bytes determined by a seed that neither compress nor repeat. Cost: about 1 ns a byte. */
export function noiseBytes(count: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(count / 4));
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let n = 0; n < words.length; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[n] = state;
  }
  return new Uint8Array(words.buffer, 0, count);
}

/** Returns sizes of pieces that suit a source: a byte, a few, 64 KiB, 256 KiB, 1 MiB, and thirds of what is small. */
export function pieceSizes(totalBytes: number): readonly number[] {
  const large = LARGE_SIZES.filter((size) => size <= totalBytes);
  return [1, 7, Math.max(1, Math.ceil(Math.min(totalBytes, 10_000) / 3)), ...large, ...large];
}

/**
 * Streams bytes cut at random places and coming at random times: runs of pieces of one size, at once, after other
 * microtasks, or after some milliseconds. Every piece is overwritten once the next one is asked for and once the source
 * has ended, as by sources that read into one buffer; half of the sources do just that and give a view of the same
 * buffer each time. The `slice` of a piece is a view, as with Node's `Buffer`. The bytes given are left as they are.
 */
export async function* delayedSource(bytes: Uint8Array, options: DelayedSourceOptions): AsyncGenerator<Uint8Array> {
  const { random, delays = 0.6, failsAt = Number.POSITIVE_INFINITY } = options;
  const end = Math.min(bytes.length, failsAt);
  const { memory = random() < 0.5 ? 'own' : 'one' } = options;
  const pieces = memory === 'own' ? ownPieces() : oneBuffer();
  try {
    for (const { from, to, isFirst } of cutsOf(end, options)) {
      if (random() < (isFirst ? delays : delays / 10)) await waitAWhile(random);
      yield pieces.holding(bytes.subarray(from, to));
      pieces.scribble();
    }
    if (failsAt <= bytes.length) throw options.failure ?? new Error(`the source fails after ${failsAt} bytes`);
  } finally {
    pieces.scribble();
  }
}

interface PieceMemory {
  /** Returns a piece with these bytes. */
  holding(bytes: Uint8Array): Uint8Array;
  /** Overwrites the piece given last. */
  scribble(): void;
}

function ownPieces(): PieceMemory {
  let piece = new Uint8Array(0);
  return {
    holding(bytes) {
      piece = new Uint8Array(bytes);
      return asViewingBytes(piece);
    },
    scribble: () => void piece.fill(0xaa),
  };
}

/** Every piece is the start of one buffer, and the very same array as before when it has its size. */
function oneBuffer(): PieceMemory {
  let buffer = new Uint8Array(0);
  let piece = asViewingBytes(new Uint8Array(0));
  return {
    holding(bytes) {
      if (bytes.length > buffer.length) buffer = new Uint8Array(bytes.length);
      const isSame = piece.buffer === buffer.buffer && piece.length === bytes.length;
      if (!isSame) piece = asViewingBytes(buffer.subarray(0, bytes.length));
      piece.set(bytes);
      return piece;
    },
    scribble: () => void buffer.fill(0x55),
  };
}

/** Returns the same bytes with a `slice` that is a view of their memory, as that of Node's `Buffer`. */
export function asViewingBytes(bytes: Uint8Array): Uint8Array {
  return Object.defineProperty(bytes, 'slice', { value: (start?: number, end?: number) => bytes.subarray(start, end) });
}

/** Streams the text of UTF-8 bytes as strings, cut and delayed likewise; no cut parts a surrogate pair. */
export async function* delayedText(text: string, options: DelayedSourceOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of delayedSource(new TextEncoder().encode(text), options)) {
    yield decoder.decode(piece, { stream: true });
  }
}

/** Yields start and end of each piece: together they are all the bytes, in order. */
function* cutsOf(
  totalBytes: number,
  { random, sizes = pieceSizes(totalBytes) }: DelayedSourceOptions,
): Generator<{ readonly from: number; readonly to: number; readonly isFirst: boolean }> {
  let tinyLeft = MAX_TINY_PIECES;
  const largest = Math.max(...sizes);
  for (let from = 0; from < totalBytes; ) {
    const chosen = sizes[Math.floor(random() * sizes.length)];
    const run = 1 + Math.floor(random() * (chosen <= TINY_BYTES ? 30 : 5));
    for (let n = 0; n < run && from < totalBytes; n++) {
      const isTiny = chosen <= TINY_BYTES;
      const size = isTiny && tinyLeft <= 0 ? largest : chosen;
      if (isTiny) tinyLeft--;
      const to = Math.min(totalBytes, from + size);
      yield { from, to, isFirst: n === 0 };
      from = to;
    }
  }
}

/** Waits for microtasks, a turn of the event loop, or milliseconds, at random. */
async function waitAWhile(random: Random): Promise<void> {
  const kind = random();
  if (kind < 0.3) for (let n = 0; n < 20; n++) await undefined;
  else await pause(kind < 0.6 ? 0 : 1 + random() * 9);
}
