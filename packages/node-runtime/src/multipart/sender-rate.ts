import type { ResolvedMultipartLimits } from './limits.ts';

export type SenderRateLimits = Pick<ResolvedMultipartLimits, 'minBytesPerSecond' | 'rateGraceMs' | 'rateWindowMs'>;

/**
 * Holds a sender to its rate, counting only the time spent waiting for it: a slow reader is no slow sender. The time is
 * cut into a grace and then into windows; in each window the sender owes its bytes.
 */
export class SenderRate {
  readonly #owedBytes: number;
  readonly #windowMs: number;
  /** Of the current window, or of the grace, how much is still to be waited. */
  #leftMs: number;
  #bytes = 0;
  #isGrace = true;

  constructor({ minBytesPerSecond, rateGraceMs, rateWindowMs }: SenderRateLimits) {
    this.#owedBytes = (minBytesPerSecond * rateWindowMs) / 1000;
    this.#windowMs = rateWindowMs;
    this.#leftMs = this.#owedBytes > 0 ? rateGraceMs : Number.POSITIVE_INFINITY;
  }

  /** How much longer the sender may be waited for before somebody has to look; infinite without a rate. */
  get leftMs(): number {
    return this.#leftMs;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Counts time that the sender was waited for. Returns the bytes of a window that is over and in which it owed more. */
  waited(ms: number): number | undefined {
    this.#leftMs -= ms;
    if (this.#leftMs > 0) return undefined;
    const bytes = this.#bytes;
    const isOwed = !this.#isGrace && bytes < this.#owedBytes;
    this.#isGrace = false;
    this.#bytes = 0;
    this.#leftMs = this.#windowMs;
    return isOwed ? bytes : undefined;
  }
}
