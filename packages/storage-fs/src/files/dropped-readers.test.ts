import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEvent, type Event } from '@cairn/events';
import { expect, it, onTestFinished } from 'vitest';
import { openFileBlobStore, openFileEventLog } from '../index.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let collected = 0;
const iterators = new FinalizationRegistry(() => {
  collected++;
});

/** Takes one item, and drops the iterator without returning it. */
async function takeOne<T>(items: AsyncIterable<T>): Promise<T> {
  const iterator = items[Symbol.asyncIterator]();
  iterators.register(iterator, undefined);
  return (await iterator.next()).value;
}

function event(value: string): Event {
  return createEvent({ id: value, type: 'test', value });
}

it('closes the files of readers that were dropped without being returned', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const directory = await temporaryDirectory();
  const log = await openFileEventLog({ directory });
  await log.append('t', [event('a'), event('b')]);
  const blobs = await openFileBlobStore({ directory: await temporaryDirectory() });
  await blobs.put('blob', new Uint8Array(1_000_000));
  for (let time = 0; time < 20; time++) {
    expect(await takeOne(log.read('t', { maxBatchEvents: 1 }))).toHaveLength(1);
    expect((await takeOne((await blobs.stream('blob'))!)).length).toBeGreaterThan(0);
  }
  // Once more than the iterators need: what they held goes after them.
  for (let turn = 0, rest = 10; turn < 1_000 && rest > 0; turn++) {
    collectGarbage();
    await nextTurn();
    if (collected === 40) rest--;
  }
  expect(collected).toBe(40);
  expect(warnings).toEqual([]);
  await log.append('t', [event('c')]);
  await log.close();
});
