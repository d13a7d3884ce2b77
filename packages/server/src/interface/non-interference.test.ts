import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 100 : 6;
const LABELS = ['*', 'clearance=O', 'clearance=S', 'clearance=TS', 'nationality=GBR', 'nationality=DEU'];
const VIEWERS = ['alice', 'dieter'] as const;
const MAY: Readonly<Record<(typeof VIEWERS)[number], readonly string[]>> = {
  alice: ['*', 'clearance=O', 'clearance=S', 'clearance=TS', 'nationality=GBR'],
  dieter: ['*', 'clearance=O', 'nationality=DEU'],
};
const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
const WORDS = ['eagle', 'falcon', 'orion', 'snoopy', 'eagles'];
/** Writes under every label; only for filling the stores. */
const CONFIGURATION = {
  ...TEST_CONFIGURATION,
  auth: {
    ...TEST_CONFIGURATION.auth,
    users: {
      ...TEST_CONFIGURATION.auth?.users,
      writer: { attributes: { clearance: 'TS', nationality: ['GBR', 'DEU'] }, roles: [] },
    },
  },
};

interface Fact {
  readonly subject: number;
  readonly words: readonly string[];
  readonly type: number;
  readonly label: string;
}

const fact: fc.Arbitrary<Fact> = fc.record({
  subject: fc.integer({ min: 0, max: 6 }),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  type: fc.integer({ min: 0, max: 2 }),
  label: fc.constantFrom(...LABELS),
});

const REQUESTS = [
  ...WORDS.map((word) => `/api/search/documents?query=${word}&highlighting=true&show-security-labels=true`),
  '/api/search/documents?query=eagle%20OR%20orion&limit=2&offset=2',
  '/api/search/documents?query=*',
  '/api/search/typeahead?query=ea&show-security-labels=true',
  '/api/search/facets?query=*&facet=types',
  `/api/search/documents/${encodeURIComponent('urn:s:1')}?show-security-labels=true`,
  '/api/search/list?id=urn:s:0&id=urn:s:1&id=urn:s:2&show-security-labels=true',
  '/api/search/states?id=urn:s:0',
  `/api/graph/knowledge/query?query=${encodeURIComponent('SELECT ?s ?n { ?s ?p ?n } ORDER BY ?s ?p ?n')}`,
  `/api/graph/knowledge/query?query=${encodeURIComponent('SELECT (COUNT(*) AS ?c) (COUNT(DISTINCT ?s) AS ?d) { ?s ?p ?o }')}`,
  `/api/graph/knowledge/query?query=${encodeURIComponent('ASK { ?s a <urn:t:2> }')}`,
];

async function fill(server: TestServer, facts: readonly Fact[]): Promise<void> {
  for (const { subject, words, type, label } of facts) {
    const text = `INSERT DATA { <urn:s:${subject}> a <urn:t:${type}> ; <${NAME}> "${words.join(' ')}" }`;
    expect((await server.update('writer', label, text)).status).toBe(200);
  }
}

async function answers(server: TestServer, user: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const path of REQUESTS) {
    const response = await server.send(user, path);
    all.push([path, response.status, (await response.json()) as Loose]);
  }
  return all;
}

describe('over HTTP', () => {
  it('a viewer gets from all the data what they get from the data they may see', async () => {
    const property = fc.asyncProperty(
      fc.array(fact, { maxLength: 12 }),
      fc.constantFrom(...VIEWERS),
      async (facts, user) => {
        const [all, visible] = [await startTestServer(CONFIGURATION), await startTestServer(CONFIGURATION)];
        try {
          await fill(all, facts);
          await fill(
            visible,
            facts.filter(({ label }) => MAY[user].includes(label)),
          );
          expect(await answers(all, user)).toEqual(await answers(visible, user));
        } finally {
          await Promise.all([all.server.close(), visible.server.close()]);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
});
