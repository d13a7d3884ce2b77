import { type ErrorKind, isCodedError } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
export type AnyArgument = any;

/** The name of one of the {@link WRONG_ARGUMENTS}. */
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

/** What callers without types pass. */
export const WRONG_ARGUMENTS: Readonly<Record<ArgumentKind, unknown>> = {
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
};

/** One argument of an exported function: how it is called with it, and the {@link WRONG_ARGUMENTS} that are right there. */
export type Door = readonly [name: string, call: (argument: AnyArgument) => unknown, right: readonly ArgumentKind[]];

const REFUSALS: readonly ErrorKind[] = ['invalid'];

/**
 * Calls a door with each of {@link WRONG_ARGUMENTS} and returns a line for every one that it answers wrongly: taken
 * though it is not right, refused though it is, or refused by something else than a coded error of a kind in `refusals`
 * (`invalid` alone by default). Empty when the door holds. Awaits what the call returns, and reads it to its end when it
 * is an async iterable.
 */
export async function doorFaults(
  call: Door[1],
  right: Door[2] = [],
  refusals: readonly ErrorKind[] = REFUSALS,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [name, argument] of Object.entries(WRONG_ARGUMENTS)) {
    const outcome = await outcomeOf(() => call(argument));
    const held = right.some((each) => each === name) ? outcome === 'taken' : refusals.some((kind) => kind === outcome);
    if (!held) faults.push(`${name}: ${outcome}`);
  }
  return faults;
}

/** `taken`, the kind of a coded error, or the text of another. */
async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    await drain(await call());
    return 'taken';
  } catch (error) {
    return isCodedError(error) ? error.kind : String(error);
  }
}

async function drain(given: unknown): Promise<void> {
  if (isAsyncIterable(given)) for await (const _ of given);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, Symbol.asyncIterator) === 'function';
}
