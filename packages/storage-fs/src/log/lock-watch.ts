import { CodedError } from '@cairn/errors';
import type { DirectoryLock } from '../files/directory-lock.ts';

/** Milliseconds between two looks at the lock: before a write when that is so long ago, and in the background. */
const LOOK_MS = 1000;

/**
 * Looks whether a log still has the lock that it was opened under. One whose lock was removed or taken writes nothing
 * any more: another process may write to the same files.
 */
export class LockWatch {
  readonly #lock: DirectoryLock;
  readonly #onLost: (error: CodedError) => void;
  readonly #timer: NodeJS.Timeout;
  #lookedMs = performance.now();
  /** Error of every write once the lock is lost. */
  lost: CodedError | undefined;

  constructor(lock: DirectoryLock, onLost: (error: CodedError) => void) {
    this.#lock = lock;
    this.#onLost = onLost;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** @throws `ERR_LOG_LOCK_LOST` (unavailable) when the lock is lost */
  async check(): Promise<void> {
    if (performance.now() - this.#lookedMs >= LOOK_MS) await this.#look();
    if (this.lost !== undefined) throw this.lost;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.#lookedMs = performance.now();
    if (this.lost !== undefined || (await this.#lock.isHeld()) || this.lost !== undefined) return;
    // Readiness shows it to everybody: it names no path.
    const message =
      'the lock of the log was removed or taken while it was open: it takes no more writes, as another process may write to it; stop this one';
    this.lost = new CodedError({ code: 'ERR_LOG_LOCK_LOST', kind: 'unavailable', message, retryable: false });
    this.#onLost(this.lost);
  }
}
