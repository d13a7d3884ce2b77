import { CodedError, resolveLimits } from '@cairn/errors';
import { type Turns, timeError, WorkGuard } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { ShaclResult } from '../report/to-report.ts';

/** Limits of one validation. Its clock, such as `() => performance.now()`, is for the time limits and turns. */
export interface ShaclLimits extends Turns {
  /** Triples of the data. Default 5,000,000. */
  readonly maxDataTriples?: number | undefined;
  /** Triples of the shapes. Default 100,000. */
  readonly maxShapeTriples?: number | undefined;
  /** Results of the report; its texts may have 2^25 UTF-16 units whatever their number. Default 10,000. */
  readonly maxResults?: number | undefined;
  /** Milliseconds by the clock that is given. Default 30,000. */
  readonly timeLimitMs?: number | undefined;
  /**
   * The same for one focus node and one shape, during which nothing else of the thread has its turn. Default
   * `timeLimitMs`.
   */
  readonly nodeTimeLimitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULTS = {
  maxDataTriples: 5_000_000,
  maxShapeTriples: 100_000,
  maxResults: 10_000,
  timeLimitMs: 30_000,
  nodeTimeLimitMs: Number.POSITIVE_INFINITY,
};

const PAIRS_PER_CHECK = 1024;

/** Most text in a report, in UTF-16 units: a shape may bring long or many messages to each result. */
const MAX_REPORT_UNITS = 2 ** 25;

/** The same for what is found within one focus node and shape; most of it may be dropped again. */
const MAX_FOUND_UNITS = 2 ** 27;

/** Weight of a result or a message beside its text. */
const RESULT_UNITS = 100;

/** Watches one validation: size, results, time, cancellation and turns of the event loop. */
export class ShaclGuard extends WorkGuard {
  readonly #limits: Readonly<typeof DEFAULTS>;
  /** When the focus node began that is validated now. */
  #nodeStartMs = Number.POSITIVE_INFINITY;
  #results = 0;
  #reportUnits = 0;
  #foundUnits = 0;
  #pairs = 0;

  /** @throws `ERR_ARGUMENT` (invalid) for what is no limit */
  constructor(given: ShaclLimits) {
    const limits = resolveLimits(given, DEFAULTS);
    super({ signal: given.signal, timeLimitMs: limits.timeLimitMs, nowMs: given.nowMs, nextTurn: given.nextTurn });
    this.#limits = limits;
  }

  override check(): number {
    const nowMs = super.check();
    const { nodeTimeLimitMs } = this.#limits;
    if (nowMs - this.#nodeStartMs <= nodeTimeLimitMs) return nowMs;
    throw timeError(`one focus node may take ${nodeTimeLimitMs} ms with one shape; one takes longer`);
  }

  /** @throws `ERR_SHACL_TOO_LARGE` (too-large). */
  checkSize(what: 'data' | 'shapes', size: number): void {
    const bound = what === 'data' ? this.#limits.maxDataTriples : this.#limits.maxShapeTriples;
    if (size <= bound) return;
    const message = `the ${what} must have at most ${bound} triples; got ${size}`;
    throw new CodedError({ code: 'ERR_SHACL_TOO_LARGE', kind: 'too-large', message });
  }

  /** Counts a result of the report. @throws `ERR_SHACL_RESULTS` (exhausted). */
  countResult(result: ShaclResult): void {
    if (++this.#results > this.#limits.maxResults) throw tooMany(`${this.#limits.maxResults} results`);
    this.#reportUnits += sizeOf(result);
    if (this.#reportUnits > MAX_REPORT_UNITS) throw tooMany(`${MAX_REPORT_UNITS} characters`);
  }

  /** Counts what is found at any depth, also when it will be dropped. @throws `ERR_SHACL_RESULTS` (exhausted). */
  countFound({ messages }: ShaclResult): void {
    this.#foundUnits += RESULT_UNITS + textOf(messages);
    if (this.#foundUnits > MAX_FOUND_UNITS) throw tooMany(`${MAX_FOUND_UNITS} characters for one node and shape`);
  }

  /** Counts a pair of values that is compared, where so many have failed. @throws what {@link check} does, `ERR_SHACL_RESULTS` (exhausted). */
  checkPair(failures: number): void {
    if (failures > this.#limits.maxResults) throw tooMany(`${this.#limits.maxResults} results`);
    if (++this.#pairs % PAIRS_PER_CHECK === 0) this.check();
  }

  /** Lets other events through when it is time, before the next focus node. @throws as {@link check} */
  async beginNode(): Promise<void> {
    this.#nodeStartMs = Number.POSITIVE_INFINITY;
    this.#foundUnits = 0;
    await this.pauseWhenDue();
    this.#nodeStartMs = this.check();
  }
}

function tooMany(bound: string): CodedError {
  const message = `a report may have ${bound}; it has more`;
  return new CodedError({ code: 'ERR_SHACL_RESULTS', kind: 'exhausted', message });
}

function sizeOf({ focusNode, path, value, messages, details }: ShaclResult): number {
  let size = RESULT_UNITS + textOf(messages);
  for (const term of [focusNode, path, value]) size += term?.value.length ?? 0;
  for (const detail of details) size += sizeOf(detail);
  return size;
}

function textOf(messages: readonly RDF.Term[]): number {
  return messages.reduce((size, { value }) => size + value.length + RESULT_UNITS, 0);
}
