import type { Space } from '../segment/space.ts';

/** One space of a segment that is merged, and how its numbers translate. */
export interface SpaceInput {
  readonly space: Space;
  readonly fields: Uint32Array;
  readonly labelSets: Uint32Array;
}
