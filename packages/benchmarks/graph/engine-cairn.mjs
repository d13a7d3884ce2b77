import { createMemoryBlobStore } from '@cairn/events';
import { namedNode, openGraphDataset, parseRdfBatches } from '@cairn/rdf-graph';
import { createViewer } from '@cairn/security';
import { KNOWS, person } from './data.mjs';

// A viewer who may see what is loaded under the label: the filter is on.
const viewer = createViewer({ attributes: { clearance: ['O'] } });
const LABEL = 'clearance=O';

export async function open(text) {
  const blobs = createMemoryBlobStore();
  const options = { name: 'bench', blobs, nowMs: () => performance.now() };
  const dataset = await openGraphDataset(options);
  await dataset.load(parseRdfBatches(text, { contentType: 'application/n-triples' }), { label: LABEL });
  return {
    async query(sparql) {
      const { variables, solutions } = await dataset.query(viewer, sparql);
      const rows = [];
      for await (const solution of solutions) rows.push(variables.map((name) => solution.get(name)));
      return rows;
    },
    twoHop(from, to) {
      let quads = 0;
      const knows = namedNode(KNOWS);
      for (let i = from; i < to; i++) {
        for (const first of dataset.readQuads(viewer, { subject: namedNode(person(i)), predicate: knows })) {
          quads++;
          for (const _ of dataset.readQuads(viewer, { subject: first.object, predicate: knows })) quads++;
        }
      }
      return quads;
    },
    async insert(quads) {
      const additions = quads.map((quad) => ({ quad, label: LABEL }));
      await dataset.apply([{ deletions: [], additions }]);
    },
    async update(sparql) {
      await dataset.apply([await dataset.evaluateUpdate(viewer, sparql, { label: LABEL })]);
    },
    /** Milliseconds from stored blobs to the answer of a look-up. */
    async reopen() {
      await dataset.flush();
      const start = performance.now();
      const reopened = await openGraphDataset(options);
      const quads = [...reopened.readQuads(viewer, { subject: namedNode(person(7)) })];
      if (quads.length === 0) throw new Error('nothing was stored');
      return performance.now() - start;
    },
  };
}
