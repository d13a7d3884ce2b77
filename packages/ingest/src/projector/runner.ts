import { CodedError, checkBound, checkFunction, checkObject, checkPort, checkText, isCodedError } from '@cairn/errors';
import { isValueLost, type Position, type StoredEvent } from '@cairn/events';
import { AppliedIds } from './applied-ids.ts';
import { wholeChanges } from './batch-part.ts';
import { DeadLetterBox, type FailedEvent, toReason } from './dead-letter.ts';
import { codeOf, faultOf, isDamage, isFinal, isWaiting, mayBeOfOneEvent } from './fault.ts';
import { createGate, type Gate } from './gate.ts';
import { Mutex } from './mutex.ts';
import { PositionWaiters, type WaitOptions } from './position-waiters.ts';
import type { BackOff, Projector, ProjectorFigures, ProjectorOptions, ProjectorState } from './projector.ts';
import { Rate } from './rate.ts';
import { Unflushed } from './unflushed.ts';

const DEFAULT_BATCH_EVENTS = 500;
const DEFAULT_TIMEOUT_TRIES = 3;
const DEFAULT_FLUSH_INTERVAL_MS = 30_000;
/** From so many failures on, one after the other, a projector stands still: with the default pauses after three seconds. */
const FAILURES_OF_STALL = 6;

/**
 * A projector that is not started yet.
 *
 * It delivers every event of the topic to the target at least once and in order, drops events whose id was applied
 * before, hands over the events of one change together, retries with back-off while something else than the event is at
 * fault, and moves an event that can never be applied to the topic's dead letters, so that the next ones go on.
 */
export function createProjector(options: ProjectorOptions): Projector {
  checkOptions(options);
  return new Runner(options);
}

function checkOptions(options: ProjectorOptions): void {
  checkObject(options, 'the options of a projector');
  const { log, topic, group, target, clock, blobs, lettersOf, backOff = {}, flushPolicy = {} } = options;
  for (const method of ['read', 'append', 'commit', 'end']) checkPort(log, method, 'the log');
  checkText(topic, 'the topic of a projector');
  checkText(group, 'the group of a projector');
  for (const method of ['start', 'apply']) checkPort(target, method, 'the target of a projector');
  for (const method of ['nowMs', 'sleep']) checkPort(clock, method, 'the clock');
  if (blobs !== undefined) checkPort(blobs, 'readManifest', 'the blob store');
  if (lettersOf !== undefined) checkText(lettersOf, 'lettersOf');
  checkObject(backOff, 'backOff');
  checkObject(flushPolicy, 'flushPolicy');
  checkBounds(options, ['maxBatchEvents', 'gatherMs', 'maxTimeoutTries']);
  checkBounds(backOff, ['initialMs', 'maxMs', 'factor']);
  checkBounds(flushPolicy, ['events', 'bytes', 'intervalMs']);
  for (const name of ['onNotice', 'onDamage'] as const) {
    if (options[name] !== undefined) checkFunction(options[name], name);
  }
}

function checkBounds<Name extends string>(
  options: { readonly [Each in Name]?: number | undefined },
  names: readonly Name[],
): void {
  for (const name of names) if (options[name] !== undefined) checkBound(options[name], name);
}

class Runner implements Projector {
  readonly topic: string;
  readonly group: string;
  readonly #name: { readonly topic: string; readonly group: string };
  readonly #options: ProjectorOptions;
  readonly #waiters: PositionWaiters;
  readonly #ids: AppliedIds;
  readonly #rate: Rate;
  readonly #letters: DeadLetterBox;
  #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #state: ProjectorState = 'stopped';
  #position: Position | undefined;
  #gate: Gate | undefined;
  /** Batches and flushes, one at a time: the set of applied ids is always the one of the position. */
  readonly #work = new Mutex();
  #applied = 0;
  #repeated = 0;
  readonly #unflushed = new Unflushed();
  #flushedMs = 0;
  #lastError: string | undefined;
  #failure: unknown;
  /** For those who wait for a projector that was stopped for good: until it is started again it comes no further. */
  #stopped: CodedError | undefined;
  /** Since when it only tries again; `undefined` while it comes on. */
  #stalledSinceMs: number | undefined;
  /** For those who wait while the projector is before an event whose value is lost. */
  #stalled: CodedError | undefined;

  constructor(options: ProjectorOptions) {
    const { log, clock, topic, group } = options;
    this.#options = options;
    this.topic = topic;
    this.group = group;
    this.#name = { topic, group };
    this.#ids = new AppliedIds(options);
    this.#letters = new DeadLetterBox(log, options.lettersOf ?? topic, group);
    this.#rate = new Rate(clock.nowMs());
    this.#waiters = new PositionWaiters(group, clock, (a, b) => log.comparePositions(a, b));
  }

  async start(): Promise<void> {
    if (this.#loop !== undefined) return;
    this.#stopping = new AbortController();
    this.#failure = undefined;
    this.#stopped = undefined;
    this.#position = await this.#options.target.start();
    await this.#ids.restore(this.#position);
    this.#flushedMs = this.#options.clock.nowMs();
    this.#state = this.#gate === undefined ? 'running' : 'paused';
    if (this.#position !== undefined) this.#waiters.reached(this.#position, () => undefined);
    this.#loop = Promise.all([this.#run(), this.#flushRegularly()]).then(() => undefined);
  }

  async stop({ restart = false }: { readonly restart?: boolean } = {}): Promise<void> {
    if (this.#loop === undefined) return;
    this.#stopping.abort();
    this.#gate?.open();
    await this.#loop;
    this.#loop = undefined;
    this.#state = 'stopped';
    await this.#flush(true);
    if (!restart) {
      const message = `${this.group} was stopped`;
      this.#stopped = new CodedError({ code: 'ERR_PROJECTOR_STOPPED', kind: 'unavailable', message });
      this.#waiters.rejectAll(this.#stopped);
    }
  }

  async pause(): Promise<void> {
    this.#gate ??= createGate();
    if (this.#state === 'running') this.#state = 'paused';
    await this.batchDone();
  }

  resume(): void {
    this.#gate?.open();
    this.#gate = undefined;
    if (this.#state === 'paused') this.#state = 'running';
  }

  batchDone(): Promise<void> {
    return this.#work.run(async () => {});
  }

  position(): Position | undefined {
    return this.#position;
  }

  async waitFor(position: Position, options: WaitOptions = {}): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#hasReached(position)) {
      const reason = this.#letters.reasonOf(position);
      if (reason !== undefined) throw reason;
      return;
    }
    this.#refuseEndlessWait();
    await this.#waiters.wait(position, options);
  }

  async waitForEnd(options: WaitOptions = {}): Promise<void> {
    const end = await this.#options.log.end(this.topic);
    if (end === undefined || this.#hasReached(end)) return;
    this.#refuseEndlessWait();
    await this.#waiters.wait(end, options).catch((error: unknown) => {
      if (!isCodedError(error) || error.code !== 'ERR_DEAD_LETTER') throw error;
    });
  }

  #refuseEndlessWait(): void {
    const reason = this.#stopped ?? this.#stalled;
    if (reason !== undefined) throw reason;
  }

  #hasReached(position: Position): boolean {
    return this.#position !== undefined && this.#options.log.comparePositions(this.#position, position) >= 0;
  }

  async figures(): Promise<ProjectorFigures> {
    const { log, clock } = this.#options;
    return {
      ...this.#name,
      state: this.#state,
      position: this.#position,
      lag: await log.lag(this.topic, this.#position),
      applied: this.#applied,
      repeated: this.#repeated,
      deadLetters: this.#letters.count,
      eventsPerSecond: this.#rate.perSecond(clock.nowMs()),
      lastError: this.#lastError,
      stalledBy: this.#state === 'stalled' ? codeOf(this.#stalled?.cause) : undefined,
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let repetition = 1; !signal.aborted; repetition++) {
      const before = this.#position;
      try {
        if (await this.#readOn(signal)) repetition = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return this.#fail(error);
        if (this.#position !== before) repetition = 1;
        await this.#pauseToRetry(error, Math.max(1, repetition), signal);
      }
    }
  }

  /** Reads until the log ends the iteration or fails. Returns whether anything was read. */
  async #readOn(signal: AbortSignal): Promise<boolean> {
    const { log, maxBatchEvents = DEFAULT_BATCH_EVENTS } = this.#options;
    let read = false;
    let held: readonly StoredEvent[] = [];
    const batches = log.read(this.topic, { after: this.#position, wait: true, maxBatchEvents, signal });
    for await (const batch of batches) {
      read = true;
      const events = held.length === 0 ? batch : [...held, ...batch];
      const ready = await this.#readyEvents(events);
      held = events.slice(ready.length);
      if (ready.length === 0) continue;
      await this.#gate?.opened;
      if (signal.aborted) return read;
      const startedMs = this.#options.clock.nowMs();
      await this.#work.run(() => this.#take(ready, signal));
      await this.#gather(startedMs, ready.length, signal);
      if (signal.aborted) return read;
    }
    return read;
  }

  /** Leaves time for more events to come, unless there are enough for a batch already. */
  async #gather(startedMs: number, taken: number, signal: AbortSignal): Promise<void> {
    const { clock, gatherMs = 0, maxBatchEvents = DEFAULT_BATCH_EVENTS } = this.#options;
    const leftMs = startedMs + gatherMs - clock.nowMs();
    if (leftMs > 0 && taken < maxBatchEvents) await clock.sleep(leftMs, signal);
  }

  /** Whole changes; the last one's other parts are on the log already, unless they were lost before they came here. */
  async #readyEvents(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const { log } = this.#options;
    const count = wholeChanges(events);
    if (count === events.length) return events;
    const end = await log.end(this.topic);
    const isLast = end === undefined || log.comparePositions(events[events.length - 1].position, end) >= 0;
    return isLast ? events : events.slice(0, count);
  }

  async #take(batch: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const fresh = await this.#ids.fresh(batch);
    this.#repeated += batch.length - fresh.length;
    await this.#applyAll(fresh, batch[batch.length - 1].position, signal);
    if (signal.aborted) return;
    if (this.#unflushed.exceeds(this.#options.flushPolicy ?? {})) await this.#flush(false);
  }

  /** Applies a batch; one that fails as a whole is halved until the guilty events are alone. */
  async #applyAll(events: readonly StoredEvent[], upTo: Position, signal: AbortSignal): Promise<void> {
    let timeouts = 0;
    for (let repetition = 1; !signal.aborted; repetition++) {
      const failure = await this.#applyOnce(events, upTo, signal);
      if (failure === undefined || signal.aborted) return;
      const { error } = failure;
      if (mayBeOfOneEvent(error)) return this.#stopBefore(events, upTo, error, signal);
      const fault = faultOf(error);
      if (fault === 'time') timeouts++;
      const isWorthAnotherTry =
        fault === 'surroundings' || (fault === 'time' && !this.#isTooOften(events.length, timeouts));
      if (isWorthAnotherTry) await this.#pauseToRetry(error, repetition, signal);
      else if (events.length === 0) throw error;
      else return this.#divide(events, upTo, error, signal);
    }
  }

  /** Applies a batch, if it can be; gives what it failed with. */
  async #applyOnce(
    events: readonly StoredEvent[],
    upTo: Position,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> {
    try {
      const failed = (await this.#options.target.apply(events, upTo, signal)) ?? [];
      await this.#bury(failed, signal);
      if (!signal.aborted) await this.#advance(events, upTo, failed.length);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #isTooOften(events: number, timeouts: number): boolean {
    return events > 0 && timeouts >= (this.#options.maxTimeoutTries ?? DEFAULT_TIMEOUT_TRIES);
  }

  /** Applies what is before an event that cannot be read. What follows is read anew until it can. */
  #stopBefore(events: readonly StoredEvent[], upTo: Position, error: unknown, signal: AbortSignal): Promise<void> {
    if (events.length <= 1) throw error;
    return this.#divide(events, upTo, error, signal);
  }

  async #divide(events: readonly StoredEvent[], upTo: Position, error: unknown, signal: AbortSignal): Promise<void> {
    if (events.length === 1) {
      await this.#bury([{ event: events[0], error }], signal);
      if (!signal.aborted) await this.#ids.add(events);
      return this.#applyAll([], upTo, signal);
    }
    const half = Math.ceil(events.length / 2);
    const first = events.slice(0, half);
    await this.#applyAll(first, first[first.length - 1].position, signal);
    await this.#applyAll(events.slice(half), upTo, signal);
  }

  async #bury(failed: readonly FailedEvent[], signal: AbortSignal): Promise<void> {
    if (failed.length === 0) return;
    await this.#letters.bury(failed, signal, (error, repetition) => this.#pauseToRetry(error, repetition, signal));
    this.#lastError = toReason(failed[failed.length - 1].error);
    for (const { event, error } of failed) {
      const { topic, position } = event;
      this.#options.onNotice?.({ ...this.#name, topic, type: 'dead-letter', position, error });
    }
  }

  async #advance(events: readonly StoredEvent[], upTo: Position, failed: number): Promise<void> {
    await this.#ids.add(events);
    this.#position = upTo;
    this.#resumed();
    this.#stalled = undefined;
    this.#applied += events.length - failed;
    this.#unflushed.add(events);
    this.#rate.add(events.length - failed, this.#options.clock.nowMs());
    this.#state = this.#gate === undefined ? 'running' : 'paused';
    this.#waiters.reached(upTo, (position) => this.#letters.reasonOf(position));
  }

  async #flushRegularly(): Promise<void> {
    const { signal } = this.#stopping;
    const { clock, flushPolicy: { intervalMs = DEFAULT_FLUSH_INTERVAL_MS } = {} } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(intervalMs, signal);
      if (signal.aborted || this.#unflushed.isEmpty || clock.nowMs() - this.#flushedMs < intervalMs) continue;
      await this.#work.run(() => this.#flush(false));
    }
  }

  async #flush(final: boolean): Promise<void> {
    if (this.#position === undefined || (this.#unflushed.isEmpty && !final)) return;
    const position = this.#position;
    try {
      await this.#options.target.flush?.();
      await this.#options.log.commit(this.group, this.topic, position);
      await this.#ids.save(position, final);
      this.#unflushed.clear();
    } catch (error) {
      this.#lastError = toReason(error);
    }
    this.#flushedMs = this.#options.clock.nowMs();
  }

  async #pauseToRetry(error: unknown, repetition: number, signal: AbortSignal): Promise<void> {
    const isStall = isValueLost(error) || (repetition >= FAILURES_OF_STALL && !isWaiting(error));
    this.#state = isStall || this.#stalled !== undefined ? 'stalled' : 'retrying';
    this.#lastError = toReason(error);
    if (this.#stalledSinceMs === undefined) {
      this.#stalledSinceMs = this.#options.clock.nowMs();
      this.#options.onNotice?.({ ...this.#name, type: 'stalled', error });
    }
    if (isStall) this.#stall(error);
    await this.#options.clock.sleep(pauseBefore(repetition, this.#options.backOff), signal);
  }

  #resumed(): void {
    if (this.#stalledSinceMs === undefined) return;
    const stalledMs = this.#options.clock.nowMs() - this.#stalledSinceMs;
    this.#stalledSinceMs = undefined;
    this.#options.onNotice?.({ ...this.#name, type: 'resumed', stalledMs });
  }

  #stall(cause: unknown): void {
    const isNew = this.#stalled === undefined;
    this.#stalled = stalled(this.topic, this.group, cause);
    // Damage was told of as such at once.
    if (isNew && !isDamage(cause)) this.#options.onNotice?.({ ...this.#name, type: 'stands-still', error: cause });
    this.#waiters.rejectAll(this.#stalled);
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#failure = error;
    this.#lastError = toReason(error);
    this.#waiters.rejectAll(error);
    this.#options.onNotice?.({ ...this.#name, type: 'failed', error });
  }
}

function stalled(topic: string, group: string, cause: unknown): CodedError {
  const reason = isValueLost(cause)
    ? 'before an event whose stored value is damaged or missing'
    : `as what it reads or writes fails (${codeOf(cause)})`;
  const message = `${group} stands still in ${topic}, ${reason}`;
  return new CodedError({ code: 'ERR_PROJECTOR_STALLED', kind: 'unavailable', message, cause });
}

/** The pause before a try: 1 for the first repetition. */
function pauseBefore(repetition: number, { initialMs = 100, maxMs = 30_000, factor = 2 }: BackOff = {}): number {
  return Math.min(maxMs, initialMs * factor ** (repetition - 1));
}
