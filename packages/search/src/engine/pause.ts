/**
 * Lets timers, input and output run, then resolves. A message to oneself comes back sooner than the shortest timer.
 */
export function pauseForOthers(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const receiver = port1 as unknown as { onmessage: () => void; close(): void };
    receiver.onmessage = () => {
      receiver.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
