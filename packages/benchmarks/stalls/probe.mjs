// Asks /livez every few milliseconds, in a process of its own, and tells how long the answers took.
import { setTimeout as pause } from 'node:timers/promises';

const [url] = process.argv.slice(2);
const EVERY_MS = 10;
let latencies = [];
process.on('message', () => {
  const sorted = latencies.toSorted((a, b) => a - b);
  latencies = [];
  process.send({ max: sorted.at(-1) ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 });
});
process.on('disconnect', () => process.exit(0));
for (;;) {
  const start = performance.now();
  try {
    const response = await fetch(`${url}/livez`);
    await response.arrayBuffer();
    latencies.push(performance.now() - start);
  } catch {
    // The server starts or stops.
  }
  await pause(EVERY_MS);
}
