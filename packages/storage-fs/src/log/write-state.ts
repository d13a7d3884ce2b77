import type { CodedError } from '@cairn/errors';
import { syncFailed } from './errors.ts';

/** State of writing, shared by the topics of a log, because an fsync that failed ends writing for all. */
export class WriteState {
  #fatal: CodedError | undefined;
  #last: CodedError | undefined;

  /** Error of the last write; `undefined` when it succeeded. */
  get error(): CodedError | undefined {
    return this.#fatal ?? this.#last;
  }

  /** @throws the error that ended writing */
  check(): void {
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  succeeded(): void {
    this.#last = undefined;
  }

  failed(error: CodedError): void {
    this.#last = error;
  }

  /** Runs an fsync. A failed one is never tried again: the system may have dropped the pages it could not write. */
  async sync(what: string, run: () => Promise<void>): Promise<void> {
    this.check();
    try {
      await run();
    } catch (error) {
      this.#fatal ??= syncFailed(what, error);
      throw this.#fatal;
    }
  }
}
