// Requests per second through the server, as a fraction of a bare node:http handler that answers the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { hammer } from './client.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const CONNECTIONS = 16;
const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 5_000);

const start = async (file, ...args) => {
  const child = fork(path.join(import.meta.dirname, file), args);
  const [ready] = await once(child, 'message');
  return { child, ...ready };
};
const ask = async (child, message) => {
  child.send(message);
  return (await once(child, 'message'))[0];
};

const cairn = await start('cairn.mjs', String(ENTITIES));
const bare = await start('bare.mjs');
const query = encodeURIComponent(
  'SELECT ?name WHERE { <https://example.org/id/42> <http://www.w3.org/2000/01/rdf-schema#label> ?name }',
);
const id = encodeURIComponent('https://example.org/id/42');
const graphql = encodeURIComponent(
  '{ node(uri: "https://example.org/id/42") { id types { id } properties { predicate value } } }',
);
const OPERATIONS = [
  ['livez', '/livez'],
  ['search, top 10', '/api/search/documents?query=eagle&limit=10'],
  ['document by id', `/api/search/documents/${id}`],
  ['typeahead', '/api/search/typeahead?query=eag&limit=10'],
  ['SPARQL point lookup', `/api/graph/knowledge/query?query=${query}`],
  ['GraphQL node', `/api/graph/knowledge/platform/graphql?query=${graphql}`],
];

async function measure({ child, port }, request) {
  await hammer(port, request, { seconds: SECONDS / 4, connections: CONNECTIONS });
  const before = (await ask(child, 'cpu')).cpu;
  const count = await hammer(port, request, { seconds: SECONDS, connections: CONNECTIONS });
  const after = (await ask(child, 'cpu')).cpu;
  const cpuMicroseconds = after.user + after.system - before.user - before.system;
  return { perSecond: count / SECONDS, cpu: cpuMicroseconds / count };
}

console.log(`${ENTITIES} entities, ${CONNECTIONS} connections, ${SECONDS} s each, node ${process.version}`);
console.log('operation | bytes | bare req/s | cairn req/s | fraction | bare CPU us | cairn CPU us');
for (const [name, target] of OPERATIONS) {
  const answer = await fetch(`${cairn.url}${target}`, { headers: { Authorization: `Bearer ${cairn.token}` } });
  if (answer.status !== 200) {
    console.log(`${name} | not served: ${answer.status}`);
    continue;
  }
  const body = Buffer.from(await answer.arrayBuffer());
  await ask(bare.child, { path: target, type: answer.headers.get('content-type'), body: body.toString('base64') });
  const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${cairn.token}\r\n\r\n`;
  const peer = await measure(bare, request);
  const own = await measure(cairn, request);
  const row = [
    name,
    body.length,
    peer.perSecond.toFixed(0),
    own.perSecond.toFixed(0),
    (own.perSecond / peer.perSecond).toFixed(2),
  ];
  console.log([...row, peer.cpu.toFixed(1), own.cpu.toFixed(1)].join(' | '));
}
cairn.child.kill();
bare.child.kill();
