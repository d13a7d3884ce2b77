import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const ONTOLOGY = '/api/graph/ontology';
const AO = 'https://example.org/apollo/ontology#';
const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';
const STYLE = '<http://telicent.io/ontology/style>';
const OWL = 'http://www.w3.org/2002/07/owl#';
const SUB_CLASS = '<http://www.w3.org/2000/01/rdf-schema#subClassOf>';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const body = readFileSync(new URL('../../../../test-fixtures/apollo/ontology/apollo.ttl', import.meta.url), 'utf8');
  const headers = { 'Content-Type': 'text/turtle', 'Security-Label': '*' };
  const response = await server.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body, headers });
  expect(response.status).toBeLessThan(300);
  await vi.waitFor(async () => {
    expect((await server.get('alice', `${ONTOLOGY}/styles`)).styles).toHaveLength(30);
  }, 10_000);
});
afterAll(() => server.server.close());

function update(text: string, label = '*'): Promise<Response> {
  const headers = { 'Content-Type': 'application/sparql-update', 'Security-Label': label };
  return server.send('alice', `${ONTOLOGY}/update`, { method: 'POST', body: text, headers });
}

const declare = (name: string, more: string) =>
  `INSERT DATA { <${AO}${name}> a <${OWL}Class> ; ${SUB_CLASS} <${AO}Vehicle> ; ${LABEL} "${name}" ; ${more} }`;

it('gives findings and styles that do not depend on what the caller may not see', async () => {
  const styled = (shape: string) =>
    `<urn:x:B> ${STYLE} ${JSON.stringify(JSON.stringify({ defaultStyles: { shape } }))} .`;
  const visible = `<urn:x:A> a <${OWL}Class> . <urn:x:B> a <${OWL}Class> . ${styled('ellipse')} ${styled('diamond')}`;
  const hidden = `<urn:x:B> a <urn:x:Secret> . <urn:x:A> a <urn:x:Secret> . ${styled('diamond')}`;
  const answers = [];
  for (const things of [[visible], [hidden, visible]]) {
    const other = await startTestServer();
    for (const body of things) {
      const headers = { 'Content-Type': 'text/turtle', 'Security-Label': body === visible ? '*' : 'clearance=TS' };
      const sent = await other.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body, headers });
      expect(sent.status).toBe(200);
    }
    const [findings, styles] = [
      await other.get('dieter', `${ONTOLOGY}/findings`),
      await other.get('dieter', `${ONTOLOGY}/styles`),
    ];
    answers.push(JSON.stringify([findings, styles]));
    await other.server.close();
  }
  expect(answers[1]).toBe(answers[0]);
  expect(answers[0]).toContain('urn:x:B');
});

describe('GET /{dataset}/styles', () => {
  it('gives the flat style of a class for a theme', async () => {
    const at = `${ONTOLOGY}/styles?class=${encodeURIComponent(`${AO}LunarModule`)}&theme=light`;
    expect((await server.get('alice', at)).styles).toEqual([
      {
        classUri: `${AO}LunarModule`,
        backgroundColor: '#1B2631',
        color: '#DC7633',
        iconFallbackText: 'LM',
        alt: 'Lunar module',
        shape: 'roundrectangle',
        faUnicode: '\\uf717',
        faIcon: 'fa-solid fa-spider',
      },
    ]);
  });

  it('refuses a theme that does not exist, by name and choices', async () => {
    const { detail } = await server.get('alice', `${ONTOLOGY}/styles?theme=sepia`, 400);
    expect(detail).toMatch(/theme.*dark.*light.*sepia|theme.*sepia.*dark.*light/);
  });

  it('inherits a style only when asked to', async () => {
    expect((await update(declare('Hopper', '<u:/note> "new"'))).status).toBe(200);
    const at = `${ONTOLOGY}/styles?class=${encodeURIComponent(`${AO}Hopper`)}`;
    expect((await server.get('alice', at)).styles[0]).toMatchObject({ shape: 'ellipse', alt: 'Hopper' });
    expect((await server.get('alice', `${at}&inherit=true`)).styles[0]).toMatchObject({ color: '#F5B041' });
  });
});

describe('GET /{dataset}/findings', () => {
  it('finds no error in the ontology of the demo', async () => {
    const { findings } = await server.get('dieter', `${ONTOLOGY}/findings`);
    expect(findings.filter(({ severity }: Loose) => severity !== 'note')).toEqual([]);
  });

  it('speaks of visible quads only', async () => {
    expect((await update(declare('Secret', '<u:/note> "x"'), 'clearance=TS')).status).toBe(200);
    const wrong = `<${AO}Secret> a <http://www.w3.org/2000/01/rdf-schema#Class> .`;
    const headers = { 'Content-Type': 'text/turtle', 'Security-Label': 'clearance=TS' };
    await server.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body: wrong, headers });
    const about = async (user: string) =>
      (await server.get(user, `${ONTOLOGY}/findings`)).findings.filter(
        ({ subject }: Loose) => subject === `${AO}Secret`,
      );
    await vi.waitFor(async () => expect((await about('alice')).map(({ rule }: Loose) => rule)).toEqual(['convention']));
    expect(await about('dieter')).toEqual([]);
  });
});

describe('POST /ontology/update', () => {
  it('refuses an update that brings an error into the ontology, and changes nothing', async () => {
    const response = await update(declare('Bad', `${STYLE} "{}"`));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'ERR_ONTOLOGY',
      detail: expect.stringMatching(/style-required: defaultStyles.dark.backgroundColor is missing.*and \d+ more/),
    });
    const ask = encodeURIComponent(`ASK { <${AO}Bad> ?p ?o }`);
    expect((await server.get('alice', `${ONTOLOGY}/query?query=${ask}`)).boolean).toBe(false);
  });

  it('does not let an error that is there already stand in the way', async () => {
    const headers = { 'Content-Type': 'text/turtle', 'Security-Label': '*' };
    const broken = `<${AO}Old> a <${OWL}Class> ; ${LABEL} "Old" ; ${STYLE} "no json" .`;
    await server.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body: broken, headers });
    await vi.waitFor(async () => {
      const { findings } = await server.get('alice', `${ONTOLOGY}/findings`);
      expect(findings.some(({ rule }: Loose) => rule === 'style-json')).toBe(true);
    });
    expect((await update(`DELETE WHERE { <${AO}Old> ${STYLE} ?style }`)).status).toBe(200);
  });
});

describe('PUT /ontology/data', () => {
  it('refuses a graph that brings an error into the ontology, and changes nothing', async () => {
    const put = (more: string): Promise<Response> =>
      server.send('alice', `${ONTOLOGY}/data?graph=urn:part`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/turtle', 'Security-Label': '*' },
        body: `<${AO}Put> a <${OWL}Class> ; ${SUB_CLASS} <${AO}Vehicle> ; ${LABEL} "Put" ${more} .`,
      });
    expect((await put('')).status).toBe(201);
    const refused = await put(`; ${STYLE} "{}"`);
    expect([refused.status, ((await refused.json()) as Loose).code]).toEqual([400, 'ERR_ONTOLOGY']);
    const ask = encodeURIComponent(
      `ASK { GRAPH <urn:part> { <${AO}Put> ${LABEL} "Put" } FILTER NOT EXISTS { GRAPH ?g { <${AO}Put> ${STYLE} ?style } } }`,
    );
    expect((await server.get('alice', `${ONTOLOGY}/query?query=${ask}`)).boolean).toBe(true);
  });
});

describe('type-filter with subclasses', () => {
  it('is off by default, and by configuration includes what the caller may see', async () => {
    const types = (user: string, type: string, on: TestServer) =>
      on
        .get(user, `/api/search/documents?query=Saturn&type-filter=${encodeURIComponent(AO + type)}`)
        .then(({ results }: Loose) => results.length);
    const wide = await startTestServer({ ...TEST_CONFIGURATION, search: { includeSubclasses: true } });
    try {
      for (const on of [server, wide]) {
        const answer = await on.update(
          'alice',
          '*',
          `INSERT DATA { <u:/saturn-v> a <${AO}LaunchVehicle> ; ${LABEL} "Saturn V" }`,
        );
        expect(answer.status).toBe(200);
      }
      const headers = { 'Content-Type': 'text/turtle', 'Security-Label': 'clearance=TS' };
      const body = `<${AO}LaunchVehicle> ${SUB_CLASS} <${AO}Vehicle> .`;
      await wide.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body, headers });
      await vi.waitFor(async () => expect(await types('alice', 'Vehicle', wide)).toBe(1));
      expect(await types('dieter', 'Vehicle', wide)).toBe(0);
      const graphql = async (user: string) => {
        const query = `{ searchWithMetadata(searchTerm: "Saturn", typeFilter: "${AO}Vehicle") { nodes { uri } } }`;
        const answer = await wide.get(user, `/api/graph/knowledge/platform/graphql?query=${encodeURIComponent(query)}`);
        return answer.data.searchWithMetadata.nodes.length;
      };
      expect([await graphql('alice'), await graphql('dieter')]).toEqual([1, 0]);
      expect([await types('alice', 'Vehicle', server), await types('alice', 'LaunchVehicle', server)]).toEqual([0, 1]);
    } finally {
      await wide.server.close();
    }
  });
});

describe('another style predicate', () => {
  it('is configuration', async () => {
    const own = await startTestServer({
      ...TEST_CONFIGURATION,
      ontology: { stylePredicate: 'https://example.org/style' },
    });
    try {
      const headers = { 'Content-Type': 'text/turtle', 'Security-Label': '*' };
      const body = `<${AO}A> a <${OWL}Class> ; <https://example.org/style> "no json" ; ${STYLE} "not looked at" .`;
      await own.send('alice', `${ONTOLOGY}/upload`, { method: 'POST', body, headers });
      await vi.waitFor(async () => {
        const { findings } = await own.get('alice', `${ONTOLOGY}/findings`);
        expect(findings.filter(({ severity }: Loose) => severity === 'error')).toHaveLength(1);
      });
    } finally {
      await own.server.close();
    }
  });
});
