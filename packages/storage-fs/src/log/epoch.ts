/**
 * Events are numbered from 0; whenever a topic is cut it goes on in the next epoch of this many numbers, so that no
 * number of a lost event comes again. There is room for 131,072 of them below 2^53.
 */
export const EPOCH_EVENTS: number = 2 ** 36;

/** The first number of the epoch after the one that an event stands in. */
export function nextEpoch(sequence: number): number {
  return (Math.floor(Math.max(0, sequence) / EPOCH_EVENTS) + 1) * EPOCH_EVENTS;
}

/** Whether a number begins an epoch that some cut made. */
export function beginsEpoch(sequence: number): boolean {
  return sequence > 0 && sequence % EPOCH_EVENTS === 0;
}
