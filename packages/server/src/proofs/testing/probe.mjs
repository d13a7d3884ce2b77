// Preloaded into a server that is watched: answers each message with what the process holds after garbage collection.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

process.on('message', async () => {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await pause(20);
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  process.send?.({ heapUsed, external, arrayBuffers, rss, handles: openFiles(), timers: timers() });
});
// Watching must not keep the server alive.
process.channel?.unref();

/** Files and sockets; other systems than Linux do not list them. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function timers() {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
