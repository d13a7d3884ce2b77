/**
 * A labelled quad store in a program of one's own: SPARQL query, SPARQL update, and the change as an RDF patch.
 */
import { openGraphDataset, parseRdf, type QueryResult, toPatch, toPatchEvents, writeTerm } from '@cairn/rdf-graph';
import { createViewer } from '@cairn/security';

const dataset = await openGraphDataset({ name: 'knowledge', nowMs: () => performance.now() });

const PREFIXES = 'PREFIX : <https://example.org/>';
const turtle = `
  @prefix : <https://example.org/> .
  :anna :knows :ben , :chris .
  :ben :knows :chris .
`;

// Every quad is stored under a label. A quad may have several; it is visible when any of them permits.
for await (const quad of parseRdf(turtle, { contentType: 'text/turtle' })) {
  const label = quad.object.value.endsWith('chris') ? 'staff' : '*';
  await dataset.apply([{ deletions: [], additions: [{ quad, label }] }]);
}

const staff = createViewer({ attributes: { staff: ['true'] } });
const anybody = createViewer({ attributes: {} });

async function show(name: string, result: QueryResult): Promise<void> {
  if (result.type !== 'bindings') return;
  for await (const solution of result.solutions) {
    console.log(name, [...solution].map(([variable, term]) => `?${variable}=${writeTerm(term)}`).join(' '));
  }
}

// Aggregates count what the reader may see.
const counting = `${PREFIXES} SELECT ?who (COUNT(*) AS ?friends) { ?who :knows ?other } GROUP BY ?who ORDER BY ?who`;
await show('staff  ', await dataset.query(staff, counting));
await show('anybody', await dataset.query(anybody, counting));

// An update is evaluated over what its writer may see, and gives the change without making it. So a change can be
// written to a log first (toPatchEvents), and applied afterwards.
const changes = await dataset.evaluateUpdate(
  anybody,
  `${PREFIXES} DELETE { ?a :knows ?b } INSERT { ?b :knownBy ?a } WHERE { ?a :knows ?b }`,
  { label: '*' },
);
console.log(toPatch(changes).trimEnd());
for (const event of await toPatchEvents(changes, { eventId: 'update-1' })) {
  console.log(event.headers.get('Event-Id'), event.headers.get('Security-Label'));
}
await dataset.apply([changes]);

// Nobody deletes what they cannot see: both quads about chris are still there for staff.
console.log('staff sees', await dataset.count(staff), 'and anybody', await dataset.count(anybody));
await dataset.close();

/* Prints:
staff   ?who=<https://example.org/anna> ?friends="2"^^<http://www.w3.org/2001/XMLSchema#integer>
staff   ?who=<https://example.org/ben> ?friends="1"^^<http://www.w3.org/2001/XMLSchema#integer>
anybody ?who=<https://example.org/anna> ?friends="1"^^<http://www.w3.org/2001/XMLSchema#integer>
TX .
D <https://example.org/anna> <https://example.org/knows> <https://example.org/ben> .
A <https://example.org/ben> <https://example.org/knownBy> <https://example.org/anna> .
TC .
update-1 *
staff sees 3 and anybody 1
*/
