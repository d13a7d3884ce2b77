import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@cairn/errors';
import { serveTasks } from '../serve.ts';

export type TestTask =
  | { readonly do: 'echo'; readonly value: unknown }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'spin' | 'fill-memory' | 'exit' | 'throw' | 'refuse' | 'crash-later' | 'environment' };

const kept: unknown[] = [];

const actions: { readonly [Name in TestTask['do']]: (task: never) => unknown } = {
  echo: ({ value }: { value: unknown }) => value,
  sleep: ({ ms }: { ms: number }) => sleep(ms, 'slept'),
  spin: () => {
    for (;;);
  },
  'fill-memory': () => {
    for (;;) kept.push({ value: kept.length, more: [kept.length] });
  },
  exit: () => process.exit(3),
  throw: () => {
    throw new TypeError('not like this');
  },
  refuse: () => {
    throw new CodedError({ code: 'ERR_TEST', kind: 'unsupported', message: 'refused', expected: ['a', 'b'] });
  },
  'crash-later': () => {
    setTimeout(() => {
      throw new Error('after the answer');
    }, 5);
    return 'answered';
  },
  environment: () => ({ ...process.env }),
};

serveTasks((task: TestTask) => actions[task.do](task as never));
