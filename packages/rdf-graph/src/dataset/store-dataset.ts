import { CodedError, checkList, checkObject, checkText, readableOnce, throwIfAborted } from '@cairn/errors';
import { type NowMs, nextTurn, type TopicPositions } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { SnapshotExtras } from '../graph/persistence/snapshot-blobs.ts';
import {
  patternIds,
  type QuadBatches,
  takeBatches,
  takeChanges,
  takePattern,
  takePositions,
} from '../graph/port/arguments.ts';
import type {
  ChangeSet,
  GraphDataset,
  LabelledQuad,
  QuadPattern,
  UpdateEvaluation,
} from '../graph/port/graph-dataset.ts';
import { orAborted } from '../graph/port/or-aborted.ts';
import { TermKind } from '../graph/port/term-kind.ts';
import { BulkLoader } from '../graph/store/bulk-loader.ts';
import type { LabelledPrefix } from '../graph/store/prefix-table.ts';
import type { QuadStore } from '../graph/store/quad-store.ts';
import { inTurns } from '../graph/store/scheduler.ts';
import type { Snapshot } from '../graph/store/snapshot.ts';
import { copyStore } from '../graph/store/store-copy.ts';
import { checkQuad, checkStream } from '../rdf/arguments.ts';
import { drawRandom } from '../rdf/random-source.ts';
import { quad } from '../rdf/terms.ts';
import { parseInSlices } from '../sparql/parse/parser.ts';
import { takeEvaluation } from '../sparql/query/evaluation-arguments.ts';
import { evaluateUpdate } from '../sparql/update/evaluate-update.ts';
import { Overlay } from '../sparql/update/overlay.ts';
import type { LoadGraph } from '../sparql/update/update-run.ts';
import { asUpdate } from './plan-cache.ts';
import { SnapshotDataset } from './snapshot-dataset.ts';

/** Quads between two looks at the event loop. */
const QUADS_PER_TURN = 4096;

/** The same where a reader does more with each. */
const LABELLED_PER_TURN = 512;

/** How long a writer waits for the background merge at most, in turns of the event loop. */
const MAX_TURNS_BEHIND = 64;

export interface StoreDatasetParts {
  readonly name: string;
  readonly store: QuadStore;
  readonly prefixes: readonly LabelledPrefix[];
  readonly positions: TopicPositions;
  readonly nowMs: NowMs | undefined;
  readonly load: LoadGraph | undefined;
  /** Writes the state; absent where nothing is stored. */
  readonly persist: ((store: QuadStore, extras: SnapshotExtras) => Promise<void>) | undefined;
}

/** Options of {@link StoreDataset.load}. */
export interface LoadOptions {
  /** The label of every quad of the load. */
  readonly label: string;
  /** Recorded with it. */
  readonly positions?: TopicPositions | undefined;
  /** Ends the load, also while its source does not answer; then nothing of it is stored. */
  readonly signal?: AbortSignal | undefined;
}

/** A {@link GraphDataset} over our own store. */
export class StoreDataset extends SnapshotDataset implements GraphDataset {
  readonly store: QuadStore;
  readonly #parts: StoreDatasetParts;
  #positions: TopicPositions;
  #isClosed = false;
  /** Ends loads, whose sources may never answer. */
  readonly #closing = new AbortController();
  #blankNodes = 0;
  #flushing: Promise<void> = Promise.resolve();
  #writing: Promise<void> | undefined;

  constructor(parts: StoreDatasetParts) {
    const { name, prefixes, nowMs, store } = parts;
    super({ name, prefixes, nowMs, snapshot: (viewer) => store.snapshot(viewer) });
    this.store = store;
    this.#parts = parts;
    this.#positions = parts.positions;
  }

  override snapshot(viewer: Viewer): Snapshot {
    this.#checkOpen();
    return super.snapshot(viewer);
  }

  async evaluateUpdate(viewer: Viewer, text: string, given: UpdateEvaluation): Promise<ChangeSet> {
    this.#checkOpen();
    checkViewer(viewer);
    checkText(text, 'the update');
    const options = takeEvaluation(given);
    const { label } = given;
    checkText(label, 'the label of an update');
    const evaluation = { ...options, label };
    const update = asUpdate(await inTurns(parseInSlices(text, evaluation.baseIri), evaluation.signal));
    const { nowMs, load } = this.#parts;
    const freshLabel = () => this.#freshLabel(evaluation.random);
    return evaluateUpdate(update, { store: this.store, viewer, evaluation, nowMs, load, freshLabel });
  }

  /** A label that no stored blank node has: random where a source is given, else counted. */
  #freshLabel(random: (() => number) | undefined): string {
    for (;;) {
      const label =
        random === undefined ? `u${this.#blankNodes++}` : `u${Array.from({ length: 4 }, () => hex(random)).join('')}`;
      if (this.store.dictionary.lookup(TermKind.blankNode, 0, label, false) === 0) return label;
    }
  }

  async apply(changes: readonly ChangeSet[], positions: TopicPositions = {}): Promise<void> {
    this.#checkOpen();
    const reached = takePositions(positions);
    // Begins in this call: later changes of what was passed must not matter.
    const taking = inTurns(takeChanges(changes));
    // It is awaited in its turn, which may be after it has failed.
    if (taking instanceof Promise) taking.catch(() => {});
    return this.#write(async () => {
      const taken = taking instanceof Promise ? await taking : taking;
      for (let turns = 0; this.store.isBehind && turns < MAX_TURNS_BEHIND; turns++) await nextTurn();
      const applied = inTurns(this.store.apply(taken));
      if (typeof applied !== 'boolean') await applied;
      for (const { prefixes = [] } of taken) for (const change of prefixes) this.prefixTable.change(change);
      this.#positions = { ...this.#positions, ...reached };
    });
  }

  /**
   * Adds many quads under one label, as one step at the end; quads that are stored already keep their labels as well.
   * Far faster than {@link apply} for large documents. Writes meanwhile wait. Returns how many quads were read. Lists of
   * quads are taken at the call; a stream is read as it comes. Closing the dataset ends a load that still reads.
   * @throws `ERR_CANCELLED` (cancelled) when its signal aborts, `ERR_DATASET_CLOSED` (unavailable) when it is closed
   */
  async load(batches: QuadBatches, options: LoadOptions): Promise<number> {
    this.#checkOpen();
    checkStream(batches, 'the batches of a load');
    checkObject(options, 'the options of a load');
    const { label, positions = {} } = options;
    checkText(label, 'the label of a load');
    const { signal: closing } = this.#closing;
    const signal = options.signal === undefined ? closing : AbortSignal.any([options.signal, closing]);
    const reached = takePositions(positions);
    const taken = takeBatches(batches);
    return this.#write(async () => {
      const loader = new BulkLoader(this.store, label);
      let pause = QUADS_PER_TURN;
      for await (const quads of untilAborted(taken, signal)) {
        checkList(quads, 'a batch of a load');
        for (const quad of quads) loader.add(quad);
        if (loader.size < pause) continue;
        await nextTurn();
        pause = loader.size + QUADS_PER_TURN;
      }
      throwIfAborted(signal);
      await inTurns(loader.commit());
      this.#positions = { ...this.#positions, ...reached };
      return loader.size;
    });
  }

  /**
   * Fills this dataset, which must be empty, with what another one holds now, with its prefixes and positions: a copy that
   * has nothing of what was deleted there, not even a term. In slices; the other goes on meanwhile.
   * @throws `ERR_DATASET_IN_USE` (conflict) when this one is not empty
   */
  async copyFrom(source: StoreDataset): Promise<void> {
    this.#checkOpen();
    if (this.store.runs.length > 0 || Object.keys(this.#positions).length > 0) {
      const message = `dataset ${this.name} must be empty to take a copy in`;
      throw new CodedError({ code: 'ERR_DATASET_IN_USE', kind: 'conflict', message });
    }
    return this.#write(async () => {
      // Taken at once, so that they belong together.
      const steps = copyStore(source.store, this.store);
      const positions = source.positions();
      const prefixes = source.labelledPrefixes();
      await inTurns(steps);
      this.#positions = positions;
      for (const prefix of prefixes) this.prefixTable.change(prefix);
    });
  }

  /** Removes quads under the labels that the viewer may see, as one step. */
  async removeQuads(viewer: Viewer, quads: Iterable<RDF.Quad>): Promise<void> {
    this.#checkOpen();
    checkViewer(viewer);
    checkList(quads, 'the quads');
    const taken = [...quads];
    await this.#write(async () => {
      const { dictionary } = this.store;
      const overlay = new Overlay(this.store, viewer, '');
      for (const each of taken) {
        checkQuad(each);
        const { subject, predicate, object, graph } = each;
        const [s, p, o, g] = [subject, predicate, object, graph].map((term) => dictionary.find(term));
        if (s && p && o && g) overlay.delete(s, p, o, g);
      }
      await inTurns(this.store.apply([await inTurns(overlay.toChangeSet())]));
    });
  }

  /** One write after the other. */
  #write<Result>(write: () => Promise<Result> | Result): Promise<Result> {
    const written = this.#writing === undefined ? (async () => write())() : this.#writing.then(write);
    const settled = written.then(
      () => {},
      () => {},
    );
    this.#writing = settled;
    settled.then(() => {
      if (this.#writing === settled) this.#writing = undefined;
    });
    return written;
  }

  matchLabelled(pattern: QuadPattern = {}): AsyncGenerator<LabelledQuad> {
    return readableOnce(this.#matchLabelled(takePattern(pattern)));
  }

  async *#matchLabelled(pattern: QuadPattern): AsyncGenerator<LabelledQuad> {
    this.#checkOpen();
    const { dictionary, sets } = this.store;
    const everything = this.store.snapshotOfEverything();
    const ids = patternIds(everything, pattern);
    if (ids === undefined) return;
    const { runs } = everything;
    let count = 0;
    for (const row of everything.quadIdsInSlices(...ids)) {
      if (row === undefined) {
        await nextTurn();
        continue;
      }
      const [s, p, o, g] = row;
      const found = quad(dictionary.term(s), dictionary.term(p), dictionary.term(o), dictionary.term(g));
      for (const label of sets.labelIds(this.store.labelSetIn(runs, s, p, o, g))) {
        yield { quad: found, label: sets.labels.label(label) };
      }
      if (++count % LABELLED_PER_TURN === 0) await nextTurn();
    }
  }

  /** Every prefix with its labels, in the order in which they were given. */
  labelledPrefixes(): readonly LabelledPrefix[] {
    return this.prefixTable.stored();
  }

  override async prefixes(viewer: Viewer): Promise<Readonly<Record<string, string>>> {
    this.#checkOpen();
    return super.prefixes(viewer);
  }

  positions(): TopicPositions {
    return { ...this.#positions };
  }

  flush(): Promise<void> {
    this.#checkOpen();
    const flushed = this.#flushing.then(() =>
      this.#parts.persist?.(this.store, { positions: this.#positions, prefixes: this.labelledPrefixes() }),
    );
    this.#flushing = flushed.catch(() => {});
    return flushed;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort(this.#closedError());
    await this.#writing;
    await this.#flushing;
    this.store.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw this.#closedError();
  }

  #closedError(): CodedError {
    const message = `dataset ${this.name} is closed`;
    return new CodedError({ code: 'ERR_DATASET_CLOSED', kind: 'unavailable', message });
  }
}

/** Batches as they come, until the signal aborts: a source that does not answer is left alone then. */
async function* untilAborted(batches: QuadBatches, signal: AbortSignal): AsyncGenerator<readonly RDF.Quad[]> {
  const source = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await orAborted(Promise.resolve(source.next()), signal);
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // One that is asked for a batch closes only when it has it.
    if (!isOver) void Promise.resolve(source.return?.()).catch(() => {});
  }
}

function hex(random: () => number): string {
  return Math.floor(drawRandom(random) * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
}
