// nDCG@10 on judged collections, beside lunr: RELEVANCE_COLLECTIONS=folder npm run bench -- relevance
// A collection is NAME.docs.jsonl {id, title, text}, NAME.queries.jsonl {id, text}, NAME.qrels.tsv (query, document, 1).
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openSearchIndex } from '@cairn/search';
import { createViewerOfEverything } from '@cairn/security';
import lunr from 'lunr';

const folder = process.env.RELEVANCE_COLLECTIONS;
if (folder === undefined) {
  console.error('RELEVANCE_COLLECTIONS must name a folder of judged collections; it is not set');
  process.exit(2);
}

const readText = (name) => readFileSync(path.join(folder, name), 'utf8');
const readLines = (name) =>
  readText(name)
    .split('\n')
    .filter((line) => line.trim() !== '');

function readCollection(name) {
  const judged = new Map();
  for (const line of readLines(`${name}.qrels.tsv`)) {
    const [query, document] = line.split('\t');
    if (!judged.has(query)) judged.set(query, new Set());
    judged.get(query).add(document);
  }
  const parse = (line) => JSON.parse(line);
  return {
    documents: readLines(`${name}.docs.jsonl`).map(parse),
    queries: readLines(`${name}.queries.jsonl`)
      .map(parse)
      .filter(({ id }) => judged.has(String(id))),
    judged,
  };
}

function ndcg(ids, relevant) {
  const gain = (hits) => hits.reduce((sum, hit, rank) => sum + (hit ? 1 / Math.log2(rank + 2) : 0), 0);
  const ideal = gain(Array.from({ length: Math.min(10, relevant.size) }, () => true));
  return gain(ids.slice(0, 10).map((id) => relevant.has(id))) / ideal;
}

async function openCairn(documents, feedback) {
  const index = await openSearchIndex({ indices: [{ name: 'judged', defaultLabel: '*' }] });
  await index.apply(
    documents.map(({ id, title, text }) => {
      return { type: 'put', index: 'judged', document: { uri: String(id), title: title ?? '', text: text ?? '' } };
    }),
  );
  const viewer = createViewerOfEverything();
  return async (query) => {
    const { results } = await index.search(viewer, { query, type: 'term', limit: 10, feedback });
    return results.map(({ id }) => id);
  };
}

async function openLunr(documents) {
  const index = lunr(function () {
    this.ref('id');
    this.field('title');
    this.field('text');
    for (const document of documents) this.add(document);
  });
  return async (query) => {
    const found = index.query((q) => q.term(lunr.tokenizer(query)));
    return found.slice(0, 10).map(({ ref }) => ref);
  };
}

const ENGINES = {
  cairn: openCairn,
  'cairn, feedback': (documents) => openCairn(documents, {}),
  lunr: openLunr,
};
const collections = readdirSync(folder)
  .filter((name) => name.endsWith('.docs.jsonl'))
  .map((name) => name.slice(0, -11));
const totals = {};
for (const name of collections) {
  const { documents, queries, judged } = readCollection(name);
  for (const [engine, open] of Object.entries(ENGINES)) {
    const search = await open(documents);
    let sum = 0;
    for (const { id, text } of queries) sum += ndcg(await search(text), judged.get(String(id)));
    const mean = sum / queries.length;
    totals[engine] = (totals[engine] ?? 0) + mean;
    console.log(`${name.padEnd(12)} ${engine.padEnd(16)} nDCG@10 ${mean.toFixed(4)}  (${queries.length} queries)`);
  }
}
for (const [engine, total] of Object.entries(totals)) {
  console.log(`${'mean'.padEnd(12)} ${engine.padEnd(16)} nDCG@10 ${(total / collections.length).toFixed(4)}`);
}
