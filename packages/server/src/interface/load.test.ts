import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTestServer, type TestServer } from '../testing/server.ts';

const SECONDS = process.env['CAIRN_LONG'] === '1' ? 300 : 5;
const CLIENTS = 64;
/** What memory may grow by: caches fill and garbage is collected when it suits. */
const GROWTH_BYTES = 256 * 1024 * 1024;
const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.server.close());

type Step = (client: number, round: number) => Promise<Response>;

const user = (client: number): string => (client % 2 === 0 ? 'alice' : 'dieter');
const label = (client: number): string => (client % 2 === 0 ? 'clearance=S' : 'clearance=O');
const get = (client: number, path: string): Promise<Response> => server.send(user(client), path);

const STEPS: readonly Step[] = [
  (client) => get(client, '/api/search/documents?query=rover%20OR%20zebra&highlighting=true'),
  (client) => get(client, '/api/search/typeahead?query=rov'),
  (client) => get(client, '/api/search/facets?query=*&facet=types'),
  (client) =>
    get(client, `/api/graph/knowledge/query?query=${encodeURIComponent('SELECT (COUNT(*) AS ?c) { ?s ?p ?o }')}`),
  (client) => get(client, `/api/search/list?id=urn:c:${client}&id=urn:none`),
  (client, round) =>
    server.update(
      user(client),
      label(client),
      `DELETE WHERE { <urn:c:${client}> ?p ?o } ; INSERT DATA { <urn:c:${client}> a <urn:Rover> ; <${NAME}> "Rover ${client} ${round}" }`,
    ),
  (client, round) => server.upload(user(client), label(client), { 'note.txt': `zebra ${client} ${round % 10}` }),
];

describe(`${CLIENTS} clients that read and write`, () => {
  it(`for ${SECONDS} seconds get no unexpected status, and each sees its last write`, async () => {
    const until = Date.now() + SECONDS * 1000;
    const unexpected: string[] = [];
    const counts = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        let round = 0;
        for (; Date.now() < until; round++) {
          const step = STEPS[(client + round) % STEPS.length] as Step;
          const response = await step(client, round);
          const text = await response.text();
          // Uploads have a queue, and a full one says so.
          const isQueueFull = response.status === 503 && text.includes('ERR_UPLOAD_QUEUE_FULL');
          if (![200, 202].includes(response.status) && !isQueueFull) unexpected.push(`${response.status} ${text}`);
        }
        return round;
      }),
    );
    expect(unexpected).toEqual([]);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const before = process.memoryUsage().rss;
    await eventually(async () => {
      const found = await server.get('alice', '/api/search/documents?query=zebra&limit=1000');
      return found.results.length > 0 ? true : undefined;
    });
    await server.update(
      'dieter',
      'clearance=O',
      `DELETE WHERE { <urn:c:1> ?p ?o } ; INSERT DATA { <urn:c:1> <${NAME}> "Lastword" }`,
    );
    expect((await server.get('dieter', '/api/search/typeahead?query=lastw')).results).toHaveLength(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(GROWTH_BYTES);
  }, 600_000);
});
