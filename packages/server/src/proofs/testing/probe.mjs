// Preloaded into a server that is watched: answers each message with what the process holds after garbage collection.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const STRETCH_INTERVAL_MS = 10;
let stretchStartMs = workedMs();
let longestStretchMs = 0;
setInterval(noteStretch, STRETCH_INTERVAL_MS).unref();

process.on('message', async () => {
  noteStretch();
  const stretchMs = longestStretchMs;
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await pause(20);
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  process.send?.({
    heapUsed,
    external,
    arrayBuffers,
    rss,
    handles: openFiles(),
    timers: timers(),
    longestStretchMs: stretchMs,
  });
  stretchStartMs = workedMs();
  longestStretchMs = 0;
});
// Watching must not keep the server alive.
process.channel?.unref();

function noteStretch() {
  const nowMs = workedMs();
  longestStretchMs = Math.max(longestStretchMs, nowMs - stretchStartMs);
  stretchStartMs = nowMs;
}

/** How long the main thread has had a core; where the system does not say, the time. */
function workedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

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
