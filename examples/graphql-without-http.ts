// Ask a graph in GraphQL, as a function: no server anywhere. Two viewers get two answers, counts included.
import { openGraphDataset } from '@cairn/rdf-graph';
import { createPlatformSchema, executeGraphQL } from '@cairn/rdf-graph/graphql';
import { createViewer } from '@cairn/security';

const dataset = await openGraphDataset({ name: 'apollo', prefixes: { a: 'http://apollo.example/' } });
const labels = { open: '*', crew: 'clearance=crew' };
const facts = {
  [labels.open]: 'a:eagle a a:Module ; a:landedOn a:moon . a:columbia a a:Module ; a:orbited a:moon . a:moon a a:Body',
  [labels.crew]: 'a:armstrong a a:Astronaut ; a:walkedOn a:moon . a:aldrin a a:Astronaut ; a:walkedOn a:moon',
};
for (const [label, triples] of Object.entries(facts)) {
  const insert = `PREFIX a: <http://apollo.example/> INSERT DATA { ${triples} }`;
  await dataset.apply([await dataset.evaluateUpdate(createViewer({ attributes: {} }), insert, { label })]);
}

const schema = createPlatformSchema();
const query = `query($uri: String!) {
  node(uri: $uri) {
    shortUri
    inRels(limit: 3) { predicate domain { shortUri } }
    relCounts { inRels }
    relFacets { inRels { types { shortUri count } } }
  }
}`;
const viewers = {
  public: createViewer({ attributes: {} }),
  crew: createViewer({ attributes: { clearance: ['crew'] } }),
};

for (const [name, viewer] of Object.entries(viewers)) {
  const request = { query, variables: { uri: 'http://apollo.example/moon' } };
  const { data } = await executeGraphQL(schema, dataset, viewer, request);
  console.log(name, JSON.stringify(data?.['node']));
}

/* Prints:
public {"shortUri":"a:moon","inRels":[{"predicate":"http://apollo.example/landedOn","domain":{"shortUri":"a:eagle"}},{"predicate":"http://apollo.example/orbited","domain":{"shortUri":"a:columbia"}}],"relCounts":{"inRels":2},"relFacets":{"inRels":{"types":[{"shortUri":"a:Module","count":2}]}}}
crew {"shortUri":"a:moon","inRels":[{"predicate":"http://apollo.example/landedOn","domain":{"shortUri":"a:eagle"}},{"predicate":"http://apollo.example/orbited","domain":{"shortUri":"a:columbia"}},{"predicate":"http://apollo.example/walkedOn","domain":{"shortUri":"a:aldrin"}}],"relCounts":{"inRels":4},"relFacets":{"inRels":{"types":[{"shortUri":"a:Astronaut","count":2},{"shortUri":"a:Module","count":2}]}}}
*/
