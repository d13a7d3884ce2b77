import { expect, it } from 'vitest';
import { Opening } from './opening.ts';

/** Requests of 5 ms each that arrive in one turn of the event loop; what began in which turn. */
async function arrive(users: readonly string[]): Promise<string[][]> {
  let nowMs = 0;
  const opening = new Opening(() => nowMs);
  const turns: string[][] = [[]];
  const count = (): void => {
    turns.push([]);
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const request = async (user: string): Promise<void> => {
    const wait = opening.wait(user);
    if (wait !== undefined) await wait;
    turns.at(-1)?.push(user);
    nowMs += 5;
  };
  const requests: Promise<void>[] = [];
  for (const user of users) requests.push(request(user));
  await Promise.all(requests);
  clearImmediate(counting);
  return turns.filter((turn) => turn.length > 0);
}

it('requests that arrive together begin in later turns, where users take turns', async () => {
  const turns = await arrive(['a', 'a', 'a', 'a', 'b', 'a', 'c']);
  expect(turns.flat()).toEqual(['a', 'b', 'c', 'a', 'a', 'a', 'a']);
  for (const turn of turns) expect(turn).toHaveLength(1);
});

it('what comes while a turn has time left begins at once', async () => {
  let nowMs = 0;
  const opening = new Opening(() => nowMs);
  await opening.wait('a');
  nowMs += 7;
  expect(opening.wait('b')).toBeUndefined();
  nowMs += 1;
  expect(opening.wait('c')).toBeInstanceOf(Promise);
});
