import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { LONG } from './testing/scale.ts';
import { fill, MAY, type Stored, stored, WITH_WRITER } from './testing/two-stores.ts';
import { type ViewerRequest, viewerRequest } from './testing/viewer-requests.ts';

const [STORES, REQUESTS] = LONG ? [40, 100] : [2, 60];
const NOW = Date.UTC(2030, 0, 1);
/** Ids and times of a request itself, which are no data. */
const OWN_HEADERS = ['request-id', 'date', 'connection', 'keep-alive'];

// Documents carry when they were made: the same moment in both stores.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => void vi.useRealTimers());

it(`gives two viewers, byte for byte, what a store of only their data gives, in ${REQUESTS} requests over each of ${STORES} stores`, async () => {
  let answers = 0;
  const property = fc.asyncProperty(
    fc.array(stored, { minLength: 6, maxLength: 20 }),
    fc.array(viewerRequest, { minLength: REQUESTS, maxLength: REQUESTS, size: 'max' }),
    async (things, requests) => {
      // Over all data every SPARQL query is a worker's, over the visible ones the main thread's.
      const all = await startTestServer({ ...WITH_WRITER, graph: { shortQueryMs: 0 } });
      try {
        await fill(all, things);
        for (const user of ['alice', 'dieter'] as const) answers += await compare(all, things, requests, user);
      } finally {
        await all.server.close();
      }
    },
  );
  await fc.assert(property, { numRuns: STORES, endOnFailure: true });
  if (LONG) console.info(`${answers} pairs of answers with data compared`);
}, 3_600_000);

/** Compares every answer with that of a store of the visible things; how many answers held something. */
async function compare(
  all: TestServer,
  things: readonly Stored[],
  requests: readonly ViewerRequest[],
  user: keyof typeof MAY,
): Promise<number> {
  const visible = await startTestServer(WITH_WRITER);
  try {
    await fill(
      visible,
      things.filter(({ label }) => MAY[user].includes(label)),
    );
    let full = 0;
    for (const request of requests) {
      const [got, expected] = [await answerOf(all, user, request), await answerOf(visible, user, request)];
      expect(got, `${user} ${JSON.stringify(request)}`).toEqual(expected);
      if (got.status === 200 && got.body.length > 150) full += 1;
    }
    return full;
  } finally {
    await visible.server.close();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

async function answerOf(server: TestServer, user: string, { target, init }: ViewerRequest): Promise<Answer> {
  const response = await server.send(user, target, init);
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
  return { status: response.status, headers, body: await response.text() };
}
