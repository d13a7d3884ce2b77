import { badArgument, CodedError, checkText } from '@cairn/errors';
import type { Headers } from './event.ts';
import { HEADER } from './header-names.ts';

/** Pairs in order (other {@link Headers} are), or a record of one or several values, to make headers from. */
export type HeadersInit = Iterable<readonly [name: string, value: string]> | HeaderRecord;

/** Header values by name. */
export type HeaderRecord = { readonly [name: string]: string | readonly string[] | undefined };

type Pair = readonly [name: string, value: string];

/**
 * Makes headers from pairs or from a record; without an argument none.
 * @throws `ERR_HEADER_INVALID` (invalid) when a name is empty, longer than 256, or has a space, colon or control
 *   character.
 * @example createHeaders([['Owner', 'Platform'], ['owner', 'Second']]).getAll('OWNER') // ['Platform', 'Second']
 */
export function createHeaders(init: HeadersInit = []): Headers {
  if (typeof init !== 'object' || init === null || init instanceof Date) {
    throw badArgument('headers', 'pairs, or values by name', init);
  }
  const given = isIterable(init) ? [...init] : pairsOfRecord(init);
  return new HeaderList(normalise(given));
}

/** An ordered list: events have about ten headers, where a scan beats a map. */
class HeaderList implements Headers {
  readonly #pairs: readonly Pair[];
  #lowerNames: readonly string[] | undefined;

  constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
  }

  get(name: string): string | undefined {
    const index = this.#names().indexOf(lowerCase(name));
    return index < 0 ? undefined : this.#pairs[index][1];
  }

  getAll(name: string): readonly string[] {
    const lower = lowerCase(name);
    const names = this.#names();
    return this.#pairs.filter((_, index) => names[index] === lower).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#names().includes(lowerCase(name));
  }

  with(name: string, ...values: readonly string[]): Headers {
    const names = this.#names();
    const lower = lowerCase(name);
    const first = names.indexOf(lower);
    const place = first < 0 ? this.#pairs.length : first;
    const kept = (pair: Pair, index: number): Pair[] => (names[index] === lower ? [] : [pair]);
    return createHeaders([
      ...this.#pairs.slice(0, place),
      ...values.map((value): Pair => [name, value]),
      ...this.#pairs.slice(place).flatMap((pair, offset) => kept(pair, place + offset)),
    ]);
  }

  append(name: string, value: string): Headers {
    return createHeaders([...this.#pairs, [name, value]]);
  }

  toArray(): [name: string, value: string][] {
    return this.#pairs.map(([name, value]) => [name, value]);
  }

  [Symbol.iterator](): Iterator<Pair> {
    // Copies, because writing into a shared pair would change everybody's headers.
    return this.toArray()[Symbol.iterator]();
  }

  #names(): readonly string[] {
    this.#lowerNames ??= this.#pairs.map(([name]) => name.toLowerCase());
    return this.#lowerNames;
  }
}

function lowerCase(name: string): string {
  checkText(name, 'the name of a header');
  return name.toLowerCase();
}

function isIterable(init: HeadersInit): init is Iterable<Pair> {
  return typeof (init as Iterable<Pair>)[Symbol.iterator] === 'function';
}

function pairsOfRecord(record: HeaderRecord): Pair[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [[name, value] as const];
    if (!Array.isArray(value)) throw badArgument(`the value of the header ${name}`, 'text or a list of texts', value);
    return (value as readonly string[]).map((one): Pair => [name, one]);
  });
}

/** Gives later values of a name the case it first had, and replaces lone surrogates, which UTF-8 cannot hold. */
function normalise(pairs: readonly Pair[]): Pair[] {
  for (const pair of pairs) if (!Array.isArray(pair)) throw badArgument('a header', 'a pair of name and value', pair);
  const first = pairs.length > 16 ? firstInMap() : firstAmong(pairs);
  return pairs.map(([name, value], index) => {
    checkName(name);
    checkText(value, `the value of the header ${name}`);
    return [first(name, index), toWellFormed(value)];
  });
}

type FirstSpelling = (name: string, index: number) => string;

function firstInMap(): FirstSpelling {
  const spellings = new Map<string, string>();
  return (name) => {
    const lower = name.toLowerCase();
    const known = spellings.get(lower);
    if (known === undefined) spellings.set(lower, name);
    return known ?? name;
  };
}

/** For few headers: comparing lengths first lower-cases hardly any name. */
function firstAmong(pairs: readonly Pair[]): FirstSpelling {
  return (name, index) => {
    for (let earlier = 0; earlier < index; earlier++) {
      const other = pairs[earlier][0];
      if (other.length === name.length && (other === name || other.toLowerCase() === name.toLowerCase())) return other;
    }
    return name;
  };
}

const WELL_KNOWN: ReadonlySet<string> = new Set(Object.values(HEADER));
const NAME = /^[^\u0000-\u0020\u007f:\p{Surrogate}]{1,256}$/u;

function checkName(name: string): void {
  if (WELL_KNOWN.has(name) || (typeof name === 'string' && NAME.test(name))) return;
  const message = `a header name must be 1 to 256 characters without space, colon or control character; got ${JSON.stringify(String(name).slice(0, 300))}`;
  throw new CodedError({ code: 'ERR_HEADER_INVALID', kind: 'invalid', message });
}

/** Part of ES2024, and of Node 20. */
interface WellFormedText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

function toWellFormed(value: string): string {
  const text = value as string & WellFormedText;
  return text.isWellFormed() ? value : text.toWellFormed();
}
