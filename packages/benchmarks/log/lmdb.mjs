import path from 'node:path';
import { open } from 'lmdb';
import { BATCH_EVENTS, createSum, diskBytes, timed, valueAt } from './workload.mjs';

const [directory, eventsText] = process.argv.slice(2);
const count = Number(eventsText);
const options = { path: path.join(directory, 'lmdb'), encoding: 'binary', keyEncoding: 'uint32', noMemInit: true };

// One transaction per batch; with overlapping sync off, a transaction resolves when it is on the disk.
const store = open({ ...options, overlappingSync: false });
const writeMs = await timed(async () => {
  for (let first = 0; first < count; first += BATCH_EVENTS) {
    await store.transaction(() => {
      const end = Math.min(first + BATCH_EVENTS, count);
      for (let number = first; number < end; number++) store.put(number, valueAt(number));
    });
  }
});
await store.close();

const again = open(options);
const sum = createSum();
const readMs = await timed(async () => {
  for (const { value } of again.getRange()) sum.add(value);
});
await again.close();
console.log(JSON.stringify({ writeMs, readMs, sum: sum.value, diskBytes: diskBytes(directory) }));
