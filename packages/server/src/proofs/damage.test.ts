import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { blobFile } from '@cairn/storage-fs/experimental';
import { afterAll, describe, expect, it } from 'vitest';
import { doDamage, exchange, exchangeable, swap } from './testing/damage.ts';
import { checkDamaged, verifyDirectory } from './testing/damage-case.ts';
import { fillWorld, type LoggedEvent, type World } from './testing/damage-world.ts';
import { createRandom } from './testing/random.ts';
import { LONG } from './testing/scale.ts';

/** `CAIRN_DAMAGE_SEEDS=FROM-TO` runs those cases, both included, of the 500. */
const [FROM = 0, TO = LONG ? 499 : 29] = (process.env['CAIRN_DAMAGE_SEEDS'] ?? '').match(/\d+/g)?.map(Number) ?? [];

const root = mkdtempSync(path.join(tmpdir(), 'cairn-damage-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

function copyOf(source: string, name: string): string {
  const directory = path.join(root, name);
  // A socket cannot be copied; the server makes it anew.
  const filter = (file: string): boolean => !file.endsWith('.sock');
  cpSync(source, directory, { recursive: true, preserveTimestamps: true, filter });
  return directory;
}

/** Where the blob of a value is, relative to the data directory. */
function valueFile(blob: string | undefined): string {
  return path.join('blobs', blobFile(blob as string));
}

const worlds = new Map<string, World>();

describe('a data directory of which one file is damaged', () => {
  for (const end of ['stop', 'kill'] as const) {
    it(`is filled over HTTP by a server that ends with ${end}`, async () => {
      const world = await fillWorld(path.join(root, end), end);
      worlds.set(end, world);
      expect(await verifyDirectory(world.directory), 'what cairn verify finds before any damage').toEqual([]);
    }, 180_000);
  }

  it('serves its own log, and names what was made from another one that was put in the place of its own', async () => {
    const [world, other] = [worlds.get('stop') as World, worlds.get('kill') as World];
    const files = exchangeable(world.directory, other.directory);
    expect(files).toEqual(
      expect.arrayContaining(['blobs', 'log', expect.stringContaining('search'), expect.stringContaining('knowledge')]),
    );
    for (const file of files) {
      const directory = copyOf(world.directory, 'exchange');
      const damage = exchange(directory, other.directory, file);
      // With the log of the other directory it is the other one, with these blobs.
      const { said } = await checkDamaged(file === 'log' ? other : world, directory, damage);
      expect(said, file).toMatch(/ERR_CACHE_(LOG|POSITION)/);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }, 300_000);

  for (const end of ['stop', 'kill'] as const) {
    it(`makes what is derived from an upload again when its values and the caches are lost, after a ${end}`, async () => {
      const world = worlds.get(end) as World;
      const directory = copyOf(world.directory, 'derived');
      rmSync(path.join(directory, 'blobs/manifests/caches='), { recursive: true });
      const isDerived = ({ topic }: LoggedEvent): boolean => /^document\.(textandmetadata|entities)$/.test(topic);
      const [file, other] = world.events.filter(isDerived).flatMap(({ blob }) => blob ?? []);
      const { remedies } = await checkDamaged(world, directory, swap(directory, valueFile(file), valueFile(other)));
      expect(remedies).toContain('ERR_PROJECTOR_STALLED');
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }, 120_000);
  }

  for (let seed = FROM; seed <= TO; seed++) {
    it(`serves, and has lost nothing but what was damaged, in case ${seed}`, async () => {
      const random = createRandom(seed + 1);
      const world = worlds.get(random(2) === 0 ? 'stop' : 'kill') as World;
      const directory = copyOf(world.directory, `case${seed}`);
      const damage = doDamage(directory, random);
      try {
        await checkDamaged(world, directory, damage);
      } catch (cause) {
        const { how, file, detail } = damage;
        throw new Error(`case ${seed}: ${how} ${file} (${detail}): ${(cause as Error).message}`, { cause });
      } finally {
        rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
      }
    }, 120_000);
  }
});
