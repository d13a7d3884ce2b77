import type { Mutex } from '../projector/mutex.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { fromAside, type SlowLanes } from './slow-lanes.ts';
import { createStageTarget, type StageTargetOptions } from './stage-target.ts';

export interface LaneTargetOptions extends StageTargetOptions {
  readonly slow: SlowLanes;
  /** Shared by all lanes: they take turns, one document at a time. */
  readonly turn: Mutex;
}

/**
 * The target of a lane: runs the stage over each event as it was before it was set aside, so that what is made has the
 * same ids, and says how far the lane is. An event that fails is told of in its old place.
 */
export function createLaneTarget({ slow, turn, ...options }: LaneTargetOptions): ProjectionTarget {
  const { topic, stage } = options;
  const target = createStageTarget({
    ...options,
    stage: (input) => stage({ ...input, event: fromAside(input.event) }),
  });
  return {
    start: async () => {
      const position = await target.start();
      await slow.restore(topic, position);
      return position;
    },
    apply: (events, upTo, signal) =>
      turn.run(async () => {
        const failed = await target.apply(events, upTo, signal);
        slow.done(topic, upTo);
        return failed?.map(({ event, error }) => ({ event: fromAside(event), error }));
      }),
  };
}
