import { throwIfAborted } from '@cairn/errors';

/** The result of work, or the error of the signal as soon as that aborts: for work that may never end by itself. */
export async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return (await Promise.race([work, aborted.then(() => throwIfAborted(signal))])) as Result;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
