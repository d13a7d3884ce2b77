// A thread whose datasets are damaged: it says so at once, or, of a query that says `# late`, when its answer is read.
import { parentPort } from 'node:worker_threads';

const error = { code: 'ERR_GRAPH_SNAPSHOT', kind: 'corrupt', message: 'it is damaged' };

parentPort.on('message', ({ type, id, task }) => {
  if (type === 'start' && task.text.includes('# late')) parentPort.postMessage({ type: 'begun', id, headers: {} });
  else if (type === 'start' || type === 'pull') parentPort.postMessage({ type: 'failed', id, error });
});
