import { createEvent, createHeaders } from '@cairn/events';
import { openFileEventLog } from '@cairn/storage-fs';
import { BATCH_EVENTS, createSum, diskBytes, timed, valueAt } from './workload.mjs';

const [directory, eventsText, mode] = process.argv.slice(2);
const count = Number(eventsText);
const none = createHeaders();
const make =
  mode === 'headers'
    ? (number) => createEvent({ id: `event-${number}`, type: 'bench', value: valueAt(number) })
    : (number) => ({ headers: none, value: valueAt(number) });

const log = await openFileEventLog({ directory });
const writeMs = await timed(async () => {
  for (let first = 0; first < count; first += BATCH_EVENTS) {
    await log.append(
      't',
      Array.from({ length: Math.min(BATCH_EVENTS, count - first) }, (_, n) => make(first + n)),
    );
  }
});
await log.close();

const again = await openFileEventLog({ directory });
const sum = createSum();
const readMs = await timed(async () => {
  for await (const batch of again.read('t')) for (const { value } of batch) sum.add(value);
});
await again.close();
console.log(JSON.stringify({ writeMs, readMs, sum: sum.value, diskBytes: diskBytes(directory) }));
