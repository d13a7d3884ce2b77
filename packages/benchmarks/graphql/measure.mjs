import { createHash } from 'node:crypto';
import { OPERATIONS } from './data.mjs';

/** Calls each operation for about `ms` milliseconds and prints what came out, as JSON. */
export async function measure(ask, loadMs, ms = 3_000) {
  const results = {};
  for (const [name, [fields, uriOf]] of Object.entries(OPERATIONS)) {
    const query = `query($uri: String!) { node(uri: $uri) ${fields} }`;
    const hash = createHash('sha1');
    const start = performance.now();
    const first = await ask(query, { uri: uriOf(0) });
    const firstMs = performance.now() - start;
    if (first.errors !== undefined) throw new Error(`${name}: ${JSON.stringify(first.errors)}`);
    for (let call = 0; call < 3; call++) hash.update(JSON.stringify(await ask(query, { uri: uriOf(call) })));
    let calls = 0;
    const begin = performance.now();
    while (performance.now() - begin < ms) await ask(query, { uri: uriOf(++calls) });
    results[name] = { firstMs, perSecond: (calls / (performance.now() - begin)) * 1000, answers: hash.digest('hex') };
  }
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ loadMs, memoryMb: (heapUsed + external) / 2 ** 20, results }));
}
