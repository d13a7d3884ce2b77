import { expect } from 'vitest';
import { eventually, type Loose } from '../../testing/server.ts';
import type { Client } from './client.ts';
import { addressOf, BATCH, COMMON_WORD } from './crash-work.ts';
import type { Ledger } from './ledger.ts';

const PAGE = 1000;

/** Checks that everything acknowledged is found exactly once, and that nothing is half applied. */
export async function checkEverything(client: Client, ledger: Ledger): Promise<void> {
  await checkDocuments(client, ledger);
  await checkBatches(client, ledger);
  await checkCounter(client, ledger);
}

async function checkDocuments(client: Client, ledger: Ledger): Promise<void> {
  const acknowledged = ledger.acknowledged('uploads');
  const documents = await eventually(async () => {
    const found = await allDocuments(client);
    return acknowledged.every((word) => found.has(word)) ? found : undefined;
  }).catch(async (cause: unknown) => {
    const found = await allDocuments(client);
    throw new Error(`uploads are lost: ${acknowledged.filter((word) => !found.has(word))}`, { cause });
  });
  expect(documents.size).toBeLessThanOrEqual(ledger.attempted('uploads').length);
  checkDocumentsOf(documents, ledger.acknowledged('corrections'));
}

/** Checks that each document is found once, and holds its correction. */
export function checkDocumentsOf(documents: ReadonlyMap<string, readonly Loose[]>, corrected: readonly string[]): void {
  for (const [word, copies] of documents) expect([word, copies.length]).toEqual([word, 1]);
  for (const word of corrected) {
    const [{ entities }] = documents.get(word) as [Loose];
    const found = entities.filter(({ text }: Loose) => text === addressOf(word));
    expect(found, `the correction of ${word}`).toMatchObject([{ uri: `urn:person:${word}`, category: 'urn:Person' }]);
  }
}

/** Documents by the word that is in their name. */
export async function allDocuments(client: Client): Promise<Map<string, Loose[]>> {
  const documents = new Map<string, Loose[]>();
  for (let offset = 1, isMore = true; isMore; offset += PAGE) {
    const page = await client.json(
      `/api/search/documents?query=${COMMON_WORD}&indices=doc-content&limit=${PAGE}&offset=${offset}`,
    );
    isMore = page.maybeMore;
    for (const { document } of page.results) {
      const word = document.primaryName.replace('.txt', '');
      documents.set(word, [...(documents.get(word) ?? []), document]);
    }
  }
  return documents;
}

async function checkBatches(client: Client, ledger: Ledger): Promise<void> {
  const { stored, found } = await readSets(client);
  expect(ledger.acknowledged('batches').filter((name) => !stored.includes(name))).toEqual([]);
  // What the graph holds, the index holds.
  if (found.length < 1000) expect(found.sort()).toEqual(stored.sort());
}

/** Returns the names of the sets in the graph, each of which is whole, and in the index, where each is once. */
export async function readSets(client: Client): Promise<{ readonly stored: string[]; readonly found: string[] }> {
  const rows = await client.select('SELECT ?s (COUNT(?m) AS ?n) { ?s <urn:member> ?m } GROUP BY ?s');
  const sizes = new Map(rows.map(({ s = '', n }) => [s.replace('urn:', ''), Number(n)]));
  for (const [name, size] of sizes) expect([name, size]).toEqual([name, BATCH]);
  const { results } = await client.json('/api/search/typeahead?query=set&limit=1000');
  const found = results.map(({ id }: Loose) => id.replace('urn:', ''));
  expect(new Set(found).size, 'entities are found once').toBe(found.length);
  return { stored: [...sizes.keys()], found };
}

async function checkCounter(client: Client, ledger: Ledger): Promise<void> {
  const rows = await client.select('SELECT ?n { <urn:counter> <urn:count> ?n }');
  const [least, most] = [ledger.acknowledged('steps').length, ledger.attempted('steps').length];
  expect(rows.length, JSON.stringify(rows)).toBe(most === 0 || (least === 0 && rows.length === 0) ? 0 : 1);
  const count = Number(rows[0]?.['n'] ?? 0);
  expect(count).toBeGreaterThanOrEqual(least);
  expect(count).toBeLessThanOrEqual(most);
}
