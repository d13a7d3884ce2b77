import { rereadingFaults } from '@cairn/errors/conformance';
import { afterEach, describe, expect, it } from 'vitest';
import { type House, openHouse, PUBLIC } from '../testing/house.ts';
import { createTextExtractor } from '../testing/text-extractor.ts';
import { type DeadLetter, listDeadLetters, retryDeadLetter, showDeadLetter } from './dead-letters.ts';

const houses: House[] = [];

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

/** A house whose extractor is broken until it is mended. */
async function brokenHouse(): Promise<House & { mend(): void }> {
  let broken = true;
  const text = createTextExtractor();
  const house = await openHouse(
    {},
    {
      extractor: {
        extract: async (request, options) => {
          if (broken) throw new TypeError('the extractor is broken');
          return text.extract(request, options);
        },
        close: () => text.close(),
      },
    },
  );
  houses.push(house);
  return {
    ...house,
    mend: () => {
      broken = false;
    },
  };
}

async function lettersOf({ log }: House, topic?: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for await (const letter of listDeadLetters(log, topic)) letters.push(letter);
  return letters;
}

describe('dead letters', () => {
  it('are listed with their reason and where they stood', async () => {
    const house = await brokenHouse();
    await house.upload({ 'a.txt': 'alpha', 'b.txt': 'beta' });
    await house.ingest.settle();
    const letters = await lettersOf(house);
    expect(letters.map(({ reason, sourceTopic, eventType }) => [reason, sourceTopic, eventType])).toEqual([
      ['the extractor is broken', 'document.extractrequest', 'document.uploaded'],
      ['the extractor is broken', 'document.extractrequest', 'document.uploaded'],
    ]);
    expect(await lettersOf(house, 'document.extractrequest')).toEqual(letters);
    expect(await lettersOf(house, 'knowledge')).toEqual([]);
    expect(await rereadingFaults(() => listDeadLetters(house.log))).toEqual([]);
  });

  it('are shown whole, with the headers that they had', async () => {
    const house = await brokenHouse();
    await house.upload({ 'a.txt': 'alpha' }, 'clearance=S');
    await house.ingest.settle();
    const [{ topic, position }] = (await lettersOf(house)) as [DeadLetter];
    const shown = await showDeadLetter(house.log, house.blobs, topic, position);
    expect(new TextDecoder().decode(shown?.value)).toBe('alpha');
    expect(shown?.rootCause).toBe('TypeError: the extractor is broken');
    expect(shown?.headers.get('Security-Label')).toBe('clearance=S');
    expect(shown?.headers.has('Dead-Letter-Reason')).toBe(false);
    expect(await showDeadLetter(house.log, house.blobs, 'knowledge.dlq', position)).toBeUndefined();
  });

  it('go their way once more when they are retried, twice or not', async () => {
    const house = await brokenHouse();
    await house.upload({ 'a.txt': 'alpha' });
    await house.ingest.settle();
    house.mend();
    const [{ topic, position }] = (await lettersOf(house)) as [DeadLetter];
    await retryDeadLetter(house.log, topic, position);
    await retryDeadLetter(house.log, topic, position);
    await house.ingest.settle();
    expect((await house.ingest.search.search(PUBLIC, { query: 'alpha' })).results.length).toBe(1);
    const figures = await house.ingest.figures();
    expect(figures.projectors[0]).toMatchObject({ repeated: 1, deadLetters: 1, lag: 0 });
  });

  it('are no more than before when retries of all of them fail, and are then those of the last failures', async () => {
    const house = await brokenHouse();
    await house.upload({ 'a.txt': 'alpha', 'b.txt': 'beta' });
    await house.ingest.settle();
    for (let round = 1; round <= 4; round++) {
      for (const { topic, position } of await lettersOf(house)) await retryDeadLetter(house.log, topic, position);
      await house.ingest.settle();
      const letters = await lettersOf(house);
      expect(letters.map(({ sourcePosition }) => Number(sourcePosition))).toEqual([2 * round, 2 * round + 1]);
    }
    house.mend();
    for (const { topic, position } of await lettersOf(house)) await retryDeadLetter(house.log, topic, position);
    await house.ingest.settle();
    expect((await house.ingest.search.search(PUBLIC, { query: 'alpha beta' })).results.length).toBe(2);
  });

  it('that do not exist cannot be retried', async () => {
    const { log } = await brokenHouse();
    const retry = retryDeadLetter(log, 'knowledge.dlq', '0000000000000000');
    await expect(retry).rejects.toMatchObject({ code: 'ERR_NO_DEAD_LETTER', kind: 'not-found' });
  });
});
