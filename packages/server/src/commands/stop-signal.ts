export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Resolves with the first SIGTERM or SIGINT. A second one ends the process at once. */
export function nextStopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: StopSignal): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
  });
}
