import { createHash } from 'node:crypto';
import { OPERATIONS } from './data.mjs';

/**
 * Serves one contender: for each operation that the parent process names it says what the first call took and answered,
 * or calls it for some milliseconds and says how many calls that were. So two contenders take turns on the same machine.
 */
export function serve(ask, loadMs) {
  const calls = new Map();
  process.on('message', async ({ operation, ms }) => {
    const [fields, uriOf] = OPERATIONS[operation];
    const query = `query($uri: String!) { node(uri: $uri) ${fields} }`;
    const askAt = (call) => ask(query, { uri: uriOf(call) });
    process.send(ms === undefined ? await first(operation, askAt) : await repeat(operation, askAt, ms, calls));
  });
  process.send({ loadMs });
}

async function first(operation, askAt) {
  const start = performance.now();
  const answer = await askAt(0);
  const firstMs = performance.now() - start;
  if (answer.errors !== undefined) throw new Error(`${operation}: ${JSON.stringify(answer.errors)}`);
  const hash = createHash('sha1');
  for (let call = 0; call < 3; call++) hash.update(JSON.stringify(await askAt(call)));
  return { firstMs, answers: hash.digest('hex') };
}

async function repeat(operation, askAt, ms, calls) {
  let call = calls.get(operation) ?? 0;
  const before = call;
  const start = performance.now();
  while (performance.now() - start < ms) await askAt(++call);
  calls.set(operation, call);
  const { heapUsed, external } = process.memoryUsage();
  return {
    perSecond: ((call - before) / (performance.now() - start)) * 1000,
    memoryMb: (heapUsed + external) / 2 ** 20,
  };
}
