import { CodedError } from '@cairn/errors';

/** Something stored that is not as it was written, and what to do about it. */
export interface Finding {
  /**
   * `cut` is what was lost before and waits for an operator to take note of it; `restore` a data directory that was not
   * restored to its end; `backup` a file that is not as the backup lists it.
   */
  readonly area: 'cut' | 'log' | 'value' | 'cache' | 'restore' | 'backup';
  /** A file or a thing, relative to the data directory. */
  readonly what: string;
  readonly reason: string;
  readonly remedy: string;
}

/** The error of a verification, a backup or a restore that found damage. */
export function damaged(count: number, where = 'the data'): CodedError {
  const message = `${count} ${count === 1 ? 'thing in' : 'things in'} ${where} ${count === 1 ? 'is' : 'are'} damaged or missing; see above`;
  return new CodedError({ code: 'ERR_DAMAGED', kind: 'corrupt', message });
}
