import { CodedError } from '@cairn/errors';
import { createEvent, createMemoryEventLog, type Position, type StoredEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { createFastClock } from '../testing/clock.ts';
import type { ProjectionTarget, ProjectorNotice } from './projector.ts';
import { createProjector } from './runner.ts';

it('tells of dead letters, and once of a stall and of its end', async () => {
  const log = createMemoryEventLog();
  const notices: ProjectorNotice[] = [];
  let triesLeft = 3;
  const target: ProjectionTarget = {
    start: async (): Promise<Position | undefined> => undefined,
    async apply(events: readonly StoredEvent[]) {
      const texts = events.map(({ value }) => new TextDecoder().decode(value));
      if (texts.includes('poison')) throw new CodedError({ code: 'ERR_POISON', kind: 'invalid', message: 'poison' });
      if (texts.includes('late') && triesLeft-- > 0) {
        throw new CodedError({ code: 'ERR_AWAY', kind: 'unavailable', message: 'the target is away' });
      }
      return undefined;
    },
  };
  const events = ['good', 'poison', 'late'].map((value) => createEvent({ id: value, type: 'thing', value }));
  const positions = await log.append('things', events);
  const projector = createProjector({
    ...{ log, topic: 'things', group: 'list', target, clock: createFastClock(), maxBatchEvents: 1 },
    onNotice: (notice) => void notices.push(notice),
  });
  await projector.start();
  await projector.waitForEnd();
  await projector.stop();
  const name = { topic: 'things', group: 'list' };
  expect(notices).toEqual([
    { ...name, type: 'dead-letter', position: positions[1], error: expect.objectContaining({ code: 'ERR_POISON' }) },
    { ...name, type: 'stalled', error: expect.objectContaining({ code: 'ERR_AWAY' }) },
    { ...name, type: 'resumed', stalledMs: expect.any(Number) },
  ]);
});
