/**
 * Events are numbered from 0; a topic that is cut goes on in the next epoch of this many numbers, so that the number of
 * a lost event is never reused. There is room for 131,072 epochs below 2^53.
 */
export const EPOCH_EVENTS: number = 2 ** 36;

export function nextEpoch(sequence: number): number {
  return (Math.floor(Math.max(0, sequence) / EPOCH_EVENTS) + 1) * EPOCH_EVENTS;
}

export function beginsEpoch(sequence: number): boolean {
  return sequence > 0 && sequence % EPOCH_EVENTS === 0;
}
