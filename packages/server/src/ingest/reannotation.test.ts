import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../proofs/testing/temporary-directory.ts';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const servers: TestServer[] = [];

async function start(directory?: string): Promise<TestServer> {
  const started = await startTestServer(TEST_CONFIGURATION, directory);
  servers.push(started);
  return started;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ server }) => server.close()));
});

const FIND = '/api/search/documents?query=zebra&indices=doc-content';

async function mentioned(server: TestServer, user: string): Promise<string[] | undefined> {
  const { results } = await server.get(user, FIND);
  return results[0]?.document.entities?.map(({ uri }: Loose) => uri);
}

const named = (uri: string, name: string): string =>
  `INSERT DATA { <${uri}> <http://www.w3.org/2000/01/rdf-schema#label> "${name}" }`;

describe('a document that was uploaded before a name was known', () => {
  it('mentions what a SPARQL update names, to those whom the label of the name permits', async () => {
    const server = await start();
    await server.upload('alice', '*', { 'a.txt': 'A zebra named Marty.' });
    await eventually(async () => ((await server.get('dieter', FIND)).results.length > 0 ? true : undefined));
    expect((await server.update('alice', 'clearance=S', named('urn:marty', 'Marty'))).status).toBe(200);
    expect(await eventually(() => mentioned(server, 'alice'))).toEqual(['urn:marty']);
    expect(await mentioned(server, 'dieter')).toBeUndefined();
    expect((await server.update('alice', '*', named('urn:zebra', 'zebra'))).status).toBe(200);
    expect(await eventually(() => mentioned(server, 'dieter'))).toEqual(['urn:zebra']);
  });

  it('mentions it after the server was stopped at once', async () => {
    const directory = temporaryDirectory();
    const first = await start(directory);
    await first.upload('alice', '*', { 'a.txt': 'A zebra named Marty.' });
    await eventually(async () => ((await first.get('dieter', FIND)).results.length > 0 ? true : undefined));
    await first.update('alice', '*', named('urn:marty', 'Marty'));
    await first.server.close();
    const second = await start(directory);
    expect(await eventually(() => mentioned(second, 'dieter'))).toEqual(['urn:marty']);
  });
});
