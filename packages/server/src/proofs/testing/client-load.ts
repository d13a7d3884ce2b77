import type { Loose } from '../../testing/server.ts';
import type { Client } from './client.ts';
import { createRandom } from './random.ts';

const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
const DOCUMENTS_PER_CLIENT = 4;

export interface Written {
  /** The last value of its own subject; 0 before the first. */
  count: number;
  readonly documents: Set<string>;
  requests: number;
  /** Statuses that were not expected. */
  readonly faults: string[];
}

/** Requests of every kind as one client, one after the other until the time is over, over data that stay the same size. */
export async function load(client: Client, number: number, untilMs: number): Promise<Written> {
  const random = createRandom(number + 1);
  const written: Written = { count: 0, documents: new Set(), requests: 0, faults: [] };
  while (performance.now() < untilMs) {
    const step = STEPS[random(STEPS.length)] as Step;
    const fault = await step({ client, number, random, written }).catch((error: unknown) => String(error));
    written.requests += 1;
    if (fault !== undefined) written.faults.push(fault);
  }
  return written;
}

interface Turn {
  readonly client: Client;
  readonly number: number;
  readonly random: (bound: number) => number;
  readonly written: Written;
}

/** One request; what was wrong with its answer. */
type Step = (turn: Turn) => Promise<string | undefined>;

const READS: readonly ((turn: Turn) => string)[] = [
  ({ random }) => `/api/search/documents?query=fog%20client${random(64)}&limit=10`,
  () => '/api/search/documents?query=letter&limit=5&highlighting=true',
  ({ random }) => `/api/search/typeahead?query=client${random(7)}`,
  () => '/api/search/facets?query=*&facet=types',
  ({ number }) => `/api/search/list?id=urn:client:${number}&id=urn:none`,
  ({ random }) => `/api/search/states?id=urn:client:${random(64)}`,
  () => sparql('SELECT (COUNT(*) AS ?n) { ?s <urn:count> ?o }'),
  ({ random }) => sparql(`SELECT * { <urn:client:${random(64)}> ?p ?o }`),
  () => '/api/search/healthz',
];

const STEPS: readonly Step[] = [
  ...READS.flatMap((target): Step[] => [read(target), read(target)]),
  countUp,
  countUp,
  countUp,
  uploadLetter,
];

function sparql(text: string): string {
  return `/api/graph/knowledge/query?query=${encodeURIComponent(text)}`;
}

function read(target: (turn: Turn) => string): Step {
  return async (turn) => {
    const response = await turn.client.send(target(turn));
    const text = await response.text();
    return response.status === 200 ? undefined : `${target(turn)}: ${response.status} ${text.slice(0, 200)}`;
  };
}

async function countUp({ client, number, written }: Turn): Promise<string | undefined> {
  const [subject, next] = [`<urn:client:${number}>`, written.count + 1];
  const insert = `${subject} <urn:count> ${next} ; <${NAME}> "client${number}"`;
  const status = await client.update(
    '*',
    `DELETE { ${subject} <urn:count> ?n } INSERT { ${insert} } WHERE { OPTIONAL { ${subject} <urn:count> ?n } }`,
  );
  if (status !== 200) return `update: ${status}`;
  written.count = next;
  return undefined;
}

/** Uploads one of the client's few letters; the same one again is the same document. */
async function uploadLetter({ client, number, random, written }: Turn): Promise<string | undefined> {
  const name = `letter-${number}-${random(DOCUMENTS_PER_CLIENT)}.txt`;
  const { status } = await client.upload('*', name, `A letter of client${number}, ${name}, lost in the fog.`);
  if (status !== 202) return `upload: ${status}`;
  written.documents.add(name);
  return undefined;
}

export async function missing(client: Client, all: readonly Written[]): Promise<string[]> {
  const rows = await client.select('SELECT ?s ?n { ?s <urn:count> ?n }');
  const counts = new Map(rows.map(({ s = '', n }) => [s, Number(n)]));
  const found = await client.json('/api/search/documents?query=letter&indices=doc-content&limit=1000');
  const names = found.results.map(({ document }: Loose) => document.primaryName);
  const expected = all.filter(({ count }) => count > 0).length;
  return [
    ...(rows.length === expected ? [] : [`${rows.length} counts; expected ${expected}`]),
    ...all.flatMap(({ count, documents }, number) => [
      ...(count === 0 || counts.get(`urn:client:${number}`) === count
        ? []
        : [`count ${number}: ${counts.get(`urn:client:${number}`)}; expected ${count}`]),
      ...[...documents].filter((name) => names.filter((one: string) => one === name).length !== 1),
    ]),
  ];
}
