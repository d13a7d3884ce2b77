import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';
import { createServer } from './create-server.ts';

it('refuses a second server where the lock was removed, and writes nothing any more itself', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-lock-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const server = await startTestServer(TEST_CONFIGURATION, directory);
  try {
    expect((await server.upload('alice', '*', { 'a.txt': 'a' })).status).toBe(202);
    rmSync(path.join(directory, 'log/lock'));
    const second = createServer({ configuration: TEST_CONFIGURATION, dataDirectory: directory });
    await expect(second.start()).rejects.toMatchObject({
      code: 'ERR_LOG_LOCKED',
      message: expect.stringContaining('control.sock'),
    });
    const readiness = await eventually(async () => {
      const response = await server.send(undefined, '/readyz');
      return response.status === 503 ? ((await response.json()) as Loose) : undefined;
    }, 1000);
    expect(readiness.reasons.join()).toContain('the lock');
    const refused = await server.update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> "c" }');
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'ERR_LOG_LOCK_LOST' }),
    ]);
    await server.get('alice', '/api/search/documents?query=a');
  } finally {
    await server.server.close();
  }
  const next = await startTestServer(TEST_CONFIGURATION, directory);
  expect((await next.upload('alice', '*', { 'b.txt': 'b' })).status).toBe(202);
  await next.server.close();
});
