/**
 * Full-text search in a program of one's own: two readers ask the same question and get different answers.
 */
import { openSearchIndex } from '@cairn/search';
import { createViewer } from '@cairn/security';

// One index in memory. With `blobs` (see durable-log.ts) it would survive a restart.
const index = await openSearchIndex({ indices: ['reports'] });

// A document is any JSON object with a `uri`. Labels stand beside the fields: for the whole object, or for one field.
await index.apply([
  {
    type: 'put',
    index: 'reports',
    document: {
      uri: 'report:1',
      primaryName: 'Harbour inspection',
      text: 'The lighthouse was repainted and its lamp replaced.',
      securityLabels: { defaults: '*' },
    },
  },
  {
    type: 'put',
    index: 'reports',
    document: {
      uri: 'report:2',
      primaryName: 'Incident at the lighthouse',
      text: 'The lamp failed for two hours.',
      reporter: 'M. Keeper',
      securityLabels: { defaults: 'clearance=S', reporter: 'clearance=TS' },
    },
  },
]);

const hierarchies = { clearance: ['O', 'S', 'TS'] };
const readers = {
  captain: createViewer({ attributes: { clearance: ['S'] }, hierarchies }),
  visitor: createViewer({ attributes: {}, hierarchies }),
};

// What a reader may not see takes no part in anything: not in the result, nor in the counts behind the scores. The
// visitor's answer is the one of an index that only ever held the first report.
for (const [name, viewer] of Object.entries(readers)) {
  const { results, maybeMore } = await index.search(viewer, { query: 'lamp', highlight: true });
  console.log(`${name}: ${results.length} result(s), more: ${maybeMore}`);
  for (const { id, document, highlighted } of results) {
    console.log(`  ${id} ${Object.keys(document).join(' ')}: ${highlighted?.['text']}`);
  }
}

// The query language: fields, phrases, wildcards, required and excluded terms.
const { results } = await index.search(readers.captain, { query: 'primaryName:light* -repainted' });
console.log(results.map(({ id }) => id).join());

await index.close();

/* Prints:
captain: 2 result(s), more: false
  report:1 uri primaryName text: The lighthouse was repainted and its <em>lamp</em> replaced.
  report:2 uri primaryName text: The <em>lamp</em> failed for two hours.
visitor: 1 result(s), more: false
  report:1 uri primaryName text: The lighthouse was repainted and its <em>lamp</em> replaced.
report:2
*/
