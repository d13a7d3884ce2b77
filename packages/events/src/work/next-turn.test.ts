import { expect, it } from 'vitest';
import { nextTurn } from './next-turn.ts';

/** Counts turns of the event loop until it is stopped. */
function countTurns(): { turns: number; stop(): void } {
  const counter = { turns: 0, stop: () => clearImmediate(handle) };
  let handle = setImmediate(function count() {
    counter.turns++;
    handle = setImmediate(count);
  });
  return counter;
}

it('turns of the event loop are given to one computation at a time, in the order in which they asked', async () => {
  const counter = countTurns();
  const order: [name: string, turn: number][] = [];
  const compute = async (name: string): Promise<void> => {
    for (let step = 0; step < 3; step++) {
      await nextTurn();
      order.push([name, counter.turns]);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(compute));
  counter.stop();
  expect(order.map(([name]) => name).join('')).toBe('abcabcabc');
  expect(new Set(order.map(([, turn]) => turn)).size).toBe(9);
});
