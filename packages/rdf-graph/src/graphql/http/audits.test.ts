import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createViewerOfEverything } from '@cairn/security';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { createDatasetSchema } from '../dataset/schema.ts';
import { createPlatformSchema } from '../platform/schema.ts';
import { createTraversalSchema } from '../traversal/schema.ts';
import { answerGraphQLHttp } from './answer.ts';

const schemas = new Map(
  [createDatasetSchema(), createTraversalSchema(), createPlatformSchema()].map((schema) => [schema.name, schema]),
);

let server: Server;
let base: string;

beforeAll(async () => {
  const dataset = await openGraphDataset({ name: 'audited' });
  const viewer = createViewerOfEverything();
  server = createServer(async (request, response) => {
    const [path, query] = (request.url ?? '').split('?');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await answerGraphQLHttp(
      { method: request.method ?? 'GET', headers: request.headers, query, body: Buffer.concat(chunks) },
      { schema: schemas.get(path.slice(1))!, dataset, viewer },
    );
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe.each([...schemas.keys()])('GraphQL over HTTP with the %s schema', (name) => {
  const audits = serverAudits({ url: () => `${base}/${name}` });

  it('has 61 audits', () => expect(audits).toHaveLength(61));

  it.each(audits)('$name', async (audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});
