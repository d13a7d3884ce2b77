import { expect, it } from 'vitest';
import { finish } from './scheduler.ts';

it('turns of the event loop are not needed to run steps to their end', () => {
  const steps = (function* () {
    yield;
    yield;
    return 3;
  })();
  expect(finish(steps)).toBe(3);
});
