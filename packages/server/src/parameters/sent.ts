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

/** Sent values with those of the path added; a path value wins over one of the same name. */
export function withPathValues(sent: SentValues, path: ReadonlyMap<string, string>): SentValues {
  if (path.size === 0) return sent;
  return new Map([...sent, ...[...path].map(([name, value]): [string, string[]] => [name, [value]])]);
}
