// The platform schema over the embedded store, for a viewer who is permitted by a label on every quad.
import { readFileSync } from 'node:fs';
import { openGraphDataset, parseRdfBatches } from '@cairn/rdf-graph';
import { createPlatformSchema, executeGraphQL } from '@cairn/rdf-graph/graphql';
import { createViewer } from '@cairn/security';
import { serve } from './measure.mjs';

const start = performance.now();
const dataset = await openGraphDataset({ name: 'bench' });
const text = readFileSync(process.argv[2], 'utf8');
for await (const quads of parseRdfBatches(text, { contentType: 'application/n-triples' })) {
  await dataset.apply([{ deletions: [], additions: quads.map((quad) => ({ quad, label: 'clearance=S' })) }]);
}
const viewer = createViewer({ attributes: { clearance: ['S'] } });
const schema = createPlatformSchema();
const now = () => performance.now();
serve(
  (query, variables) => executeGraphQL(schema, dataset, viewer, { query, variables }, { now }),
  performance.now() - start,
);
