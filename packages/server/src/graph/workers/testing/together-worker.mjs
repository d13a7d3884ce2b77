// The worker of queries, which reads no answer before the sixth is asked for: none begins before the others.
import { parentPort } from 'node:worker_threads';

const TOGETHER = 6;
const early = [];
let asked = 0;

const listen = parentPort.on.bind(parentPort);
parentPort.on = (event, hear) =>
  listen(event, (message) => {
    if (message.type !== 'pull') return hear(message);
    early.push(message);
    asked += 1;
    if (asked >= TOGETHER) for (const one of early.splice(0)) hear(one);
  });

await import('../../../../dist/graph/workers/worker.js');
