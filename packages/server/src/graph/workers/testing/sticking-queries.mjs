// A fault: a query that says `# stick` never lets its thread go on.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ type, task }) => {
  while (type === 'start' && task.text.includes('# stick'));
});
