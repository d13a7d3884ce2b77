const BUCKET_MS = 1000;
const BUCKETS = 10;

/** Events per second over the last ten seconds. */
export class Rate {
  readonly #counts: number[] = new Array(BUCKETS).fill(0);
  #newest = 0;
  readonly #startedMs: number;

  constructor(nowMs: number) {
    this.#newest = Math.floor(nowMs / BUCKET_MS);
    this.#startedMs = nowMs;
  }

  add(count: number, nowMs: number): void {
    this.#advance(nowMs);
    const at = this.#newest % BUCKETS;
    this.#counts[at] += count;
  }

  perSecond(nowMs: number): number {
    this.#advance(nowMs);
    const windowMs = Math.min(BUCKETS * BUCKET_MS, Math.max(BUCKET_MS, nowMs - this.#startedMs));
    return (this.#counts.reduce((sum, count) => sum + count, 0) * 1000) / windowMs;
  }

  #advance(nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS);
    const steps = Math.min(BUCKETS, bucket - this.#newest);
    for (let step = 1; step <= steps; step++) this.#counts[(this.#newest + step) % BUCKETS] = 0;
    if (bucket > this.#newest) this.#newest = bucket;
  }
}
