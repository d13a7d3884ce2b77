/** Numbers of at least 0 and below `bound`, always the same ones for the same seed (a linear congruential generator). */
export function createRandom(seed: number): (bound: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * bound);
  };
}
