import { createEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { TOPIC } from '../pipeline/contract.ts';
import { createFastClock } from '../testing/clock.ts';
import { openHouse } from '../testing/house.ts';

it('ends at once though stages wait for a dataset that was stopped before them', async () => {
  // Limits of time never run out by this clock.
  const { ingest, log, upload } = await openHouse({}, { clock: createFastClock() });
  const dataset = ingest.projectors.find(({ group, topic }) => group === 'graph' && topic === 'knowledge');
  await dataset?.stop();
  const headers = { 'Content-Type': 'application/n-triples', 'Security-Label': '*' };
  await log.append('knowledge', [
    createEvent({ id: 'behind', type: 'rdf', headers, value: '<urn:a> <urn:b> <urn:c> .' }),
  ]);
  expect((await upload({ 'a.txt': 'words' })).successful).toBe(true);
  while ((await log.end(TOPIC.entities)) === undefined) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  await ingest.stop();
  const states = await Promise.all(ingest.projectors.map(async (projector) => (await projector.figures()).state));
  expect(new Set(states)).toEqual(new Set(['stopped']));
}, 20_000);
