import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { createServer } from '../composition/create-server.ts';
import type { Service } from '../composition/service.ts';
import { callServer } from '../control/client.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';
import { createFaultyDisk } from './testing/faulty-disk.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const LARGE = '-'.repeat(1_200_000);
const QUIET = { ...TEST_CONFIGURATION, server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' as const } };

describe('an upload whose content the disk does not give', () => {
  it('is not ready and names the reason while that lasts, and is found once it does; it is no dead letter', async () => {
    const disk = createFaultyDisk();
    const lines: Loose[] = [];
    const server = createServer({
      configuration: { ...QUIET, server: { ...QUIET.server, logLevel: 'warn' } },
      dataDirectory: path.join(temporaryDirectory(), 'data'),
      adapters: { fileSystem: disk },
      logTo: { write: (line: string) => void lines.push(JSON.parse(line)) },
    });
    const url = await server.start();
    const headers = { Authorization: `Bearer ${await server.issueToken('alice')}` };
    const get = async (where: string): Promise<Loose> => (await fetch(`${url}${where}`, { headers })).json();
    try {
      disk.fault = { step: 'read', code: 'EIO', below: '/uploads' };
      const body = new FormData();
      body.append('file', new Blob([`findable ${LARGE}`]), 'large.txt');
      const sent = { method: 'POST', body, headers: { ...headers, 'Security-Label': '*' } };
      expect((await fetch(`${url}/api/ingest/documents/local/upload`, sent)).status).toBe(202);
      const unready = await eventually(async () => {
        const response = await fetch(`${url}/readyz`);
        return response.status === 503 ? ((await response.json()) as Loose) : undefined;
      }, 1_200);
      expect(unready.reasons).toEqual([
        'the projector ingest-extract-text of the topic document.extractrequest stands still, as what it reads or writes fails (EIO); the log of the server says more',
      ]);
      const errors = lines.filter(({ level }) => level === 50);
      expect(errors).toMatchObject([{ group: 'ingest-extract-text', reason: 'EIO: the disk refuses' }]);
      disk.fault = undefined;
      await eventually(async () => {
        const { results } = await get('/api/search/documents?query=findable');
        return results?.length === 1 ? true : undefined;
      }, 1_200);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(lines.filter(({ msg }) => msg === 'an event is a dead letter')).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('a load that the server does not wait for when it stops', () => {
  it('is said to be durable, and is applied after the next start', async () => {
    const data = path.join(temporaryDirectory(), 'data');
    const configuration = { ...QUIET, server: { ...QUIET.server, shutdownGraceMs: 10 } };
    let service: Service | undefined;
    const first = await startTestServer(configuration, data, undefined, async (opened) => {
      service = opened;
    });
    const { ingest, storage } = service!;
    for (const projector of ingest.projectors) await projector.pause();
    const file = path.join(temporaryDirectory(), 'kept.nt');
    writeFileSync(file, '<urn:kept> <urn:p> "1" .\n');
    const loaded = (async () => {
      const args = { dataset: 'knowledge', files: [file], label: '*' };
      for await (const _ of (await callServer(controlSocketPath(data), 'load', args)) ?? []);
    })();
    const refusal = loaded.catch((error: unknown) => error);
    await eventually(async () => ((await storage.log.end('knowledge')) === undefined ? undefined : true));
    await first.server.close();
    expect(await refusal).toMatchObject({
      code: 'ERR_SERVER_CLOSED',
      message: expect.stringContaining('kept.nt: the server stops; what was written is durable and will be applied'),
    });
    const again = await startTestServer(configuration, data, undefined, async (opened) => {
      service = opened;
    });
    await service?.ingest.settle();
    expect(await service?.datasets.get('knowledge')?.count(createViewerOfEverything())).toBe(1);
    await again.server.close();
  });
});
