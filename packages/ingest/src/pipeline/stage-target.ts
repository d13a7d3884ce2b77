import { throwIfAborted } from '@cairn/errors';
import {
  type BlobStore,
  type Event,
  HEADER,
  loadValue,
  offloadValue,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import type { FailedEvent } from '../projector/dead-letter.ts';
import { isOfContent } from '../projector/fault.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { LostOutputs, type LostOutputsOptions } from './lost-outputs.ts';

export interface StageOutput {
  readonly topic: string;
  readonly event: Event;
}

export interface StageInput {
  readonly event: StoredEvent;
  /** The event's value, wherever it is stored. */
  readonly value: Uint8Array;
  readonly signal: AbortSignal;
}

/** One step of the pipeline, without a state of its own: the same event and the same caches give the same events. */
export type Stage = (input: StageInput) => Promise<readonly StageOutput[]>;

/** Topics to which a stage sets events aside, and what must be told of them. */
export interface Lanes {
  /** A batch begins. */
  begin(): void;
  /** The outputs for an event, once all of its batch are made; called in order. */
  inOrder(event: StoredEvent, outputs: readonly StageOutput[]): readonly StageOutput[];
  appended(topic: string, events: readonly Event[], positions: readonly Position[]): void;
}

export interface StageTargetOptions extends LostOutputsOptions {
  readonly stage: Stage;
  /** Events in work at once. Default 1. */
  readonly concurrency?: number;
  readonly before?: () => Promise<void>;
  /** Where the stage sets events aside. */
  readonly lanes?: Lanes | undefined;
  /** How outputs are appended. Default: to the log. */
  readonly append?: (topic: string, events: readonly Event[]) => Promise<readonly Position[]>;
}

/**
 * A projection target that runs a stage over every event and appends what it makes. Its place is the group's committed
 * position; what is made again after a crash has the same ids, and consumers drop it. When an output has lost events to
 * damage, they are made again.
 */
export function createStageTarget(options: StageTargetOptions): ProjectionTarget {
  const { log, topic, group, lanes } = options;
  const lost = new LostOutputs(options);
  return {
    start: async () => lost.start(await log.committed(group, topic)),
    apply: async (events, upTo, signal) => {
      if (events.length > 0) await options.before?.();
      lanes?.begin();
      const made = await runAll(events, options, signal);
      const outputs = made.flatMap((one, at) => lanes?.inOrder(events[at], one.outputs) ?? one.outputs);
      await appendAll(outputs, lost, options);
      await lost.reached(upTo);
      return made.flatMap(({ failed }) => (failed === undefined ? [] : [failed]));
    },
  };
}

interface Made {
  readonly outputs: readonly StageOutput[];
  readonly failed?: FailedEvent;
}

/** Runs a few events at once and keeps their order. */
async function runAll(
  events: readonly StoredEvent[],
  { stage, blobs, concurrency = 1 }: StageTargetOptions,
  signal: AbortSignal,
): Promise<Made[]> {
  const made: Made[] = new Array(events.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < events.length && !signal.aborted) {
      const at = next++;
      made[at] = await runOne(events[at], stage, blobs, signal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, events.length) }, work));
  throwIfAborted(signal);
  return made;
}

async function runOne(event: StoredEvent, stage: Stage, blobs: BlobStore, signal: AbortSignal): Promise<Made> {
  if (event.headers.get(HEADER.erased) === 'true') return { outputs: [] };
  try {
    const outputs = await stage({ event, value: await loadValue(event, blobs), signal });
    const small = await Promise.all(
      outputs.map(async (output) => ({ ...output, event: await offloadValue(output.event, blobs, { signal }) })),
    );
    return { outputs: small };
  } catch (error) {
    if (signal.aborted || !isOfContent(error)) throw error;
    return { outputs: [], failed: { event, error } };
  }
}

/** One batch per topic, in the order of the stage. */
async function appendAll(
  outputs: readonly StageOutput[],
  lost: LostOutputs,
  options: StageTargetOptions,
): Promise<void> {
  const { log, lanes, append = (topic, events) => log.append(topic, events) } = options;
  const byTopic = new Map<string, Event[]>();
  for (const { topic, event } of outputs) {
    const events = byTopic.get(topic);
    if (events === undefined) byTopic.set(topic, [event]);
    else events.push(event);
  }
  for (const [topic, events] of byTopic) {
    const missing = lost.missing(events);
    if (missing.length === 0) continue;
    const positions = await append(topic, missing);
    lanes?.appended(topic, missing, positions);
  }
}
