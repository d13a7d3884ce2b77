import { expect, it } from 'vitest';
import { eventually, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';

const TRIPLES = 20_000;

it('an upload of RDF that is durable but not applied in time is accepted: nothing need be sent again', async () => {
  const { send, get, server } = await startTestServer({ ...TEST_CONFIGURATION, graph: { applyTimeoutMs: 1 } });
  try {
    const body = Array.from({ length: TRIPLES }, (_, i) => `<urn:late:${i}> <urn:p> _:b${i} .`).join('\n');
    const response = await send('alice', '/api/graph/knowledge/upload', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/n-triples', 'Security-Label': 'clearance=O' },
    });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('Upload accepted: it is durable and being applied\n');
    expect(response.headers.get('cairn-position')).toMatch(/\S/);
    expect(response.headers.get('retry-after')).toBeNull();
    const query = encodeURIComponent('SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }');
    await eventually(async () => {
      const { results } = await get('dieter', `/api/graph/knowledge/query?query=${query}`);
      return results.bindings[0].n.value === String(TRIPLES) ? true : undefined;
    }, 1_200);
  } finally {
    await server.close();
  }
}, 90_000);
