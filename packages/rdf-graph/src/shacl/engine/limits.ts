import { CodedError, throwIfAborted } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { ShaclResult } from '../report/shacl-report.ts';

/** Limits of one validation. */
export interface ShaclLimits {
  /** Triples of the data. Default 5,000,000. */
  readonly maxDataTriples?: number | undefined;
  /** Triples of the shapes. Default 100,000. */
  readonly maxShapeTriples?: number | undefined;
  /** Results of the report; its texts may have 2^25 UTF-16 units whatever their number. Default 10,000. */
  readonly maxResults?: number | undefined;
  /** Wall-clock milliseconds; enforced where a clock is given. Default 30,000. */
  readonly timeLimitMs?: number | undefined;
  /**
   * The same for one focus node and one shape, during which nothing else of the thread has its turn. Default
   * `timeLimitMs`.
   */
  readonly nodeTimeLimitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A clock: milliseconds that increase, such as `performance.now`. */
  readonly now?: (() => number) | undefined;
}

const SLICE_MS = 4;
const SLICE_NODES = 64;
const PAIRS_PER_CHECK = 1024;

/** What the texts of a report may have, in UTF-16 units: a shape may bring long or many messages to each result. */
const MAX_REPORT_UNITS = 2 ** 25;

/** The same for what is found within one focus node and shape; most of it may be dropped again. */
const MAX_FOUND_UNITS = 2 ** 27;

/** What a result or a message weighs beside its text. */
const RESULT_UNITS = 100;

/** Watches one validation: size, results, time, cancellation and turns of the event loop. */
export class ShaclGuard {
  readonly maxDataTriples: number;
  readonly maxShapeTriples: number;
  readonly #limits: ShaclLimits;
  readonly #maxResults: number;
  readonly #timeLimitMs: number;
  readonly #start: number;
  #sliceStart: number;
  /** When the focus node began that is validated now. */
  #nodeStart: number | undefined;
  #results = 0;
  #reportUnits = 0;
  #foundUnits = 0;
  #pairs = 0;
  #nodes = 0;

  constructor(limits: ShaclLimits) {
    this.#limits = { ...limits };
    this.maxDataTriples = limits.maxDataTriples ?? 5_000_000;
    this.maxShapeTriples = limits.maxShapeTriples ?? 100_000;
    this.#maxResults = limits.maxResults ?? 10_000;
    this.#timeLimitMs = limits.timeLimitMs ?? 30_000;
    this.#start = limits.now?.() ?? 0;
    this.#sliceStart = this.#start;
  }

  /** @throws `ERR_TIME_LIMIT` (timeout), or the reason of the abort. */
  check(): void {
    throwIfAborted(this.#limits.signal);
    const now = this.#limits.now?.();
    if (now === undefined) return;
    if (now - this.#start > this.#timeLimitMs) throw timeError(`the time limit of ${this.#timeLimitMs} ms is over`);
    const { nodeTimeLimitMs: nodeLimit } = this.#limits;
    if (nodeLimit === undefined || this.#nodeStart === undefined || now - this.#nodeStart <= nodeLimit) return;
    throw timeError(`one focus node may take ${nodeLimit} ms with one shape; one takes longer`);
  }

  /** @throws `ERR_SHACL_TOO_LARGE` (too-large). */
  checkSize(what: 'data' | 'shapes', size: number): void {
    const bound = what === 'data' ? this.maxDataTriples : this.maxShapeTriples;
    if (size <= bound) return;
    const message = `the ${what} must have at most ${bound} triples; got ${size}`;
    throw new CodedError({ code: 'ERR_SHACL_TOO_LARGE', kind: 'too-large', message });
  }

  /** Counts a result of the report. @throws `ERR_SHACL_RESULTS` (exhausted). */
  countResult(result: ShaclResult): void {
    if (++this.#results > this.#maxResults) throw tooMany(`${this.#maxResults} results`);
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
    if (failures > this.#maxResults) throw tooMany(`${this.#maxResults} results`);
    if (++this.#pairs % PAIRS_PER_CHECK === 0) this.check();
  }

  /** Lets other events through when it is time. To be awaited between focus nodes. */
  async pauseWhenDue(): Promise<void> {
    this.#nodeStart = this.#limits.now?.();
    this.#foundUnits = 0;
    this.check();
    if (!this.#isDue()) return;
    await nextTurn();
    this.#sliceStart = this.#limits.now?.() ?? 0;
    this.#nodeStart = this.#sliceStart;
  }

  #isDue(): boolean {
    if (this.#limits.now === undefined) return ++this.#nodes % SLICE_NODES === 0;
    return this.#limits.now() - this.#sliceStart >= SLICE_MS;
  }
}

function timeError(message: string): CodedError {
  return new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message });
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
