import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../proofs/testing/temporary-directory.ts';
import { eventually, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';

/** Snapshot files of the dataset `knowledge`. */
function snapshots(data: string): string[] {
  const files = readdirSync(data, { recursive: true }).map(String);
  return files.filter((file) => file.includes('dataset-knowledge') && !file.includes('drafts'));
}

async function writtenAfter(events: number, updates: number, megabytes = 0): Promise<boolean> {
  const data = path.join(temporaryDirectory(), 'data');
  const server = await startTestServer(
    { ...TEST_CONFIGURATION, snapshots: { intervalSeconds: 0, events, megabytes } },
    data,
  );
  const before = snapshots(data).length;
  for (let i = 0; i < updates; i++) {
    expect(
      (await server.update('alice', '*', `INSERT DATA { <urn:${i}> <urn:p> "${'x'.repeat(400_000)}" }`)).status,
    ).toBe(200);
  }
  const isWritten = await eventually(async () => (snapshots(data).length > before ? true : undefined), 20).catch(
    () => false,
  );
  await server.server.close();
  return isWritten;
}

it('writes the caches after so many events, before any interval is over', async () => {
  expect(await writtenAfter(3, 2)).toBe(false);
  expect(await writtenAfter(3, 3)).toBe(true);
});

it('writes none by number when that is 0', async () => {
  expect(await writtenAfter(0, 5)).toBe(false);
});

it('writes the caches after so many bytes', async () => {
  expect(await writtenAfter(0, 2, 1)).toBe(false);
  expect(await writtenAfter(0, 3, 1)).toBe(true);
});
