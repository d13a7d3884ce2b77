import { describe, expect, it } from 'vitest';
import { UserQueue } from './user-queue.ts';

describe('a queue of users', () => {
  const all = (): boolean => true;

  function fill(names: string): { queue: UserQueue; began: string[]; leave: (() => void)[] } {
    const queue = new UserQueue();
    const began: string[] = [];
    const leave = names.split(' ').map((name) => queue.add(name.charAt(0), () => void began.push(name)));
    return { queue, began, leave };
  }

  it('goes round by user, and in the order of asking for each', () => {
    const { queue, began } = fill('a1 a2 a3 b1 c1 b2');
    for (let begin = queue.take(all); begin; begin = queue.take(all)) begin();
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.users).toEqual([]);
  });

  it('passes over users who may not begin, and forgets what left', () => {
    const { queue, began, leave } = fill('a1 a2 b1');
    queue.take((user) => user !== 'a')?.();
    leave[0]?.();
    expect(queue.users).toEqual(['a']);
    queue.take(all)?.();
    expect(began).toEqual(['b1', 'a2']);
    expect(queue.take(all)).toBeUndefined();
  });
});
