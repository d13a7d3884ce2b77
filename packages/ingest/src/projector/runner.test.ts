import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodedError } from '@cairn/errors';
import {
  createEvent,
  createMemoryBlobStore,
  createMemoryEventLog,
  type EventLog,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFastClock } from '../testing/clock.ts';
import { readAll } from '../testing/drain.ts';
import { markAsOneChange } from './batch-part.ts';
import { DEAD_LETTER_HEADER, deadLetterTopic, type FailedEvent } from './dead-letter.ts';
import type { ProjectionTarget, Projector, ProjectorOptions } from './projector.ts';
import { createProjector } from './runner.ts';

const TOPIC = 'things';
const running: Projector[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((projector) => projector.stop()));
});

function event(id: string, text = id): ReturnType<typeof createEvent> {
  return createEvent({ id, type: 'thing', headers: [['Owner', 'me']], value: text });
}

const textOf = ({ value }: StoredEvent): string => new TextDecoder().decode(value);

/** A target that lists what it applied, and fails as it is told to. */
class ListTarget implements ProjectionTarget {
  readonly applied: string[] = [];
  saved: { texts: string[]; position: Position | undefined } = { texts: [], position: undefined };
  position: Position | undefined;
  fail: (texts: readonly string[]) => unknown = () => undefined;

  async start(): Promise<Position | undefined> {
    this.applied.splice(0, this.applied.length, ...this.saved.texts);
    this.position = this.saved.position;
    return this.position;
  }

  async apply(events: readonly StoredEvent[], upTo: Position): Promise<readonly FailedEvent[] | undefined> {
    const texts = events.map(textOf);
    const error = this.fail(texts);
    if (error !== undefined) throw error;
    this.applied.push(...texts);
    this.position = upTo;
    return undefined;
  }

  async flush(): Promise<void> {
    this.saved = { texts: [...this.applied], position: this.position };
  }
}

async function project(
  log: EventLog,
  target: ProjectionTarget,
  options: Partial<ProjectorOptions> = {},
): Promise<Projector> {
  const projector = createProjector({ log, topic: TOPIC, group: 'list', target, clock: createFastClock(), ...options });
  running.push(projector);
  await projector.start();
  return projector;
}

function unavailable(): CodedError {
  return new CodedError({ code: 'ERR_TARGET', kind: 'unavailable', message: 'the target is away' });
}

describe('a projector', () => {
  it('applies events in order, also those that come later', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    await log.append(TOPIC, [event('a'), event('b')]);
    const projector = await project(log, target);
    await projector.waitForEnd();
    const [position] = await log.append(TOPIC, [event('c')]);
    await projector.waitFor(position);
    expect(target.applied).toEqual(['a', 'b', 'c']);
  });

  it('drops an event whose id it has applied, in the same batch or much later', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    await log.append(TOPIC, [event('a'), event('a'), event('b')]);
    const projector = await project(log, target);
    await projector.waitForEnd();
    await log.append(TOPIC, [event('a', 'again'), event('c')]);
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a', 'b', 'c']);
    expect(await projector.figures()).toMatchObject({ repeated: 2, applied: 3, lag: 0, state: 'running' });
  });

  it('hands over the parts of one change together, wherever the log cuts its batches', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const batches: string[] = [];
    target.fail = (texts) => void batches.push(texts.join(''));
    const change = (...ids: string[]) => markAsOneChange(ids.map((id) => event(id)));
    await log.append(TOPIC, [event('a'), ...change('b', 'c', 'd'), event('e'), ...change('f', 'g')]);
    const projector = await project(log, target, { maxBatchEvents: 2 });
    await projector.waitForEnd();
    expect(batches).toEqual(['a', 'bcd', 'e', 'fg']);
  });

  it('does not wait for parts that were lost on the way', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const [first, second] = markAsOneChange([event('a'), event('b'), event('c')]);
    await log.append(TOPIC, [first, second]);
    const projector = await project(log, target);
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a', 'b']);
    await log.append(TOPIC, [{ ...first, headers: first.headers.with('Event-Id', 'x') }, event('d')]);
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a', 'b', 'a', 'd']);
  });

  it.each([
    ['with saved ids', createMemoryBlobStore()],
    ['from the log alone', undefined],
  ])('knows after a restart what it has applied, %s', async (_how, blobs) => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    await log.append(TOPIC, [event('a'), event('b')]);
    const first = await project(log, target, { blobs });
    await first.waitForEnd();
    await first.stop();
    await log.append(TOPIC, [event('b', 'again'), event('c')]);
    const second = await project(log, target, { blobs });
    await second.waitForEnd();
    expect(target.applied).toEqual(['a', 'b', 'c']);
    expect(await log.committed('list', TOPIC)).toBeDefined();
  });

  it.each([
    ['of which the last is another', 'b'],
    ['of which the last is of another time', 'd'],
  ])('takes no ids for applied that were saved of another log, %s, and says so', async (_how, lastOfOther) => {
    const other = createMemoryEventLog({ nowMs: () => 1 });
    const blobs = createMemoryBlobStore();
    await other.append(TOPIC, [event('c'), event(lastOfOther)]);
    const before = await project(other, new ListTarget(), { blobs });
    await before.waitForEnd();
    await before.stop();
    const log = createMemoryEventLog({ nowMs: () => 2 });
    const target = new ListTarget();
    const [, last] = await log.append(TOPIC, [event('a'), event('d')]);
    target.saved = { texts: ['a', 'd'], position: last };
    const damaged: unknown[] = [];
    const projector = await project(log, target, { blobs, onDamage: (_, error) => damaged.push(error) });
    await log.append(TOPIC, [event('c'), event('d', 'again')]);
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a', 'd', 'c']);
    expect(damaged).toMatchObject([{ code: 'ERR_APPLIED_IDS', message: expect.stringContaining('another log') }]);
  });

  it('loses nothing when the target falls back behind what was saved of its ids', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const blobs = createMemoryBlobStore();
    await log.append(TOPIC, [event('a'), event('b')]);
    const first = await project(log, target, { blobs });
    await first.waitForEnd();
    await first.stop();
    target.saved = { texts: [], position: undefined };
    const second = await project(log, target, { blobs });
    await second.waitForEnd();
    expect(target.applied).toEqual(['a', 'b']);
  });

  it('waits with back-off until the target is there again', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    let tries = 0;
    target.fail = () => (++tries <= 3 ? unavailable() : undefined);
    await log.append(TOPIC, [event('a')]);
    const clock = createFastClock();
    const projector = await project(log, target, { clock });
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a']);
    expect(clock.slept).toEqual([100, 200, 400]);
    expect(await readAll(log, deadLetterTopic(TOPIC))).toEqual([]);
  });

  it('moves an event that can never be applied to the dead letters and goes on', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const root = new TypeError('x is not a function');
    target.fail = (texts) =>
      texts.includes('poison')
        ? new CodedError({ code: 'ERR_BAD', kind: 'invalid', message: 'cannot apply', cause: root })
        : undefined;
    const batch = ['a', 'b', 'poison', 'c', 'd'].map((text) => event(text));
    const positions = await log.append(TOPIC, batch);
    const projector = await project(log, target);
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a', 'b', 'c', 'd']);
    const [letter, ...others] = await readAll(log, deadLetterTopic(TOPIC));
    expect(others).toEqual([]);
    expect(textOf(letter)).toBe('poison');
    expect(Object.fromEntries(letter.headers)).toMatchObject({
      Owner: 'me',
      [DEAD_LETTER_HEADER.reason]: 'cannot apply',
      [DEAD_LETTER_HEADER.exception]: 'ERR_BAD (invalid): cannot apply',
      [DEAD_LETTER_HEADER.rootCause]: 'TypeError: x is not a function',
      [DEAD_LETTER_HEADER.topic]: TOPIC,
      [DEAD_LETTER_HEADER.position]: positions[2],
      [DEAD_LETTER_HEADER.eventId]: 'poison',
      [DEAD_LETTER_HEADER.eventType]: 'thing',
    });
    await expect(projector.waitFor(positions[2])).rejects.toMatchObject({
      code: 'ERR_DEAD_LETTER',
      message: expect.stringContaining('cannot apply'),
    });
    await expect(projector.waitFor(positions[3])).resolves.toBeUndefined();
  });

  it('stands still before what storage refuses, says so, and goes on by itself', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const notices: string[] = [];
    let refuses = true;
    const refusal = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' });
    target.fail = (texts) => (refuses && texts.includes('unread') ? refusal : undefined);
    await log.append(TOPIC, [event('a'), event('unread'), event('b')]);
    const projector = await project(log, target, { onNotice: ({ type }) => void notices.push(type) });
    await expect(projector.waitForEnd()).rejects.toMatchObject({
      code: 'ERR_PROJECTOR_STALLED',
      kind: 'unavailable',
      message: 'list stands still in things, as what it reads or writes fails (EIO)',
    });
    expect(await projector.figures()).toMatchObject({ state: 'stalled', stalledBy: 'EIO', deadLetters: 0 });
    expect(target.applied).toEqual(['a']);
    refuses = false;
    await vi.waitFor(() => expect(target.applied).toEqual(['a', 'unread', 'b']));
    await projector.waitForEnd();
    expect(await projector.figures()).toMatchObject({ state: 'running', stalledBy: undefined, deadLetters: 0 });
    expect(notices).toEqual(['stalled', 'stands-still', 'resumed']);
  });

  it('begins with short pauses again after it came on', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const clock = createFastClock();
    let failsNext = false;
    const refusal = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' });
    target.fail = () => {
      failsNext = !failsNext;
      return failsNext ? refusal : undefined;
    };
    const projector = await project(log, target, { clock });
    for (const id of ['a', 'b', 'c', 'd']) {
      await log.append(TOPIC, [event(id)]);
      await projector.waitForEnd();
    }
    expect(clock.slept).toEqual([100, 100, 100, 100]);
  });

  it('gives up on an event that runs out of time again and again', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    target.fail = (texts) =>
      texts.includes('slow') ? new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message: 'slow' }) : undefined;
    await log.append(TOPIC, [event('slow'), event('a')]);
    const projector = await project(log, target, { maxBatchEvents: 1 });
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a']);
    expect((await projector.figures()).deadLetters).toBe(1);
  });

  it('rejects those who wait with the reason of the dead letter, with the time limit, or when they leave', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    target.fail = (texts) => (texts.includes('bad') ? new Error('bad event') : undefined);
    const clock = { ...createFastClock(), sleep: (ms: number, signal?: AbortSignal) => realSleep(ms, signal) };
    const projector = await project(log, target, { clock });
    const next = async (id: string): Promise<Position> => (await log.append(TOPIC, [event(id)]))[0];
    await expect(projector.waitFor(await next('bad'))).rejects.toThrow('bad event');
    await projector.pause();
    const late = await next('late');
    await expect(projector.waitFor(late, { timeoutMs: 10 })).rejects.toMatchObject({ code: 'ERR_PROJECTION_TIMEOUT' });
    const abort = new AbortController();
    const left = projector.waitFor(late, { signal: abort.signal });
    abort.abort();
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('refuses whoever waits for it once it was stopped, until it is started again', async () => {
    const log = createMemoryEventLog();
    const projector = await project(log, new ListTarget());
    await projector.stop();
    const [position] = await log.append(TOPIC, [event('a')]);
    const error = { code: 'ERR_PROJECTOR_STOPPED', kind: 'unavailable' };
    await expect(projector.waitFor(position)).rejects.toMatchObject(error);
    await expect(projector.waitForEnd()).rejects.toMatchObject(error);
    await projector.start();
    await projector.waitForEnd();
  });

  it('applies nothing while it is paused', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const projector = await project(log, target);
    await projector.pause();
    await log.append(TOPIC, [event('a')]);
    // Many times the turns in which one that is not paused applies it.
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(target.applied).toEqual([]);
    expect(await projector.figures()).toMatchObject({ state: 'paused', lag: 1 });
    projector.resume();
    await projector.waitForEnd();
    expect(target.applied).toEqual(['a']);
  });

  it('makes the target durable after so many events, and when it stops', async () => {
    const log = createMemoryEventLog();
    const target = new ListTarget();
    const projector = await project(log, target, { flushPolicy: { events: 2 }, maxBatchEvents: 1 });
    await log.append(TOPIC, [event('a'), event('b'), event('c')]);
    await projector.waitForEnd();
    expect(target.saved.texts).toEqual(['a', 'b']);
    await projector.stop();
    expect(target.saved.texts).toEqual(['a', 'b', 'c']);
  });
});

function realSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
