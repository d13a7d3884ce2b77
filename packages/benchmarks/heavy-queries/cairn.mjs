// Cairn in memory with a large dataset; tells the longest time that its event loop was kept waiting.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createServer } from '@cairn/server';
import { generate } from './data.mjs';

const [TRIPLES, WORKERS] = process.argv.slice(2).map(Number);
const server = createServer({
  configuration: {
    server: { port: 0, logLevel: 'silent' },
    auth: { users: { alice: { attributes: {} } } },
    graph: { applyTimeoutMs: 600_000, ...(WORKERS === undefined ? {} : { queryWorkers: WORKERS }) },
  },
});
const url = await server.start();
const token = await server.issueToken('alice');
for (const piece of generate(TRIPLES)) await upload('catalog', piece);
const label = '<http://www.w3.org/2000/01/rdf-schema#label>';
await upload('knowledge', Array.from({ length: 500 }, (_, i) => `<urn:e:${i}> ${label} "entity ${i}" .`).join('\n'));

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  const ms = (nanoseconds) => nanoseconds / 1e6;
  process.send({ p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) });
});
process.send({ url, token });

async function upload(dataset, body) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/n-triples', 'Security-Label': '*' };
  const loaded = await fetch(`${url}/api/graph/${dataset}/upload`, { method: 'POST', body, headers });
  if (loaded.status !== 200) throw new Error(await loaded.text());
}
