import { Readable } from 'node:stream';
import { timerMs } from '../limits/limit-values.ts';
import type { ResolvedMultipartLimits } from './limits.ts';
import { limitError, multipartError } from './multipart-error.ts';
import { SenderRate } from './sender-rate.ts';

/**
 * The body of a request as a stream of its own.
 *
 * Destroying it leaves the request open and paused, so that its server can still answer why the upload was refused;
 * a request that ends before its time destroys it with an error. It reads from the request only on demand and not
 * while held, and fails when the sender stays silent for longer than the idle time limit, or sends less than its rate,
 * while it is waited for.
 */
export class RequestBody extends Readable {
  readonly #request: Readable;
  readonly #limits: ResolvedMultipartLimits;
  readonly #onChunk: (chunk: Uint8Array) => void;
  readonly #detach: () => void;
  readonly #rate: SenderRate;
  #received = 0;
  #wanted = false;
  #held = false;
  #timer: NodeJS.Timeout | undefined;
  /** Since when the sender is waited for without a byte of it; and since when the time of waiting is not counted yet. */
  #silentSinceMs = 0;
  #countedSinceMs = 0;

  /** @param onChunk sees every chunk before it is handed on */
  constructor(request: Readable, limits: ResolvedMultipartLimits, onChunk: (chunk: Uint8Array) => void) {
    super({ highWaterMark: 1 });
    this.#request = request;
    this.#limits = limits;
    this.#onChunk = onChunk;
    this.#rate = new SenderRate(limits);
    this.#detach = attach(request, {
      data: (chunk: Uint8Array) => this.#receive(chunk),
      end: () => this.#end(),
      error: (error: unknown) => this.destroy(cutOff(error)),
      close: () => this.destroy(cutOff(undefined)),
    });
    request.pause();
    if (request.destroyed || request.readableEnded) this.destroy(cutOff(undefined));
  }

  /** Stops reading from the request until {@link release}. */
  hold(): void {
    this.#held = true;
    this.#stopFlow();
  }

  release(): void {
    this.#held = false;
    if (this.#wanted) this.#startFlow();
  }

  override _read(): void {
    this.#wanted = true;
    if (!this.#held) this.#startFlow();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stopFlow();
    this.#detach();
    done(error);
  }

  #receive(chunk: Uint8Array): void {
    this.#received += chunk.length;
    if (this.#received > this.#limits.maxRequestBytes) {
      this.destroy(limitError('bytes of the request', `${this.#received} or more`, this.#limits.maxRequestBytes));
      return;
    }
    this.#wanted = false;
    this.#rate.received(chunk.length);
    this.#stopFlow();
    if (this.destroyed) return;
    this.#onChunk(chunk);
    this.push(chunk);
  }

  #end(): void {
    this.#stopFlow();
    this.#detach();
    this.push(null);
  }

  #startFlow(): void {
    if (this.destroyed || this.#timer !== undefined) return;
    this.#silentSinceMs = performance.now();
    this.#countedSinceMs = this.#silentSinceMs;
    this.#setTimer(this.#limits.idleTimeoutMs);
    this.#request.resume();
  }

  #stopFlow(): void {
    this.#request.pause();
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#countWaiting();
  }

  #setTimer(idleLeftMs: number): void {
    const timer = setTimeout(
      () => {
        // What has arrived comes first: the sender is not to blame for an event loop that was busy elsewhere.
        setImmediate(() => {
          if (this.#timer === timer) this.#look();
        });
      },
      timerMs(Math.max(1, Math.ceil(Math.min(idleLeftMs, this.#rate.leftMs)))),
    );
    this.#timer = timer;
  }

  /** The sender has been silent since the timer was set: is it for too long, or too slow? */
  #look(): void {
    const { idleTimeoutMs } = this.#limits;
    const idleLeftMs = idleTimeoutMs - (performance.now() - this.#silentSinceMs);
    if (idleLeftMs <= 0) {
      this.destroy(multipartError(`the sender must not stay silent for more than ${idleTimeoutMs} ms`, 'timeout'));
      return;
    }
    this.#countWaiting();
    if (!this.destroyed) this.#setTimer(idleLeftMs);
  }

  #countWaiting(): void {
    const nowMs = performance.now();
    const sentBytes = this.#rate.waited(nowMs - this.#countedSinceMs);
    this.#countedSinceMs = nowMs;
    if (sentBytes === undefined || this.destroyed) return;
    const { minBytesPerSecond, rateWindowMs } = this.#limits;
    const owed = `at least ${minBytesPerSecond} bytes a second over ${rateWindowMs} ms`;
    this.destroy(multipartError(`the sender must send ${owed}; got ${sentBytes} bytes`, 'timeout'));
  }
}

function cutOff(cause: unknown): Error {
  return multipartError('the upload was cut off by its sender', 'cancelled', cause);
}

type Listeners = Record<string, (argument: never) => void>;

/** Adds listeners and returns what removes them; an error that comes later is then no longer anybody's. */
function attach(request: Readable, listeners: Listeners): () => void {
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener as () => void);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener as () => void);
    request.on('error', () => {});
  };
}
