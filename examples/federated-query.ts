/**
 * One query over two datasets of a running server: SERVICE clauses ask its SPARQL endpoints, Comunica joins the answers.
 * Each endpoint answers by what the token permits, so the join shows nothing that its reader could not have asked for.
 */
import { openGraphDataset, parseJsonResult } from '@cairn/rdf-graph';
import { queryWithComunica, type SparqlService } from '@cairn/rdf-graph/comunica';
import { createViewer } from '@cairn/security';
import { createServer } from '@cairn/server';

const server = createServer({
  configuration: {
    server: { port: 0, metrics: { enabled: false } },
    auth: { users: { ada: { attributes: { crew: 'true' } }, max: {} } },
    datasets: { boats: {}, harbours: {} },
  },
});
const graph = `${await server.start()}/api/graph`;

async function post(
  user: string,
  path: string,
  type: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const token = await server.issueToken(user);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type, ...more };
  const response = await fetch(`${graph}/${path}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.text();
}

const boats = '@prefix : <urn:x:> . :skerry :name "Skerry" ; :at :leith . :arran :name "Arran" ; :at :oban .';
await post('ada', 'boats/upload', 'text/turtle', boats, { 'Security-Label': '*' });
await post('ada', 'harbours/upload', 'text/turtle', '<urn:x:leith> <urn:x:town> "Edinburgh" .', {
  'Security-Label': '*',
});
await post('ada', 'harbours/upload', 'text/turtle', '<urn:x:oban> <urn:x:town> "Oban" .', { 'Security-Label': 'crew' });

// A service is a function: here one that asks an endpoint of the server as a certain user.
const endpointOf =
  (user: string, dataset: string): SparqlService =>
  async (query) => {
    const accept = { Accept: 'application/sparql-results+json' };
    const answer = parseJsonResult(await post(user, `${dataset}/sparql`, 'application/sparql-query', query, accept));
    return answer.type === 'bindings' ? answer.solutions : [];
  };

// What is not asked of a service is asked of this dataset: here there is nothing.
const local = await openGraphDataset({ name: 'local' });
const query = `PREFIX : <urn:x:>
  SELECT ?name ?town {
    SERVICE <urn:x:boats> { ?boat :name ?name ; :at ?harbour }
    SERVICE <urn:x:harbours> { ?harbour :town ?town }
  } ORDER BY ?name`;

for (const user of ['ada', 'max']) {
  const services = new Map(['boats', 'harbours'].map((name) => [`urn:x:${name}`, endpointOf(user, name)]));
  const result = await queryWithComunica(local, createViewer({ attributes: {} }), query, { services });
  if (result.type !== 'bindings') continue;
  for await (const row of result.solutions) console.log(`${user}:`, row.get('name')?.value, row.get('town')?.value);
}

// Only services that were handed over are called.
const elsewhere = 'SELECT * { SERVICE <https://example.org/sparql> { ?s ?p ?o } }';
const refused = queryWithComunica(local, createViewer({ attributes: {} }), elsewhere);
await refused.catch((error: Error) => console.log(error.message));
await server.close();

/* Prints:
ada: Arran Oban
ada: Skerry Edinburgh
max: Skerry Edinburgh
SERVICE may call only the endpoints that the configuration names; got "https://example.org/sparql"
*/
