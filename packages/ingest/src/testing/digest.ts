import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import { createViewerOfEverything } from '@cairn/security';

const EVERYTHING = createViewerOfEverything();

/** Everything that an index holds, labels and all, as one text that does not depend on the way it came in. */
export async function digestIndex(index: SearchIndex): Promise<string> {
  const documents: unknown[] = [];
  for (let offset = 1; ; offset += 1000) {
    const page = await index.search(EVERYTHING, { query: '*:*', limit: 1000, offset, showSecurityLabels: true });
    documents.push(...page.results.map(({ document }) => document));
    if (!page.maybeMore) break;
  }
  return documents
    .map((document) => JSON.stringify(document))
    .sort()
    .join('\n');
}

export async function digestDataset(dataset: GraphDataset): Promise<string> {
  const lines: string[] = [];
  for await (const { quad, label } of dataset.matchLabelled()) {
    const { subject, predicate, object, graph } = quad;
    lines.push(`${subject.value} ${predicate.value} ${object.value} ${graph.value} {${label}}`);
  }
  return lines.sort().join('\n');
}
