import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { SmallServer } from './small-server.ts';

const COUNT = 'SELECT (COUNT(*) AS ?n) (SUM(?o) AS ?sum) { ?s ?p ?o }';
/** Longer texts are evaluated by a worker at once. */
const LONG_COUNT = `${COUNT}\n#${'-'.repeat(33_000)}`;

const REQUESTS: readonly ((client: Client) => Promise<Response>)[] = [
  (client) => client.send(`/api/graph/knowledge/query?query=${encodeURIComponent(COUNT)}`),
  (client) =>
    client.send('/api/graph/knowledge/query', {
      method: 'POST',
      body: LONG_COUNT,
      headers: { 'Content-Type': 'application/sparql-query' },
    }),
  (client) => client.send('/api/search/documents?query=letter&indices=doc-content'),
];

export interface Sights {
  readonly slowestLivezMs: number;
  /** Answers that were wrong. */
  readonly faults: readonly string[];
  /** The most memory that the process had, in bytes; 0 where the system does not say. */
  readonly peakBytes: number;
}

/** Somebody who asks all the while. */
export interface Bystander {
  leave(): Promise<Sights>;
}

/** Begins to ask: whether the server lives, and two kinds of questions whose answers must be those from before. */
export async function standBeside({ process, colleague }: SmallServer): Promise<Bystander> {
  const expected = await Promise.all(REQUESTS.map(async (request) => describe(await request(colleague))));
  const sights = { slowestLivezMs: 0, faults: [] as string[], peakBytes: 0 };
  let isThere = true;
  const livez = async (): Promise<void> => {
    while (isThere) {
      const startedMs = performance.now();
      const response = await fetch(`${process.url}/livez`);
      await response.text();
      sights.slowestLivezMs = Math.max(sights.slowestLivezMs, performance.now() - startedMs);
      sights.peakBytes = Math.max(sights.peakBytes, residentBytes(process.pid));
      if (response.status !== 200) sights.faults.push(`livez: ${response.status}`);
      await pause(20);
    }
  };
  const ask = async (number: number): Promise<void> => {
    while (isThere) {
      const answer = await describe(await (REQUESTS[number] as (typeof REQUESTS)[0])(colleague));
      if (answer !== expected[number]) sights.faults.push(`request ${number}: ${answer}`);
      await pause(50);
    }
  };
  const loops = [livez(), ...REQUESTS.map((_, number) => ask(number))].map((loop) =>
    loop.catch((error: unknown) => void sights.faults.push(reasonOf(error))),
  );
  return {
    async leave() {
      isThere = false;
      await Promise.all(loops);
      return sights;
    },
  };
}

async function describe(response: Response): Promise<string> {
  return `${response.status} ${await response.text()}`;
}

function reasonOf(error: unknown): string {
  return `${error} ${(error as Error).cause ?? ''}`;
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
