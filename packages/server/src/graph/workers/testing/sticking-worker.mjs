// The worker of queries with a fault: a query that says `# stick` never lets it go on.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ type, task }) => {
  while (type === 'start' && task.text.includes('# stick'));
});
await import('../../../../dist/graph/workers/worker.js');
