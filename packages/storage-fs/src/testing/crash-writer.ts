import { createEvent } from '@cairn/events';
import { openFileEventLog } from '../index.ts';

// A process for the crash test: appends batches from several callers at once until it is killed, and reports the
// acknowledged ones on standard output: "ack TOPIC BATCH FIRST COUNT" and "commit TOPIC POSITION".
const [directory = '', seedText = '0'] = process.argv.slice(2);
let seed = Number(seedText);

function random(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
}

const log = await openFileEventLog({ directory, segmentBytes: 4000 });
process.stdout.write('ready\n');

async function write(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const topic = `t${random(2)}`;
    const batch = `${process.pid}-${writer}-${n}`;
    const count = 1 + random(6);
    const events = Array.from({ length: count }, (_, index) =>
      createEvent({
        id: `${batch}/${index}`,
        type: 'test',
        headers: { Batch: `${batch} ${index} ${count}` },
        value: 'v'.repeat(random(400)),
      }),
    );
    const [first] = await log.append(topic, events);
    process.stdout.write(`ack ${topic} ${batch} ${first} ${count}\n`);
    if (n % 5 !== 0) continue;
    await log.commit(`g${writer}`, topic, first);
    process.stdout.write(`commit g${writer} ${topic} ${first}\n`);
  }
}

await Promise.all([0, 1, 2].map(write));
