import path from 'node:path';
import { expect } from 'vitest';
import type { ConfigurationInput } from '../../../config/configuration.ts';
import { eventually, TEST_CONFIGURATION } from '../../../testing/server.ts';
import type { Client } from '../client.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';

/** The time limit of the small server's graph. */
export const TIME_LIMIT_MS = 5_000;

/** Little of everything, as on the smallest machine that anybody would run it on. */
const SMALL: ConfigurationInput = {
  ...TEST_CONFIGURATION,
  graph: { timeLimitMs: TIME_LIMIT_MS, maxMemoryMb: 32, queryWorkers: 2, queryWorkerMemoryMb: 128, maxRows: 100_000 },
  search: { timeLimitMs: TIME_LIMIT_MS },
};

/** A server that bombs are thrown at, filled with a few documents and triples. */
export interface SmallServer {
  readonly process: ServerProcess;
  /** Who throws: reads, and writes to `catalog`. */
  readonly attacker: Client;
  readonly colleague: Client;
}

export async function startSmallServer(directory: string, atEnd: (end: () => void) => void): Promise<SmallServer> {
  const server = await startProcess(path.join(directory, 'data'), SMALL, atEnd).ready;
  const [attacker, colleague] = [await server.as('alice', 120_000), await server.as('dieter')];
  const triples = Array.from({ length: 600 }, (_, i) => `<urn:s:${i}> <urn:p:${i % 7}> ${i} .`).join('\n');
  expect(await colleague.update('*', `INSERT DATA { ${triples} }`)).toBe(200);
  for (const name of ['fog.txt', 'mist.txt']) {
    expect((await colleague.upload('*', name, `A letter about ${name}, lost at sea`)).status).toBe(202);
  }
  await eventually(async () => {
    const { results } = await colleague.json('/api/search/documents?query=letter&indices=doc-content');
    return results.length === 2 ? true : undefined;
  });
  // The graph tells of documents, too, and may come later.
  await eventually(async () => ((await titles(colleague)).length === 2 ? true : undefined));
  return { process: server, attacker, colleague };
}

async function titles(client: Client): Promise<readonly unknown[]> {
  const query = 'SELECT ?title { ?s <http://purl.org/dc/terms/title> ?title }';
  const { results } = await client.json(`/api/graph/knowledge/query?query=${encodeURIComponent(query)}`);
  return results.bindings;
}
