import { type CodedError, type ErrorKind, freezeDeeply, isAsyncIterable, isCodedError } from './index.ts';

/** How much of a port's laws an implementation keeps; each level holds the one before it. */
export type ConformanceLevel = 'core' | 'non-interference';

/**
 * One law of a port as a case that any implementation can run, free of any test runner.
 * @typeParam Harness what a case needs of the implementation
 */
export interface ConformanceCase<Harness> {
  /** The law, as a sentence. */
  readonly name: string;
  readonly level: ConformanceLevel;
  /**
   * Makes an implementation, tries the law and cleans up.
   * @throws an error that names what was expected when the law does not hold
   */
  run(create: () => Promise<Harness>): Promise<void>;
}

/** The cases of one level from names and bodies; each disposes of its harness, however it ended. */
export function casesOf<Harness extends { readonly dispose?: () => Promise<void> }>(
  level: ConformanceLevel,
  bodies: Readonly<Record<string, (harness: Harness) => Promise<void>>>,
): readonly ConformanceCase<Harness>[] {
  const cases = Object.entries(bodies).map(([name, body]) => ({
    name,
    level,
    async run(create: () => Promise<Harness>) {
      const harness = await create();
      try {
        await body(harness);
      } finally {
        await harness.dispose?.();
      }
    },
  }));
  return freezeDeeply(cases);
}

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
export type AnyArgument = any;

/** Name of one of the {@link WRONG_ARGUMENTS}. */
export type ArgumentKind =
  | 'undefined'
  | 'null'
  | 'number'
  | 'nan'
  | 'boolean'
  | 'text'
  | 'list'
  | 'object'
  | 'date'
  | 'function';

/** Arguments as callers without types pass them. */
export const WRONG_ARGUMENTS: Readonly<Record<ArgumentKind, unknown>> = freezeDeeply({
  undefined: undefined,
  null: null,
  number: 7,
  nan: Number.NaN,
  boolean: true,
  text: 'text',
  list: [],
  object: {},
  date: new Date(0),
  function: () => 'x',
});

/**
 * One argument of an exported function: how to call the function with it, and the {@link WRONG_ARGUMENTS} it accepts.
 */
export type Door = readonly [name: string, call: (argument: AnyArgument) => unknown, right: readonly ArgumentKind[]];

const REFUSALS: readonly ErrorKind[] = ['invalid'];

/**
 * Calls a door with each of {@link WRONG_ARGUMENTS} and returns a line for every wrong answer: accepted though wrong,
 * refused though right, or refused with anything but a coded error of a kind in `refusals` (default `invalid` alone).
 * Empty when the door holds. Awaits the result, and reads an async iterable to its end.
 */
export async function doorFaults(
  call: Door[1],
  right: Door[2] = [],
  refusals: readonly ErrorKind[] = REFUSALS,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [name, argument] of Object.entries(WRONG_ARGUMENTS)) {
    const outcome = await outcomeOf(() => call(argument), taken);
    const held = right.some((each) => each === name) ? outcome === 'taken' : refusals.some((kind) => kind === outcome);
    if (!held) faults.push(`${name}: ${outcome}`);
  }
  return faults;
}

/** A function that takes a list: items for it, and a test of its result that tells whether it took them all. */
export type ListDoor = readonly [name: string, items: readonly unknown[], call: (list: AnyArgument) => unknown];

/** The same items in real iterables and in things that only look like one. */
const LISTS: Readonly<Record<string, (items: readonly unknown[]) => unknown>> = {
  'a Set': (items) => new Set(items),
  'a generator': (items) => walk(items),
  'an iterable': (items) => ({ [Symbol.iterator]: () => items[Symbol.iterator]() }),
  'what is like an array': (items) => ({ ...items, length: items.length }),
};

function* walk(items: readonly unknown[]): Generator<unknown> {
  yield* items;
}

/**
 * Calls a door with an array of items, and with the same items in other kinds of lists: each must give what the array
 * gives, or be refused with a coded error of the kind `invalid`. A generator ends with the first walk and a Set has no
 * length, so code that walks twice, counts or indexes would lose items. Returns a line for each wrong answer.
 */
export async function listFaults(items: ListDoor[1], call: ListDoor[2]): Promise<readonly string[]> {
  const faults: string[] = [];
  const whole = await outcomeOf(() => call(items), asJson);
  if (whole === 'invalid') return ['an array: invalid'];
  for (const [name, make] of Object.entries(LISTS)) {
    const result = await outcomeOf(() => call(make(items)), asJson);
    if (result !== whole && result !== 'invalid') faults.push(`${name}: ${result}; an array: ${whole}`);
  }
  return faults;
}

/**
 * Reads what a call gives twice: after a first reading that went to the end, and after one that was left early. The
 * second one must give as many elements as there are, or be refused with `ERR_ALREADY_READ`: one that ends at once
 * looks like an answer without elements. Returns a line for each wrong answer.
 * @param open gives a stream of one element or more, a new one each time
 */
export async function rereadingFaults(
  open: () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const count = await countElements(await open());
  if (count === 0) faults.push('the first reading: no element');
  for (const [name, maxElements] of Object.entries({ ended: Number.POSITIVE_INFINITY, 'was left': 1 })) {
    const stream = await open();
    await countElements(stream, maxElements);
    const outcome = await outcomeOf(
      () => countElements(stream),
      String,
      ({ code }) => code,
    );
    if (outcome !== 'ERR_ALREADY_READ' && outcome !== `${count}`)
      faults.push(`after a reading that ${name}: ${outcome}`);
  }
  return faults;
}

async function countElements(stream: AsyncIterable<unknown>, maxElements = Number.POSITIVE_INFINITY): Promise<number> {
  let count = 0;
  for await (const _ of stream) if (++count >= maxElements) break;
  return count;
}

/** Describes what a call gives; of a coded error by default the kind, of another its text. */
async function outcomeOf(
  call: () => unknown,
  say: (given: unknown) => string | Promise<string>,
  sayError: (error: CodedError) => string = ({ kind }) => kind,
): Promise<string> {
  try {
    return await say(await call());
  } catch (error) {
    return isCodedError(error) ? sayError(error) : String(error);
  }
}

const asJson = (given: unknown): string => JSON.stringify(given) ?? 'undefined';

async function taken(given: unknown): Promise<string> {
  if (isAsyncIterable(given)) for await (const _ of given);
  return 'taken';
}
