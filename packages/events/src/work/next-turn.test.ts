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

it('parties take turns, however many computations of one of them wait', async () => {
  const order: string[] = [];
  const compute = async (party: string, name: string): Promise<void> => {
    for (let step = 0; step < 2; step++) {
      await nextTurn(party);
      order.push(name);
    }
  };
  const crowd = Array.from({ length: 20 }, (_, i) => compute('many', `m${i}`));
  await Promise.all([...crowd, compute('few', 'f'), compute('', 'n')]);
  expect(order.slice(0, 6)).toEqual(['m0', 'f', 'n', 'm1', 'f', 'n']);
  expect(order.slice(6)).toEqual([...crowd.slice(2).map((_, i) => `m${i + 2}`), ...crowd.map((_, i) => `m${i}`)]);
});
