import type { SentValues } from './read.ts';

const MAX_VALUES = 2_000;

/** The values of a query string or form body by name, in order; at most 2,000, what follows is dropped. */
export function parseForm(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (text === '') return values;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_VALUES) break;
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  return values;
}

/** Adds the values of the path to those that were sent; a path value wins over one of the same name. */
export function addPathValues(sent: Map<string, readonly string[]>, path: ReadonlyMap<string, string>): SentValues {
  for (const [name, value] of path) sent.set(name, [value]);
  return sent;
}
