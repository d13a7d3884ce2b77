import { expect, it } from 'vitest';
import { startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';

const CROWD = 60;
const ENTITIES = 2_000;

it('a crowd of long searches of one user, begun at once, holds the event loop no longer than one of them', async () => {
  // Sixty at once take as long as the machine is busy: their time limit is not the matter here.
  const server = await startTestServer({ ...TEST_CONFIGURATION, search: { timeLimitMs: 120_000 } });
  const lines = Array.from({ length: ENTITIES }, (_, i) => {
    const words = Array.from({ length: 12 }, (_, at) => `word${(i * 31 + at * 17) % 997}`).join(' ');
    return `<urn:e:${i}> a <urn:Thing> ; <http://www.w3.org/2000/01/rdf-schema#label> "${words}" .`;
  });
  const headers = { 'Content-Type': 'text/turtle', 'Security-Label': '*' };
  const body = lines.join('\n');
  const loaded = await server.send('alice', '/api/graph/knowledge/upload', { method: 'POST', body, headers });
  expect(loaded.status).toBe(200);

  let isOver = false;
  const long = { query: '*1* OR *2* OR *3* OR word5*', limit: '500', highlighting: 'true' };
  const crowd = Promise.all(
    Array.from({ length: CROWD }, () => server.form('reader', '/api/search/documents', long)),
  ).finally(() => {
    isOver = true;
  });
  let answeredBeside = 0;
  while (!isOver) {
    const [probe, search] = await Promise.all([
      server.send(undefined, '/livez'),
      server.send('dieter', '/api/search/documents?query=word7&limit=3'),
    ]);
    expect([probe.status, search.status]).toEqual([200, 200]);
    if (!isOver) answeredBeside++;
  }
  for (const { status } of await crowd) expect(status).toBe(200);
  expect(answeredBeside).toBeGreaterThan(CROWD / 4);
  // Rejects when a turn of the event loop took too long.
  await server.server.close();
});
