import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TEST_CONFIGURATION } from '../testing/server.ts';
import { checkEverything } from './testing/crash-check.ts';
import { writeUntilKilled } from './testing/crash-work.ts';
import { Ledger, type LedgerKind } from './testing/ledger.ts';
import { createRandom } from './testing/random.ts';
import { LONG } from './testing/scale.ts';
import { type ServerProcess, startProcess } from './testing/server-process.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const KILLS = LONG ? 200 : 6;
/** A data directory is killed this often before the next one begins empty. */
const KILLS_PER_DIRECTORY = 20;
/** By turns, as the writers are: rebuilds need some time to end. */
const MAX_WORK_MS = LONG ? [3_000, 1_000] : [2_500, 700];
/** Caches are written often, so that many kills hit a snapshot. */
const CONFIGURATION = { ...TEST_CONFIGURATION, snapshots: { intervalSeconds: 0.2 } };
const KINDS: readonly LedgerKind[] = ['uploads', 'batches', 'steps', 'corrections', 'rebuilds'];

it(`finds everything acknowledged exactly once, and nothing half done, after each of ${KILLS} kills`, async () => {
  const random = createRandom(Date.now());
  const totals = new Map<string, number>();
  const starts: number[] = [];
  for (let first = 0; first < KILLS; first += KILLS_PER_DIRECTORY) {
    const data = path.join(temporaryDirectory(), 'data');
    const ledger = new Ledger();
    const kills = Math.min(KILLS_PER_DIRECTORY, KILLS - first);
    for (let kill = 0; kill < kills; kill++) {
      // Every fourth kill also hits the start that follows.
      if (kill % 4 === 3) await killWhileStarting(data, random(700));
      const server = await timedStart(data, starts);
      await checkEverything(await server.as('alice'), ledger);
      await writeAndKill(server, data, ledger, {
        round: first + kill,
        afterMs: random(MAX_WORK_MS[kill % 2] as number),
      });
    }
    const server = await timedStart(data, starts);
    await checkEverything(await server.as('alice'), ledger);
    expect(await server.stop()).toBe(0);
    for (const kind of KINDS) totals.set(kind, (totals.get(kind) ?? 0) + ledger.acknowledged(kind).length);
  }
  expect(totals.get('uploads')).toBeGreaterThan(0);
  if (LONG) console.info('acknowledged', Object.fromEntries(totals), 'longest start ms', Math.max(...starts));
}, 3_600_000);

async function killWhileStarting(data: string, afterMs: number): Promise<void> {
  const starting = startProcess(data, CONFIGURATION);
  await pause(afterMs);
  await starting.kill();
}

async function timedStart(data: string, starts: number[]): Promise<ServerProcess> {
  const startedMs = performance.now();
  const server = await startProcess(data, CONFIGURATION).ready;
  starts.push(Math.round(performance.now() - startedMs));
  return server;
}

async function writeAndKill(
  server: ServerProcess,
  data: string,
  ledger: Ledger,
  { round, afterMs }: { readonly round: number; readonly afterMs: number },
): Promise<void> {
  let isKilled = false;
  const client = await server.as('alice');
  const writing = writeUntilKilled({ client, data, ledger, round, killed: () => isKilled });
  await Promise.race([pause(afterMs), writing]);
  isKilled = true;
  await server.kill();
  await writing;
}
