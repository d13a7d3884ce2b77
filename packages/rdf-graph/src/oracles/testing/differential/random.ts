/** A seeded source of choices: the same seed gives the same case. */
export interface Choices {
  /** A whole number of 0 and up below `bound`. */
  below(bound: number): number;
  /** Returns true if an event of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of some functions, called. */
  oneOf<T>(...makers: readonly (() => T)[]): T;
}

/** Choices by the mulberry32 generator. */
export function createChoices(seed: number): Choices {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)];
  return { below, chance: (probability) => next() < probability, pick, oneOf: (...makers) => pick(makers)() };
}
