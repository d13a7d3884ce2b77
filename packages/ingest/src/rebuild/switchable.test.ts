import { CodedError } from '@cairn/errors';
import { rereadingFaults } from '@cairn/errors/conformance';
import { expect, it } from 'vitest';
import { createSwitchable } from './switchable.ts';

const DAMAGE = new CodedError({ code: 'ERR_GRAPH_SNAPSHOT', kind: 'corrupt', message: 'it is damaged' });

async function* failing(): AsyncGenerator<number> {
  yield 1;
  throw DAMAGE;
}

function fails(): never {
  throw DAMAGE;
}

/** Ways in which a call says that it has failed. */
const PORT = {
  atOnce: (): unknown => fails(),
  later: async (): Promise<unknown> => fails(),
  asItComes: (): unknown => failing(),
  asItComesLater: async (): Promise<unknown> => failing(),
  inAPart: async (): Promise<unknown> => ({ type: 'bindings', variables: ['a'], solutions: failing() }),
};

async function read(result: unknown): Promise<void> {
  const stream = Reflect.get(result as object, 'solutions') ?? result;
  for await (const item of stream) expect(item).toBe(1);
}

it.each(Object.keys(PORT) as (keyof typeof PORT)[])('tells once of what a call fails with %s', async (name) => {
  const told: unknown[] = [];
  const { port } = createSwitchable(PORT, (error) => void told.push(error));
  const call = async (): Promise<void> => read(await port[name]());
  await expect(call()).rejects.toBe(DAMAGE);
  expect(told).toEqual([DAMAGE]);
});

it('leaves what does not fail as it is', async () => {
  const whole = { type: 'boolean', value: true };
  const { port } = createSwitchable({ ask: async () => whole, list: () => [1, 2] }, fails);
  expect(await port.ask()).toBe(whole);
  expect(port.list()).toEqual([1, 2]);
});

it('gives no stream that is empty in silence when it is read again', async () => {
  async function* two(): AsyncGenerator<number> {
    yield* [1, 2];
  }
  const { port } = createSwitchable({ read: two, ask: async () => ({ solutions: two() }) }, fails);
  expect(await rereadingFaults(() => port.read())).toEqual([]);
  expect(await rereadingFaults(async () => (await port.ask()).solutions)).toEqual([]);
});

it('ends a stream that its reader leaves', async () => {
  let isEnded = false;
  const { port } = createSwitchable(
    {
      async *read() {
        try {
          for (;;) yield 1;
        } finally {
          isEnded = true;
        }
      },
    },
    fails,
  );
  for await (const _ of port.read()) break;
  expect(isEnded).toBe(true);
});

it('answers calls of a stream that overlap in order, and tells once of what one of them fails with', async () => {
  const told: unknown[] = [];
  async function* counting(): AsyncGenerator<number> {
    for (let i = 0; i < 20; i++) {
      if (i % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      yield i;
    }
    throw DAMAGE;
  }
  const { port } = createSwitchable({ read: counting }, (error) => void told.push(error));
  const stream = port.read();
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => stream.next()));
  const values = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.value : outcome.reason));
  expect(values).toEqual([...Array.from({ length: 20 }, (_, i) => i), DAMAGE, ...Array(4).fill(undefined)]);
  expect(told).toEqual([DAMAGE]);
});
