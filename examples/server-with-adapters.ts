/**
 * The server with parts of one's own: an index behind the port `SearchIndex`, with the level of conformance that it
 * declares, and a source of attributes.
 */

import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { searchIndexConformance } from '@cairn/search/conformance';
import { type Adapters, createServer } from '@cairn/server';

// Stands for a client of another engine. This one sorts out what may be seen, and then scores by all documents.
async function openRemoteIndex(): Promise<SearchIndex> {
  return openSearchIndex({ indices: ['search', 'doc-content'] });
}

// What it declares is what its tests have shown: every case of the suite up to that level.
const laws = searchIndexConformance.filter(({ level }) => level === 'core');
console.log(laws.length > 0 ? 'there are laws of level core' : 'there are none');

const search = { name: 'remote', level: 'core', port: await openRemoteIndex() } as const;
// Stands for LDAP or a database. Whoever it does not know is refused.
const directory: Readonly<Record<string, Record<string, unknown>>> = { ada: { clearance: 'S' } };
const attributes: Adapters['attributes'] = { attributesOf: async (name) => directory[name] };

const configuration = {
  server: { port: 0, metrics: { enabled: false } },
  auth: { users: { ada: {}, max: {} }, hierarchies: { clearance: ['O', 'S'] } },
};

// Scores by all documents tell of those that a reader may not see, so somebody has to say that this is all right.
const refused = createServer({ configuration, adapters: { search, attributes } });
await refused.start().catch((error: Error) => console.log(error.message));

const allowed = { ...configuration, allowStatisticalLeak: true };
const server = createServer({ configuration: allowed, adapters: { search, attributes } });
const url = await server.start();
const health = await (await fetch(`${url}/api/search/healthz`)).json();
console.log('conformance', (health as { config: { conformance: string } }).config.conformance);
for (const user of ['ada', 'max']) {
  const headers = { Authorization: `Bearer ${await server.issueToken(user)}` };
  console.log(user, (await fetch(`${url}/api/search/documents?query=boat`, { headers })).status);
}
await server.close();

/* Prints:
there are laws of level core
search (remote) must keep the level non-interference, or allowStatisticalLeak be true: its answers depend on what the reader may not see
conformance core
ada 200
max 401
*/
