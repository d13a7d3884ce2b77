// Cairn in memory, with some thousand entities.
import { createServer } from '@cairn/server';

const ENTITIES = Number(process.argv[2]);
const server = createServer({
  configuration: {
    server: { port: 0, logLevel: 'error', metrics: { enabled: true } },
    auth: { users: { alice: { attributes: { clearance: 'TS' } } } },
  },
});
const url = await server.start();
const token = await server.issueToken('alice');
const words = ['eagle', 'orion', 'falcon', 'odyssey', 'kitty', 'hawk', 'antares', 'casper', 'challenger', 'snoopy'];
const lines = Array.from({ length: ENTITIES }, (_, i) => {
  const name = `${words[i % 10]} ${words[(i * 7 + 3) % 10]} number ${i}`;
  return `<https://example.org/id/${i}> a <https://example.org/Vehicle> ; <http://www.w3.org/2000/01/rdf-schema#label> "${name}" .`;
});
const loaded = await fetch(`${url}/api/graph/knowledge/upload`, {
  method: 'POST',
  body: lines.join('\n'),
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/turtle', 'Security-Label': 'clearance=TS' },
});
if (loaded.status !== 200) throw new Error(await loaded.text());
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.on('SIGINT', () => process.exit(0));
process.send({ url, port: Number(new URL(url).port), token });
