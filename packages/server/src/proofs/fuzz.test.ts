import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Loose } from '../testing/server.ts';
import type { Client } from './testing/client.ts';
import { type FuzzedOperation, type FuzzedRequest, fuzzedRequests } from './testing/fuzz-request.ts';
import { LONG } from './testing/scale.ts';
import { type ServerProcess, startProcess } from './testing/server-process.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const REQUESTS = LONG ? 2000 : 200;
const WARM_UP = 10;
const AT_ONCE = 4;
const SEED = Number(process.env['CAIRN_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 20));
/** A busy machine is no hang; a long run has the machine for itself. */
const HANG_MS = LONG ? 5_000 : 30_000;
const HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
/** Operations for which a random request finds nothing to work on. */
const MAY_NEVER_SUCCEED: ReadonlySet<string> = new Set(['updateEntity']);
const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';

it(`answers ${REQUESTS} random requests for each operation of its own OpenAPI document as the document says`, async () => {
  const data = path.join(temporaryDirectory(), 'data');
  const server = await startProcess(data).ready;
  const alice = await server.as('alice');
  expect(await alice.update('*', `INSERT DATA { <urn:a> <${NAME}> "Eagle" ; a <urn:T> }`)).toBe(200);
  const send = await senderOf(server);
  const operations = operationsOf(await alice.json('/api/openapi.json'));
  expect(operations.length).toBeGreaterThan(25);
  // What is opened at its first use, such as the files of a topic, is opened now.
  for (const operation of operations) await fuzz(operation, { send, count: () => undefined, runs: WARM_UP });
  const before = { ...(await server.measure()), files: server.leftovers() };
  const faults: string[] = [];
  const tally: Record<string, Record<number, number>> = {};
  const count: Count = (operation, status) => {
    const statuses = tally[operation] ?? {};
    tally[operation] = { ...statuses, [status]: (statuses[status] ?? 0) + 1 };
  };
  for (const operation of operations) faults.push(...(await fuzz(operation, { send, count, runs: REQUESTS })));
  expect(faults, `CAIRN_SEED=${SEED}`).toEqual([]);
  for (const [operation, statuses] of Object.entries(tally)) {
    const isUnderstood = Object.keys(statuses).some((status) => Number(status) < 300);
    // Few requests may by chance all be refused.
    expect(!LONG || isUnderstood || MAY_NEVER_SUCCEED.has(operation), `${operation} ${JSON.stringify(statuses)}`).toBe(
      true,
    );
  }
  await idle(alice);
  const after = { ...(await server.measure()), files: server.leftovers() };
  expect(after.files).toEqual(before.files);
  expect(after.handles, 'open files and sockets').toBeLessThan(before.handles + 10);
  expect(after.heapUsed - before.heapUsed).toBeLessThan(HEAP_GROWTH_BYTES);
  if (LONG) console.info(`${operations.length} operations, seed ${SEED}`, before, after, tally);
  expect(await server.stop()).toBe(0);
}, 3_600_000);

/** Counts an answer of an operation. */
type Count = (operation: string, status: number) => void;
type Send = (request: FuzzedRequest) => Promise<Response>;

async function senderOf(server: ServerProcess): Promise<Send> {
  const users = new Map<string, Client>();
  for (const name of ['alice', 'dieter', 'reader']) users.set(name, await server.as(name, HANG_MS));
  return ({ target, user, init }) => {
    const client = user === undefined ? undefined : users.get(user);
    return (
      client?.send(target, init) ?? fetch(`${server.url}${target}`, { ...init, signal: AbortSignal.timeout(HANG_MS) })
    );
  };
}

function operationsOf(document: Loose): FuzzedOperation[] {
  return Object.entries(document.paths as Loose).flatMap(([where, methods]) =>
    Object.entries(methods as Loose).map(([method, operation]) => ({ path: where, method, operation })),
  );
}

interface Fuzzing {
  readonly send: Send;
  readonly count: Count;
  readonly runs: number;
}

/** Sends random requests; what was wrong with the answers. */
async function fuzz(operation: FuzzedOperation, { send, count, runs }: Fuzzing): Promise<string[]> {
  const requests = fc.sample(fuzzedRequests(operation), { numRuns: runs, seed: SEED });
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const fault = await faultOf(operation, request, send, count);
      if (fault !== undefined) faults.push(`${operation.method} ${describe(request)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // A few say enough.
  return faults.slice(0, 3);
}

function describe({ target, user, init }: FuzzedRequest): string {
  const body = init.body instanceof Uint8Array ? Buffer.from(init.body).toString('latin1') : init.body;
  return JSON.stringify({ target, user, ...init, body }).slice(0, 600);
}

async function faultOf(
  operation: FuzzedOperation,
  request: FuzzedRequest,
  send: Send,
  count: Count,
): Promise<string | undefined> {
  let response: Response;
  let body: string;
  try {
    response = await send(request);
    body = await response.text();
  } catch (error) {
    return `no answer: ${(error as Error).cause ?? error}`;
  }
  const { status } = response;
  count(operation.operation.operationId, status);
  if (response.headers.get('request-id') === null) return `${status} without a Request-ID`;
  // A variable of a path may turn it into another path, or an area's `documents/` into another operation.
  const isNamed = Object.hasOwn(operation.operation.responses, status) || isPathFault(operation, status);
  if (!isNamed || status >= 500) return `${status} ${body.slice(0, 300)}`;
  if (status < 400) return undefined;
  return problemFault(response, body);
}

function isPathFault({ path: where }: FuzzedOperation, status: number): boolean {
  return where.includes('{') && (status === 404 || status === 405);
}

function problemFault(response: Response, body: string): string | undefined {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/plain'))
    return body.startsWith(`${response.status} `) ? undefined : `no problem text: ${body}`;
  if (!/json/.test(type)) return `${response.status} as ${type}`;
  const problem = JSON.parse(body) as Loose;
  // Where a standard or the interface gives the error its own shape.
  if (Array.isArray(problem.errors) || Array.isArray(problem) || problem.documents?.length > 0) return undefined;
  const isWhole =
    typeof problem.type === 'string' && typeof problem.title === 'string' && problem.status === response.status;
  return isWhole ? undefined : `no problem document: ${body.slice(0, 300)}`;
}

/** Waits until everything accepted is applied: an update waits for what came before it. */
async function idle(client: Client): Promise<void> {
  expect(await client.update('*', 'INSERT DATA { <urn:last> <urn:p> "o" }')).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 500));
}
