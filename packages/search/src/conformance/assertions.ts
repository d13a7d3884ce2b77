import { isCodedError } from '@cairn/errors';

/** Compares by JSON text. @throws an error with both when they differ */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [have, want] = [toText(actual), toText(expected)];
  if (have !== want) throw new Error(`${what}: expected ${want}, got ${have}`);
}

/** @throws an error unless a call rejects with this code */
export async function ensureRefused(call: () => Promise<unknown>, code: string, what: string): Promise<void> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (isCodedError(error) && error.code === code) return;
    throw new Error(`${what}: expected ${code}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`${what}: expected ${code}, got ${toText(result)}`);
}

function toText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= 2000 ? text : `${text.slice(0, 2000)}...`;
}
